package io.manafold.image.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;

/** Remembers of an archive's entries what is asked for, and passes over the rest. */
final class Entries implements EntryVisitor {
    private static final byte[] PROGRAM_MARK = {0x7f, 'E', 'L', 'F'};

    private final EntryStore kept;
    private final BoundedInput in;
    private final PathFilter wanted;

    Entries(EntryStore kept, BoundedInput in, PathFilter wanted) {
        this.kept = kept;
        this.in = in;
        this.wanted = wanted;
    }

    /** The path by which an entry is remembered, or {@code null} for one that is not. */
    private String path(String name) {
        String path = MemoryTree.canonical(name);
        return path == null || path.equals("/") || kept.whiteout(path) || !wanted.name(path) ? null : path;
    }

    @Override
    public void file(String name, long size) throws IOException {
        String path = path(name);
        if (path == null) {
            in.skip(size);
            return;
        }
        if (wanted.archive(path) && kept.mayHoldAnother()) {
            inside(path, size);
            return;
        }
        if (!wanted.contents(path)) {
            in.skip(size);
            kept.file(path, null);
            return;
        }
        int most = Math.min(PathFilter.most(path), kept.room());
        boolean binary = PathFilter.most(path) == Limits.BINARY;
        if (size > most && (binary || most < Limits.TEXT)) {
            in.skip(size);
            kept.file(path, null);
            return;
        }
        int count = (int) Math.min(size, most);
        byte[] bytes = in.bytes(count);
        in.skip(size - count);
        if (!binary && isProgram(bytes)) {
            // one of /usr/local/bin: that it is no script is all that is asked, and it would take the room of rules
            bytes = Arrays.copyOf(bytes, PROGRAM_MARK.length);
        }
        // small layers have names like documents
        boolean layer = PathFilter.document(path) && (count == 0 || bytes[0] != '{' && bytes[0] != '[');
        kept.file(path, layer ? null : bytes);
    }

    private static boolean isProgram(byte[] bytes) {
        return bytes.length > PROGRAM_MARK.length
                && Arrays.equals(bytes, 0, PROGRAM_MARK.length, PROGRAM_MARK, 0, PROGRAM_MARK.length);
    }

    /** An archive in the archive: of one that is broken, it is known that it is. */
    private void inside(String path, long size) throws IOException {
        long before = in.position();
        try {
            kept.archive(path, Reader.archive(in.part(size), in.deadline(), PathFilter.INITIAL, kept.budget()), null);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            kept.archive(path, null, e.getMessage());
        }
        in.skip(size - (in.position() - before));
    }

    @Override
    public void folder(String name) {
        String path = path(name);
        if (path != null) {
            kept.folder(path);
        }
    }

    @Override
    public void link(String name, String target) {
        String path = path(name);
        if (path != null && target.length() <= Limits.NAME) {
            kept.link(path, target);
        }
    }

    @Override
    public void other(String name) {
        String path = path(name);
        if (path != null) {
            kept.other(path);
        }
    }
}
