package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.EventLog;
import io.manafold.api.refusal.NotKept;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A file that follows what is in force. This is the one rule for what cannot be kept: it stays in force, the caller is
 * told so, the file is tried again, and an event tells when it is written. Any thread may call.
 */
final class PersistedFile implements AutoCloseable {
    static final Duration PAUSE = Duration.ofSeconds(10);

    private final AtomicFile file;
    private final EventLog events;
    private final Supplier<String> text;
    private final Duration pause;
    /** What the file says for certain; {@code null} if that is not known. */
    private String written;
    private Thread trying;
    private boolean closed;

    /** @param text what is in force now, as the file's text */
    PersistedFile(AtomicFile file, EventLog events, Supplier<String> text, Duration pause) {
        this.file = file;
        this.events = events;
        this.text = text;
        this.pause = pause;
    }

    AtomicFile file() {
        return file;
    }

    /** Says what was read from the file when it was opened: until something else is in force, nothing is written. */
    synchronized void read(String found) {
        written = found;
    }

    /**
     * When this returns, what is in force is on disk.
     *
     * @throws NotKept if it cannot be written now
     */
    synchronized void keep() {
        try {
            write();
        } catch (IOException unkept) {
            if (trying == null && !closed) {
                trying = Thread.ofPlatform().daemon().name("manafold-keep " + file.path().getFileName())
                        .start(this::tryAgain);
            }
            throw new NotKept(file.path() + " cannot be written (" + Reasons.of(unkept) + ")", unkept);
        }
        if (trying != null) {
            kept();
        }
    }

    private void write() throws IOException {
        String now = text.get();
        if (!now.equals(written)) {
            written = null;
            file.replace(now);
            written = now;
        }
    }

    private void kept() {
        trying = null;
        notifyAll();
        events.post(Kind.ADMINISTERED, null, null, "what was set and could not be kept is kept now: " + file.path()
                + " is written");
    }

    private synchronized void tryAgain() {
        Thread self = Thread.currentThread();
        while (trying == self && !closed) {
            try {
                wait(pause.toMillis());
                if (trying == self && !closed) {
                    write();
                    kept();
                }
            } catch (InterruptedException over) {
                return;
            } catch (IOException | RuntimeException | Error still) {
                // whatever it is, the next turn may do better, and there is no other thread that tries
                continue;
            }
        }
    }

    /** Tries for the last time, also if what is in force has changed and was not to be kept yet. */
    @Override
    public synchronized void close() {
        closed = true;
        if (trying == null && (written == null || written.equals(text.get()))) {
            return;
        }
        notifyAll();
        try {
            write();
            if (trying != null) {
                kept();
            }
        } catch (IOException lost) {
            events.post(Kind.ADMINISTERED, null, null, "what was set last is lost: " + file.path()
                    + " cannot be written (" + Reasons.of(lost) + ")");
        }
    }
}
