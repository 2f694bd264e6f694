package io.manafold.testkit.base;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** What an action allocates once it is compiled. */
public final class Allocation {
    /** Compilers of a busy machine may need this long. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** What is repeated. */
    public interface Action {
        void run() throws Exception;
    }

    private Allocation() {
    }

    /** Repeats an action until thousands of rounds allocate nothing, or patience ends; answers the least seen. */
    public static long leastOf(Action action) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long start = System.nanoTime();
        long least = Long.MAX_VALUE;
        while (least > 0 && System.nanoTime() - start < PATIENCE) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 5000; i++) {
                action.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
