package io.manafold.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** What an action allocates once it is compiled. */
public final class Allocation {
    /** Compilers of a busy machine may need this long. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

    private Allocation() {
    }

    /**
     * Repeats an action until so many rounds of it allocate nothing, or patience ends; answers the least bytes seen.
     */
    public static long leastOf(int rounds, Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long deadline = System.nanoTime() + PATIENCE;
        long least = Long.MAX_VALUE;
        while (least > 0 && System.nanoTime() < deadline) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                action.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
