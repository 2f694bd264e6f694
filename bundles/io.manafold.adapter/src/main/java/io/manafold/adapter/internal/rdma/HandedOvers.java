package io.manafold.adapter.internal.rdma;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What engines hand over to each other, in the order of each, without waiting: agents of other engines add, the
 * engine's own takes and gives back. Nothing is allocated but for more at a time than there was before, up to a bound.
 */
final class HandedOvers {
    /** More than these are left to the collector when a burst is over. */
    private static final int KEPT = 4096;
    /** As many of an engine may be on their way: other agents may be held up, but not without end. */
    static final int MOST = 64 << 10;

    /** From others, the latest first. */
    private final AtomicReference<HandedOver> arrived = new AtomicReference<>();
    /** Of this engine, done by others. */
    private final AtomicReference<HandedOver> returned = new AtomicReference<>();
    /** Taken from those that arrived, the oldest first; on the agent. */
    private HandedOver waiting;
    /** To be used; on the agent. */
    private HandedOver free;
    /** Those that there are, to be used or on their way; on the agent. */
    private int made;

    /** One that this engine hands over, {@code null} if too many are on their way; on its agent. */
    HandedOver make() {
        if (free == null) {
            free = some(returned.getAndSet(null));
        }
        HandedOver one = free;
        if (one == null) {
            if (made == MOST) {
                return null;
            }
            made++;
            return new HandedOver(this);
        }
        free = one.next;
        one.next = null;
        return one;
    }

    private HandedOver some(HandedOver all) {
        HandedOver last = all;
        for (int i = 1; last != null && i < KEPT; i++) {
            last = last.next;
        }
        if (last != null) {
            for (HandedOver left = last.next; left != null; left = left.next) {
                made--;
            }
            last.next = null;
        }
        return all;
    }

    /** Takes one of another engine over; on that one's agent. */
    void add(HandedOver one) {
        push(arrived, one);
    }

    /** Whether there is nothing to take; on the agent. */
    boolean isEmpty() {
        return waiting == null && arrived.get() == null;
    }

    /** The oldest one, or {@code null}; on the agent. */
    HandedOver poll() {
        if (waiting == null) {
            arrive();
        }
        return pollArrived();
    }

    /** What has come is behind what was taken before, all of which is done; on the agent. */
    void arrive() {
        waiting = reversed(arrived.getAndSet(null));
    }

    /** The oldest one of those that had come when {@link #arrive} was called last, or {@code null}; on the agent. */
    HandedOver pollArrived() {
        HandedOver one = waiting;
        if (one != null) {
            waiting = one.next;
        }
        return one;
    }

    /** What was taken is done: the engine that it came from can use it again. */
    static void giveBack(HandedOver one) {
        one.isOf(null, null);
        push(one.origin.returned, one);
    }

    private static HandedOver reversed(HandedOver latest) {
        HandedOver oldest = null;
        for (HandedOver one = latest; one != null;) {
            HandedOver before = one.next;
            one.next = oldest;
            oldest = one;
            one = before;
        }
        return oldest;
    }

    private static void push(AtomicReference<HandedOver> stack, HandedOver one) {
        HandedOver top;
        do {
            top = stack.get();
            one.next = top;
        } while (!stack.compareAndSet(top, one));
    }
}
