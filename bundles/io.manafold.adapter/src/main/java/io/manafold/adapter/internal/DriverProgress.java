package io.manafold.adapter.internal;

import io.manafold.api.adapter.Adapter.Milestone;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How far the driver of a function has come, for administrators who wait for that. Told by any thread. */
final class DriverProgress {
    private volatile int reached;

    /** A driver begins anew. */
    synchronized void forget() {
        reached = 0;
    }

    /** Nearly free but for the first time. */
    void reach(Milestone milestone) {
        if ((reached & bit(milestone)) == 0) {
            note(milestone);
        }
    }

    private synchronized void note(Milestone milestone) {
        reached |= bit(milestone);
        notifyAll();
    }

    private static int bit(Milestone milestone) {
        return 1 << milestone.ordinal();
    }

    /** Returns false if the time has passed. */
    synchronized boolean await(Milestone milestone, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while ((reached & bit(milestone)) == 0) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
