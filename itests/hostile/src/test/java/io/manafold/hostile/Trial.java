package io.manafold.hostile;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** An input and what it may cost: no error, some seconds, and some memory on the thread that takes it. */
final class Trial {
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOST_BYTES = 64 << 20;
    private static final long MOST_BYTES_FOR_ONE = 8 << 10;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Trial() {
    }

    static void of(Taker taker, byte[] input) throws Exception {
        long begin = System.nanoTime();
        long most = MOST_BYTES + MOST_BYTES_FOR_ONE * input.length;
        long bytes = bytesTaken(taker, input);
        if (bytes > most) {
            // the first time may have loaded classes
            bytes = bytesTaken(taker, input);
        }
        long nanos = System.nanoTime() - begin;
        if (nanos > MOST_NANOS) {
            throw new AssertionError("it took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        }
        if (bytes > most) {
            throw new AssertionError("it took " + bytes + " bytes of memory for an input of " + input.length);
        }
    }

    private static long bytesTaken(Taker taker, byte[] input) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        taker.take(input);
        LoggedErrors.none();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
