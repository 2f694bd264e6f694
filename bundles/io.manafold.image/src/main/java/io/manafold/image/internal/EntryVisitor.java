package io.manafold.image.internal;

import java.io.IOException;

/** Takes the entries of an archive in their order. Names are as the archive has them. */
interface EntryVisitor {
    /** A file whose bytes come next: all of them are read before this returns. */
    void file(String name, long size) throws IOException;

    void folder(String name) throws IOException;

    /** @param target what a symbolic link says; for a hard link, a path from the root */
    void link(String name, String target) throws IOException;

    /** A device, a pipe, a sparse file. */
    void other(String name) throws IOException;
}
