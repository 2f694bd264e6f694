package io.manafold.gdma.driver;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.OwnerBits;
import io.manafold.gdma.QueueType;
import io.manafold.memory.DmaPiece;
import java.util.function.IntPredicate;

/**
 * A completion queue of any length, read by one thread. It knows whose completions it is for, whether an event has been
 * asked for, and tells the device from time to time how far was read.
 *
 * <pre>{@code
 * int count = 0;
 * for (long entry = queue.next(work.id(), QueueType.SEND); entry != 0; entry = queue.next(work.id(), QueueType.SEND)) {
 *     … queue.last() …
 *     queue.consume();
 *     count++;
 * }
 * queue.polled(count);
 * if (queue.failure() != null) …
 * queue.arm();
 * }</pre>
 */
public final class CompletionQueue extends WrittenRing {
    /** After so many laps the device is told how far was read although no event is wanted; it can tell eight apart. */
    private static final int LAPS = 4;

    /** The work queue and side in the last word of what {@link #disown} has found. */
    public static final int DISOWNED = CompletionEntry.last(0xff_ffff, true, 0, 1);

    private final DoorbellPage page;
    private final int id;
    private int sinceRing;
    private boolean armed;
    private long rung;
    private String failure;

    /** Over zeroed memory, {@code bytes} of it. */
    public CompletionQueue(DmaPiece memory, int bytes, DoorbellPage page, int id) {
        super(memory, bytes, CompletionEntry.SIZE, CompletionEntry.LAST);
        this.page = page;
        this.id = id;
    }

    public int id() {
        return id;
    }

    /**
     * The next completion of a work queue which this one is for alone.
     *
     * @param type {@link QueueType#SEND} or {@link QueueType#RECEIVE}
     * @return where it is; 0 if there is none, or one of another queue, which is a {@link #failure}
     */
    public long next(int workQueue, int type) {
        long entry = failure == null ? next() : 0;
        if (entry != 0) {
            int last = last();
            if (CompletionEntry.workQueue(last) != workQueue
                    || CompletionEntry.isSendSide(last) != (type == QueueType.SEND)) {
                fail("The completion 0x" + Integer.toHexString(last) + " is not of the " + QueueType.name(type) + " "
                        + workQueue + ".");
                return 0;
            }
        }
        return entry;
    }

    /** Ends a turn of reading in which so many were consumed. */
    public void polled(int count) {
        if (isOverrun()) {
            fail("Completions of completion queue " + id + " were overwritten before they were read.");
        }
        sinceRing += count;
        if (sinceRing >= slots() * LAPS) {
            sinceRing = 0;
            ring(false);
        }
    }

    /** What the device did that it must not, or {@code null}; nothing is read after that. */
    public String failure() {
        return failure;
    }

    /** Says what is wrong with a completion; what was said first counts. */
    public void fail(String why) {
        if (failure == null) {
            failure = why;
        }
    }

    /** Whether there is something to be read. */
    public boolean hasNext() {
        return failure == null && next() != 0;
    }

    /** Asks for an event with the next completion, unless that is asked for: at once, if there is one already. */
    public void arm() {
        if (!armed) {
            armed = true;
            sinceRing = 0;
            ring(true);
        }
    }

    /**
     * An event says that a completion queue has something.
     *
     * @return whether that is this one, whose next event has to be asked for again
     */
    public boolean disarm(int completionQueue) {
        if (completionQueue != id) {
            return false;
        }
        armed = false;
        return true;
    }

    /**
     * Has the device hold back events from now on; only for a device that says that it can.
     *
     * @param micros since the event before, 0 for not at all
     * @param frames completions that end the wait earlier, 0 for none
     */
    public void moderate(int micros, int frames) {
        page.ring(Doorbell.MODERATION, Doorbell.moderation(id, micros, frames));
    }

    /** Whether an event will tell of the next completion. */
    public boolean isArmed() {
        return armed;
    }

    /**
     * What has come of some work queues and was not read counts for nothing any more. By the thread that reads.
     *
     * @param whose is asked with work queue and side, as in the last word of a completion
     */
    public void disown(IntPredicate whose) {
        amend(word -> whose.test(word & OwnerBits.REST) ? DISOWNED : word);
    }

    /** How often the device was told how far was read; any thread may ask, and gets what may be a moment old. */
    public long rung() {
        return rung;
    }

    private void ring(boolean arm) {
        rung++;
        page.ring(Doorbell.COMPLETION, Doorbell.completion(id, consumer(), arm));
    }
}
