package io.manafold.launcher.internal.log;

import io.manafold.logging.LoggedLine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.function.Consumer;

/**
 * The log on disk. When it is full it becomes {@code .1} in place of the one before, and begins anew. What cannot be
 * written, as on a full disk, is left out and counted; the thread that logs does not wait.
 */
public final class LogFile implements Consumer<LoggedLine>, AutoCloseable {
    public static final long LARGEST = 4L << 20;

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    private final Path file;
    private final long largest;
    private OutputStream out;
    private long size;
    private long lost;
    private Instant pausedUntil = Instant.MIN;
    private boolean closed;

    public LogFile(Path file, long largest) {
        this.file = file;
        this.largest = largest;
    }

    @Override
    public synchronized void accept(LoggedLine line) {
        if (closed || line.time().isBefore(pausedUntil)) {
            lost++;
            return;
        }
        try {
            if (lost > 0) {
                write("%s WARN  log: %d lines could not be written here%n".formatted(TIME.format(line.time()), lost));
                lost = 0;
            }
            write("%s %-5s %s: %s%n%s".formatted(TIME.format(line.time()), line.level(), line.logger(), line.text(),
                    line.trace()));
        } catch (IOException e) {
            lost++;
            pausedUntil = line.time().plus(PAUSE_AFTER_FAILURE);
            abandon();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        abandon();
    }

    private void write(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (out != null && size + bytes.length > largest) {
            abandon();
        }
        if (out == null) {
            open(bytes.length);
        }
        out.write(bytes);
        size += bytes.length;
    }

    private void open(int wanted) throws IOException {
        size = Files.exists(file) ? Files.size(file) : 0;
        if (size > 0 && size + wanted > largest) {
            Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            size = 0;
        }
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void abandon() {
        OutputStream open = out;
        out = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                lost++;
            }
        }
    }
}
