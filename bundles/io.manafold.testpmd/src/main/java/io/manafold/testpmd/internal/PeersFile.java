package io.manafold.testpmd.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A file with the addresses of peers: a line for each port, from port 0 on. */
final class PeersFile {
    private static final String OPTION = "--eth-peers-configfile";
    private static final int MOST_LINES = 1024;
    private static final int MOST_BYTES = 64 << 10;
    private static final int MOST_SECONDS = 10;

    private PeersFile() {
    }

    /**
     * The addresses in their order.
     *
     * @throws Refusal {@code ENOENT} without such a file, {@code EACCES} if it may not be read, {@code EINVAL} if it is
     *     no file or has a line that is no address
     */
    static List<MacAddress> read(String name) {
        List<MacAddress> addresses = new ArrayList<>();
        for (String line : text(name).lines().limit(MOST_LINES + 1L).toList()) {
            if (addresses.size() == MOST_LINES) {
                throw Words.wrong("'" + Words.shown(name) + "' has more than " + MOST_LINES + " lines, and there are "
                        + "no more ports for " + OPTION + " to give peers to.");
            }
            try {
                addresses.add(MacAddress.parse(line.strip()));
            } catch (IllegalArgumentException e) {
                throw Words.wrong("Bad MAC address format on line " + (addresses.size() + 1) + " of '"
                        + Words.shown(name) + "' (" + OPTION + "): '" + Words.shown(line)
                        + "' is not six bytes, as in 00:0d:3a:00:00:01.");
            }
        }
        return addresses;
    }

    private static String text(String name) {
        try {
            Path path = Path.of(name);
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
            if (!file.isRegularFile()) {
                throw Words.wrong("'" + Words.shown(name) + "' is no file of addresses for " + OPTION + ".");
            }
            if (file.size() == 0) {
                // those of the kernel, which may block who reads them, among them
                throw Words.wrong("'" + Words.shown(name) + "' has no bytes, and no address of a peer for " + OPTION
                        + "; it has a MAC address on each line, the first for port 0.");
            }
            return inTime(name, path);
        } catch (InvalidPathException e) {
            throw Words.wrong("'" + Words.shown(name) + "' is no path for " + OPTION + ".");
        } catch (IOException e) {
            throw refusal(name, e);
        }
    }

    /** What another puts in the place of a file after a look at it may block who opens it: a thread that ends alone. */
    static String inTime(String name, Path path) throws IOException {
        FutureTask<String> reading = new FutureTask<>(() -> text(name, path));
        Thread reader = Thread.ofPlatform().daemon().name("testpmd peers").start(reading);
        try {
            return reading.get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new Refusal(Errno.ETIMEDOUT, "'" + Words.shown(name) + "' could not be read for " + OPTION + " in "
                    + MOST_SECONDS + " seconds; name a file that lies on a disk.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "The reading of '" + Words.shown(name) + "' for " + OPTION
                    + " was interrupted.");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failed -> throw failed;
                case Refusal refused -> throw refused;
                default -> throw new IllegalStateException(e.getCause());
            }
        } finally {
            reader.interrupt();
        }
    }

    private static String text(String name, Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw Words.wrong("'" + Words.shown(name) + "' is larger than " + MOST_BYTES + " bytes, and a file "
                        + "of addresses for " + OPTION + " is not.");
            }
            return new String(bytes, StandardCharsets.ISO_8859_1).stripTrailing();
        }
    }

    static Refusal refusal(String name, IOException why) {
        return switch (why) {
            case NoSuchFileException _ -> new Refusal(Errno.ENOENT, "There is no file '" + Words.shown(name) + "' for "
                    + OPTION + "; it has a MAC address on each line, the first for port 0.");
            case AccessDeniedException _ -> new Refusal(Errno.EACCES, "'" + Words.shown(name)
                    + "' may not be read by this user for " + OPTION + ": it, or a folder that it is in, is closed.");
            default -> new Refusal(Errno.EIO, "'" + Words.shown(name) + "' cannot be read for " + OPTION + ": "
                    + Words.shown(String.valueOf(why instanceof FileSystemException file ? file.getReason()
                    : why.getMessage())) + ".");
        };
    }
}
