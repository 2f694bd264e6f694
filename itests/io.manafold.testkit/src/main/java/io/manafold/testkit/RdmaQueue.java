package io.manafold.testkit;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.message.CreateRdmaCq;
import io.manafold.gdma.message.DestroyRdmaCq;
import io.manafold.memory.DmaPiece;

/** A completion queue of the RDMA device, which queue pairs may share. Read by one thread; nothing is allocated. */
public final class RdmaQueue implements AutoCloseable {
    private final RdmaSession session;
    private final DmaPiece memory;
    private final long handle;
    private final CompletionQueue queue;

    RdmaQueue(RdmaSession session, int entries, DoorbellPage page, int eventQueue) {
        this.session = session;
        int bytes = entries * CompletionEntry.SIZE;
        memory = session.allocate(bytes);
        long region = session.client().function().createRegion(memory, bytes);
        CreateRdmaCq.Result made = session.call(new CreateRdmaCq(session.adapter(), region, eventQueue, page.number()));
        handle = made.handle();
        queue = new CompletionQueue(memory, bytes, page, made.id());
    }

    /** Takes a completion before it is gone. */
    @FunctionalInterface
    public interface Taker {
        /**
         * A completion.
         *
         * @param entry where it is; its fields are of {@link io.manafold.gdma.RdmaCompletion}
         * @param workQueue the queue that it names
         * @param sendSide whether it names a send queue
         */
        void completion(long entry, int workQueue, boolean sendSide);
    }

    /** Hands completions over, at most so many. Returns how many there were. */
    public int poll(Taker taker, int most) {
        int count = 0;
        for (long entry = next(count, most); entry != 0; entry = next(count, most)) {
            int last = queue.last();
            taker.completion(entry, CompletionEntry.workQueue(last), CompletionEntry.isSendSide(last));
            queue.consume();
            count++;
        }
        queue.polled(count);
        if (queue.failure() != null) {
            throw new Refusal(Errno.EPROTO, queue.failure() + " Reset the function.");
        }
        return count;
    }

    private long next(int count, int most) {
        return count < most ? queue.next() : 0;
    }

    /** Asks for an event with the next completion: at once, if there is one already. */
    public void arm() {
        queue.disarm(queue.id());
        queue.arm();
    }

    /** Its number in doorbells and events. */
    public int id() {
        return queue.id();
    }

    public long handle() {
        return handle;
    }

    /** What it lies in: the completions as bytes. */
    public DmaPiece memory() {
        return memory;
    }

    /** Ends it, after all queue pairs that use it, and gives its memory back. */
    @Override
    public void close() {
        try {
            session.call(new DestroyRdmaCq(session.adapter(), handle));
        } finally {
            session.free(memory);
        }
    }
}
