package io.manafold.vfio.internal.borrow;

import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A request that was sent, and the thread that waits for its reply. */
final class PendingRequest {
    private final int command;
    private final int most;
    private final Thread asker = Thread.currentThread();
    private volatile boolean done;
    private byte[] body;
    private int error;

    /** @param most the longest body that the answer may have */
    PendingRequest(int command, int most) {
        this.command = command;
        this.most = most;
    }

    int command() {
        return command;
    }

    int most() {
        return most;
    }

    /** The answer has come. */
    void answer(int errno, byte[] bytes) {
        error = errno;
        body = bytes;
        done = true;
        LockSupport.unpark(asker);
    }

    /** No answer will come. */
    void abandon() {
        done = true;
        LockSupport.unpark(asker);
    }

    /** Waits, also when interrupted: it does not take long. Answers false if the time was over first. */
    boolean await(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        while (!done) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                break;
            }
            LockSupport.parkNanos(this, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }

    /** Whether there is an answer, of either kind. */
    boolean isAnswered() {
        return done && (body != null || error != 0);
    }

    /**
     * The answer's body.
     *
     * @throws Refusal if it says no
     */
    ByteBuffer body(String question) {
        if (error != 0) {
            throw Errors.refusal(error, "it refuses " + question);
        }
        return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    }
}
