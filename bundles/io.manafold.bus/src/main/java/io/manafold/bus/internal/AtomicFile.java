package io.manafold.bus.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A small file of lines that is replaced as a whole, so that a crash leaves the old or the new one. */
final class AtomicFile {
    static final int SIZE_LIMIT = 1 << 20;

    private final Path file;
    private final Disk disk;

    AtomicFile(Path file, Disk disk) {
        this.file = file;
        this.disk = disk;
    }

    Path path() {
        return file;
    }

    /**
     * All lines; none if there is no file.
     *
     * @throws IOException if it cannot be read or is larger than we ever write; the message is for people
     */
    List<String> lines() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        if (Files.size(file) > SIZE_LIMIT) {
            throw new IOException("it is larger than " + SIZE_LIMIT + " bytes");
        }
        return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n"));
    }

    /** Puts an unreadable file aside, so that nothing an administrator once set is overwritten, and tells of it. */
    String putAside(IOException unreadable) {
        String sentence = file + " cannot be read: " + unreadable.getMessage();
        try {
            Path aside = aside();
            Files.move(file, aside);
            return sentence + "; it was put aside as " + aside.getFileName();
        } catch (IOException stays) {
            return sentence + "; it could not be put aside either: " + Reasons.of(stays);
        }
    }

    /** Puts a copy aside, and tells of it: a clause. */
    String copyAside() {
        try {
            Path aside = aside();
            Files.copy(file, aside);
            return "a copy was put aside as " + aside.getFileName();
        } catch (IOException full) {
            return "a copy could not be put aside: " + Reasons.of(full);
        }
    }

    /** A name that no earlier copy has. */
    private Path aside() {
        int number = 1;
        Path aside;
        do {
            aside = file.resolveSibling(file.getFileName() + ".unreadable." + number++);
        } while (Files.exists(aside));
        return aside;
    }

    /**
     * When this returns the text is on disk; if it throws, the old one or, after a last sync that failed, perhaps the
     * new.
     */
    synchronized void replace(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > SIZE_LIMIT) {
            throw new IOException("it would be larger than " + SIZE_LIMIT + " bytes");
        }
        Files.createDirectories(file.getParent());
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                disk.write(out, rest);
            }
            disk.sync(out);
        }
        disk.rename(fresh, file);
        try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            disk.sync(folder);
        }
    }
}
