package io.manafold.ethernet.internal.function;

import java.util.function.LongSupplier;

/**
 * Whether a function has its RDMA service, by what it has said last. Each time that it goes and comes again a driver
 * leaves a part and takes the next one, with events and lines of the log. A function, or who lends it, that says so
 * over and over gets that a few times at once, then once a second, and all that it has said between counts as once; the
 * last word holds in any case.
 */
final class RdmaService {
    /** Whose service it is. */
    interface Owner {
        /** Has something done on the control agent soon; false if that has too much to do. */
        boolean send(Runnable command);

        /** Takes the part back, if it is offered. */
        void withdraw();

        /** Offers the part, unless it is offered. */
        void offer();
    }

    private final Owner owner;
    private final RateLimiter changes;
    /** What is to be done is waiting for the control agent. */
    private boolean asked;
    private boolean there = true;
    private boolean offered = true;
    /** It has gone since the part was offered: whatever that part's driver has made is lost. */
    private boolean lost;

    RdmaService(Owner owner, LongSupplier nanoTime) {
        this.owner = owner;
        changes = new RateLimiter(nanoTime);
    }

    /** The function says that the service is gone or back; returns at once. */
    void is(boolean back) {
        synchronized (this) {
            there = back;
            lost |= !back;
            if (asked) {
                return;
            }
            asked = true;
        }
        if (!owner.send(this::carryOut)) {
            // the next tick does it
            synchronized (this) {
                asked = false;
            }
        }
    }

    /** Does what is to be done, if that may be now; at each tick, and when it was asked for. On the control agent. */
    void carryOut() {
        boolean goes;
        boolean comes;
        synchronized (this) {
            asked = false;
            goes = lost;
            comes = there && (lost || !offered);
            if (!goes && !comes || !changes.take()) {
                return;
            }
            lost = false;
            offered = there;
        }
        if (goes) {
            owner.withdraw();
        }
        if (comes) {
            owner.offer();
        }
    }

    /** The function is about to have another life, in which the service is there until it says something else. */
    synchronized void anew() {
        there = true;
        offered = true;
        lost = false;
    }
}
