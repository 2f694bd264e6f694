package io.manafold.adapter.internal.ethernet;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waiting for an agent: bounded, and an interrupt is kept for later since configuration is not left halfway. */
final class BoundedWait {
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private BoundedWait() {
    }

    /** Whether it has come to that in time. */
    static boolean until(CountDownLatch latch) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + MOST_NANOS;
        try {
            while (true) {
                try {
                    return latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
