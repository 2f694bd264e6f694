package io.manafold.image.internal;

import java.io.IOException;

/** Remembers of an archive's entries what is asked for, and passes over the rest. */
final class Entries {
    private final MemoryTree tree;
    private final BoundedInput in;

    Entries(MemoryTree tree, BoundedInput in) {
        this.tree = tree;
        this.in = in;
    }

    /** Takes a file whose bytes come next. */
    void file(String name, long size) throws IOException {
        String path = MemoryTree.canonical(name);
        if (path == null || path.equals("/") || !Wanted.name(path)) {
            in.skip(size);
            return;
        }
        if (!Wanted.contents(path)) {
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

    void folder(String name) {
        String path = MemoryTree.canonical(name);
        if (path != null && !path.equals("/") && Wanted.name(path)) {
            tree.folder(path);
        }
    }

    void link(String name, String target) {
        String path = MemoryTree.canonical(name);
        if (path != null && !path.equals("/") && target.length() <= Limits.NAME && Wanted.name(path)) {
            tree.link(path, target);
        }
    }

    void other(String name) {
        String path = MemoryTree.canonical(name);
        if (path != null && !path.equals("/") && Wanted.name(path)) {
            tree.other(path);
        }
    }
}
