package io.manafold.adapter.internal.rdma;

import io.manafold.roce.TimerWheel;

/**
 * When queue pairs want to be asked again whether an answer has come. There is nothing here until it is opened. Belongs
 * to the agent.
 */
final class PairTimers {
    private static final long TICK_NANOS = 1 << 14;
    /** Timers that end in one cycle. */
    private static final int MOST = 64;

    private final int[] expired = new int[MOST];
    private TimerWheel wheel;

    void open() {
        if (wheel == null) {
            wheel = new TimerWheel(QpNumber.SLOTS, TICK_NANOS);
        }
    }

    /** When the first of them ends; without an end if there is none. */
    long next() {
        return wheel == null ? Long.MAX_VALUE : wheel.next();
    }

    /** @param when {@link Long#MAX_VALUE} for never */
    void wakeAt(QueuePair pair, long when) {
        if (wheel == null) {
            // never open, so nothing was ever waited for
            return;
        }
        if (when == Long.MAX_VALUE) {
            wheel.cancel(pair.slot);
        } else {
            wheel.schedule(pair.slot, when);
        }
    }

    /** Takes those that have ended; how many, {@link #slot} names each. */
    int take(long now) {
        return wheel == null ? 0 : wheel.expired(now, expired);
    }

    int slot(int index) {
        return expired[index];
    }
}
