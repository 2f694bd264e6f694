package io.manafold.benchmark;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** How much has come at the other end, which the sending one waits for at the end of a slice. */
final class Received {
    private static final long PATIENCE = 60_000_000_000L;

    private final AtomicLong bytes = new AtomicLong();

    void add(long more) {
        bytes.lazySet(bytes.get() + more);
    }

    void await(long all) {
        long end = System.nanoTime() + PATIENCE;
        while (bytes.get() < all) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("of " + all + " bytes " + bytes.get() + " have come");
            }
            LockSupport.parkNanos(20_000);
        }
    }
}
