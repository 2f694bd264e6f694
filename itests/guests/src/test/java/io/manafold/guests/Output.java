package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a process says, read on a thread of its own so that the process never waits for us. */
final class Output {
    private static final int LAST_LINES = 30;
    private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

    private final StringBuilder text = new StringBuilder();
    private final Thread thread;
    private long lastSaid = System.nanoTime();

    Output(InputStream stream) {
        thread = Thread.ofPlatform().daemon().start(() -> read(stream));
    }

    private void read(InputStream stream) {
        char[] buffer = new char[8192];
        // keeps the first bytes of a character until the others come
        try (InputStreamReader decoded = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            for (int count = decoded.read(buffer); count >= 0; count = decoded.read(buffer)) {
                add(new String(buffer, 0, count));
            }
        } catch (IOException closed) {
            // the process that wrote it is gone
        }
    }

    private void add(String more) {
        synchronized (text) {
            text.append(more);
            lastSaid = System.nanoTime();
            text.notifyAll();
        }
    }

    String soFar() {
        synchronized (text) {
            return text.toString();
        }
    }

    /** Its last lines: of a kernel that hangs these are what counts. */
    String end() {
        List<String> lines = soFar().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    String all() throws InterruptedException {
        thread.join(Duration.ofSeconds(60));
        return soFar();
    }

    /** Waits until it holds the text; fails when the process that writes it has ended, or after the limit. */
    void await(String wanted, Duration limit, BooleanSupplier alive) {
        boolean came = comes(wanted, limit, alive);
        assertThat(came).as("'%s' comes, from one that %s; it said last:%n%s",
                wanted, alive.getAsBoolean() ? "is still there" : "has ended", end()).isTrue();
    }

    /** Waits until it holds the text; false when the process that writes it has ended, or after the limit. */
    private boolean comes(String wanted, Duration limit, BooleanSupplier alive) {
        return comes(wanted, limit, UNLIMITED, alive);
    }

    /**
     * The same; false, too, where nothing at all was said for as long as the silence may be, since it was last said
     * something or since this was called, whichever is later.
     */
    boolean comes(String wanted, Duration limit, Duration silence, BooleanSupplier alive) {
        long begun = System.nanoTime();
        synchronized (text) {
            while (text.indexOf(wanted) < 0) {
                long now = System.nanoTime();
                long silent = Math.min(now - begun, now - lastSaid);
                if (now - begun >= limit.toNanos() || silent >= silence.toNanos()
                        || !alive.getAsBoolean() && !thread.isAlive()) {
                    return false;
                }
                try {
                    text.wait(100);
                } catch (InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                }
            }
            return true;
        }
    }
}
