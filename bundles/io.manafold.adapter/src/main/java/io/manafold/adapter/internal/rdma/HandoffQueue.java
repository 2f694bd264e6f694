package io.manafold.adapter.internal.rdma;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What engines hand over to each other, in the order of each, without waiting: agents of other engines add, the
 * engine's own takes and gives back. Nothing is allocated but for more at a time than there was before, up to a bound.
 */
final class HandoffQueue {
    /** More than these are left to the collector when a burst is over. */
    private static final int KEPT = 4096;
    /** As many of an engine may be on their way: other agents may be held up, but not without end. */
    static final int MOST = 64 << 10;

    /** From others, the latest first. */
    private final AtomicReference<Handoff> arrived = new AtomicReference<>();
    /** Of this engine, done by others. */
    private final AtomicReference<Handoff> returned = new AtomicReference<>();
    /** Taken from those that arrived, the oldest first; on the agent. */
    private Handoff waiting;
    /** To be used; on the agent. */
    private Handoff free;
    /** Those that there are, to be used or on their way; on the agent. */
    private int made;

    /** A handoff of this engine, {@code null} if too many are on their way; on its agent. */
    Handoff make() {
        if (free == null) {
            free = some(returned.getAndSet(null));
        }
        Handoff one = free;
        if (one == null) {
            if (made == MOST) {
                return null;
            }
            made++;
            return new Handoff(this);
        }
        free = one.next;
        one.next = null;
        return one;
    }

    private Handoff some(Handoff all) {
        Handoff last = all;
        for (int i = 1; last != null && i < KEPT; i++) {
            last = last.next;
        }
        if (last != null) {
            for (Handoff left = last.next; left != null; left = left.next) {
                made--;
            }
            last.next = null;
        }
        return all;
    }

    /** Takes one of another engine over; on that one's agent. */
    void add(Handoff one) {
        push(arrived, one);
    }

    /** Whether there is nothing to take; on the agent. */
    boolean isEmpty() {
        return waiting == null && arrived.get() == null;
    }

    /** The oldest one, or {@code null}; on the agent. */
    Handoff poll() {
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
    Handoff pollArrived() {
        Handoff one = waiting;
        if (one != null) {
            waiting = one.next;
        }
        return one;
    }

    /** What was taken is done: the engine that it came from can use it again. */
    static void giveBack(Handoff one) {
        one.isOf(null, null);
        push(one.origin.returned, one);
    }

    private static Handoff reversed(Handoff latest) {
        Handoff oldest = null;
        for (Handoff one = latest; one != null;) {
            Handoff before = one.next;
            one.next = oldest;
            oldest = one;
            one = before;
        }
        return oldest;
    }

    private static void push(AtomicReference<Handoff> stack, Handoff one) {
        Handoff top;
        do {
            top = stack.get();
            one.next = top;
        } while (!stack.compareAndSet(top, one));
    }
}
