package io.manafold.image.internal;

import java.io.IOException;
import java.util.List;

/** Files by canonical paths: {@code /etc/fstab}, {@code /} for the root. No link on the way is followed. */
interface RawTree {
    /** What stands at a path. */
    enum Kind {
        NOTHING, FILE, FOLDER, LINK, OTHER
    }

    Kind kind(String path);

    /** What a link says; of a path that is a link. */
    String link(String path) throws IOException;

    /** Names in a folder, in no order. */
    List<String> names(String path) throws IOException;

    /** The initial file system that a file is. */
    RawTree archive(String path) throws IOException;

    /** The first bytes of a file. */
    byte[] bytes(String path, int most) throws IOException;
}
