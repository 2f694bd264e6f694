package io.manafold.image.internal;

import java.io.IOException;
import java.io.InterruptedIOException;

/** Remembers of an archive's entries what is asked for, and passes over the rest. */
final class Entries {
    private final MemoryTree tree;
    private final BoundedInput in;
    private final Wanted wanted;

    Entries(MemoryTree tree, BoundedInput in, Wanted wanted) {
        this.tree = tree;
        this.in = in;
        this.wanted = wanted;
    }

    /** Takes a file whose bytes come next. */
    void file(String name, long size) throws IOException {
        String path = MemoryTree.canonical(name);
        if (path == null || path.equals("/") || !wanted.name(path)) {
            in.skip(size);
            return;
        }
        if (wanted.archive(path) && tree.mayHoldAnother()) {
            inside(path, size);
            return;
        }
        if (!wanted.contents(path)) {
            in.skip(size);
            tree.file(path, null);
            return;
        }
        int most = Math.min(Wanted.most(path), tree.room());
        boolean binary = Wanted.most(path) == Limits.BINARY;
        if (size > most && (binary || most < Limits.TEXT)) {
            in.skip(size);
            tree.file(path, null);
            return;
        }
        int kept = (int) Math.min(size, most);
        byte[] bytes = in.bytes(kept);
        in.skip(size - kept);
        tree.file(path, bytes);
    }

    /** An archive in the archive: of one that is broken, it is known that it is. */
    private void inside(String path, long size) throws IOException {
        long before = in.position();
        try {
            tree.archive(path, Reader.archive(in.part(size), in.deadline(), Wanted.INITIAL), null);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            tree.archive(path, null, e.getMessage());
        }
        in.skip(size - (in.position() - before));
    }

    void folder(String name) {
        String path = MemoryTree.canonical(name);
        if (path != null && !path.equals("/") && wanted.name(path)) {
            tree.folder(path);
        }
    }

    void link(String name, String target) {
        String path = MemoryTree.canonical(name);
        if (path != null && !path.equals("/") && target.length() <= Limits.NAME && wanted.name(path)) {
            tree.link(path, target);
        }
    }

    void other(String name) {
        String path = MemoryTree.canonical(name);
        if (path != null && !path.equals("/") && wanted.name(path)) {
            tree.other(path);
        }
    }
}
