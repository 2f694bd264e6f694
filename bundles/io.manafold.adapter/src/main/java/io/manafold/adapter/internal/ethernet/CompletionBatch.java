package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.SendCompletion;
import io.manafold.memory.RawMemory;

/** Completions of sends that wait for their burst to leave, in the order of the requests. Belongs to the agent. */
final class CompletionBatch {
    static final int MOST = 64;
    static final int GOOD = CompletionEntry.first(SendCompletion.OK, 0);

    private final SendQueue[] queues;
    private final Rejections rejections;
    private int count;
    private long touched;
    private volatile boolean withhold;

    CompletionBatch(SendQueue[] queues, Rejections rejections) {
        this.queues = queues;
        this.rejections = rejections;
    }

    void withhold() {
        withhold = true;
    }

    boolean isFull() {
        return room() == 0;
    }

    /** @param fault what went wrong, or {@code null} */
    void add(SendQueue of, int requestUnit, SendFault fault) {
        of.completed(fault == null ? GOOD : CompletionEntry.first(fault.completion, fault.vendorError()), requestUnit);
        added(of, 1);
    }

    /** So many of a queue wait with it already. */
    void added(SendQueue of, int more) {
        count += more;
        touched |= 1L << of.slot;
    }

    int room() {
        return MOST - count;
    }

    /**
     * Writes all; an error for memory that vanished before comes out of here, and then nothing is written.
     *
     * @param mayVanish whether what the sends touched may
     * @return false if there were none and no error was waited for
     */
    boolean write(boolean mayVanish) {
        if (count == 0) {
            return false;
        }
        if (mayVanish) {
            RawMemory.settle();
        }
        writeAll();
        return true;
    }

    /** After memory has vanished: those completions whose memory is still there. */
    void writeWhatCan() {
        try {
            RawMemory.settle();
        } catch (InternalError known) {
            // whose memory it is has been looked for
        }
        // the error may have come between a completion and its being counted here
        for (SendQueue queue : queues) {
            if (queue != null && queue.completed() > 0) {
                touched |= 1L << queue.slot;
            }
        }
        writeAll();
    }

    /** Queue by queue, so that memory which vanishes meanwhile is that of the queue whose turn it is. */
    private void writeAll() {
        count = 0;
        long open = touched;
        touched = 0;
        for (; open != 0; open &= open - 1) {
            SendQueue queue = queues[Long.numberOfTrailingZeros(open)];
            if (queue == null) {
                continue;
            }
            boolean skip = withhold;
            if (skip) {
                withhold = false;
            }
            if (queue.writeCompletions(skip ? 1 : 0)) {
                queue.completions.flush();
            } else {
                lost(queue);
            }
        }
    }

    private void lost(SendQueue of) {
        if (!of.ended) {
            of.ended = true;
            rejections.note(of.where, new byte[0],
                    "the memory of a completion queue stays reachable as long as the queue lives",
                    "destroy the queue before its memory is unmapped", "the send queue takes no more requests");
        }
    }
}
