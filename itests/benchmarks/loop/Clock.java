package io.manafold.benchmark;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Processor time and allocation of threads. */
final class Clock {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** What each has allocated when it was last seen. */
    private static final Map<Long, Long> OURS = new HashMap<>();

    private Clock() {
    }

    static long threadNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }

    static long cpuNanos(long thread) {
        return THREADS.getThreadCpuTime(thread);
    }

    static long allocatedHere() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    static long allocated(long[] threads) {
        long sum = 0;
        for (long thread : threads) {
            sum += THREADS.getThreadAllocatedBytes(thread);
        }
        return sum;
    }

    /**
     * By all threads of ours with traffic, also those that have ended since; those that agents share do what is rare.
     */
    static long allocated() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("manafold-") && !thread.getName().startsWith("manafold-shared-")) {
                OURS.put(thread.threadId(), THREADS.getThreadAllocatedBytes(thread.threadId()));
            }
        }
        return OURS.values().stream().mapToLong(Long::longValue).sum();
    }

    static long thread(String name) {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals(name)) {
                return thread.threadId();
            }
        }
        throw new IllegalStateException("there is no thread " + name);
    }
}
