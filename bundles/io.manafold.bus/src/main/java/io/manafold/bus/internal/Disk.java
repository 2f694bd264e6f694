package io.manafold.bus.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The steps by which a file gets onto a disk; each of them can fail. */
interface Disk {
    Disk REAL = new Disk() { };

    default void write(FileChannel file, ByteBuffer rest) throws IOException {
        file.write(rest);
    }

    default void sync(FileChannel file) throws IOException {
        file.force(true);
    }

    default void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
