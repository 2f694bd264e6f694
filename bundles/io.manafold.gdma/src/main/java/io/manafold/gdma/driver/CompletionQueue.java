package io.manafold.gdma.driver;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.memory.DmaPiece;

/**
 * A completion queue, read by one thread.
 *
 * <pre>{@code
 * for (long entry = queue.next(); entry != 0; entry = queue.next()) {
 *     … queue.last() …
 *     queue.consume();
 * }
 * queue.ring(true);
 * }</pre>
 */
public final class CompletionQueue extends WrittenRing {
    /** Over zeroed memory, {@code bytes} of it. */
    public CompletionQueue(DmaPiece memory, int bytes, Registers registers) {
        super(memory, bytes, CompletionEntry.SIZE, CompletionEntry.LAST, registers);
    }

    /** Tells how far was read, and may ask for an event: at once, if there is more already. */
    public void ring(boolean arm) {
        ring(Doorbell.COMPLETION, Doorbell.completion(id(), consumer(), arm));
    }
}
