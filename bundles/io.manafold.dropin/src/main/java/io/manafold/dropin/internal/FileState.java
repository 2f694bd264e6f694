package io.manafold.dropin.internal;

import java.nio.file.attribute.FileTime;

/** What tells one state of a file from the next: a file stands still while this stays equal. */
record FileState(long size, FileTime modified, Object inode) {
    /** A state that no file is in. */
    static final FileState UNKNOWN = new FileState(-1, FileTime.fromMillis(0), null);
}
