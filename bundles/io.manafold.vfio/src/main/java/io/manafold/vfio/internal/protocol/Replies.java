package io.manafold.vfio.internal.protocol;

import io.manafold.linux.EventFd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * Sends replies in the order of their requests. One that has to wait for something holds back those behind it, while
 * requests go on being carried out. All is sent on the session's thread; completions only wake it.
 */
final class Replies {
    private static final int MOST = 256;
    private static final long MOST_BYTES = 2L * VfioUser.MAX_MESSAGE;

    private record Held(byte[] message, CompletableFuture<Void> awaited, long since) {
    }

    private final Line line;
    private final EventFd wake;
    private final long patience;
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private long heldBytes;

    /** @param patience nanoseconds that a reply may be held back */
    Replies(Line line, EventFd wake, long patience) {
        this.line = line;
        this.wake = wake;
        this.patience = patience;
    }

    void send(Answer answer) throws SessionEndedException, IOException {
        CompletableFuture<Void> awaited = answer.awaited();
        boolean ready = awaited == null || awaited.isDone();
        if (held.isEmpty() && ready) {
            if (awaited != null && awaited.isCompletedExceptionally()) {
                answer.refuse(Refusals.errno(awaited.exceptionNow()));
            }
            line.send(answer.message(), answer.size());
            return;
        }
        byte[] message = Arrays.copyOf(answer.message(), answer.size());
        held.add(new Held(message, ready ? null : awaited, System.nanoTime()));
        heldBytes += message.length;
        if (!ready) {
            awaited.whenComplete((_, _) -> wake.signal());
        }
    }

    /** Whether replies are held back. */
    boolean holding() {
        return !held.isEmpty();
    }

    /** Whether so much is held back that no more requests are to be taken. */
    boolean full() {
        return held.size() >= MOST || heldBytes >= MOST_BYTES;
    }

    /** Sends what is no longer held back. */
    void flush() throws SessionEndedException, IOException {
        while (!held.isEmpty()) {
            Held first = held.peek();
            if (first.awaited != null && !first.awaited.isDone()) {
                if (System.nanoTime() - first.since > patience) {
                    throw new SessionEndedException("memory that it took away is still in use");
                }
                return;
            }
            held.remove();
            heldBytes -= first.message.length;
            int size = first.message.length;
            if (first.awaited != null && first.awaited.isCompletedExceptionally()) {
                Answer.refuse(ByteBuffer.wrap(first.message).order(ByteOrder.LITTLE_ENDIAN),
                        Refusals.errno(first.awaited.exceptionNow()));
                size = VfioUser.HEADER;
            }
            line.send(first.message, size);
        }
    }
}
