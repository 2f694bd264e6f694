package io.manafold.benchmark;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Processor time and allocation of threads. */
final class Clock {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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

    /** By all threads of ours with traffic; those that agents share do what is rare. */
    static long allocated() {
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("manafold-") && !thread.getName().startsWith("manafold-shared-")) {
                sum += THREADS.getThreadAllocatedBytes(thread.threadId());
            }
        }
        return sum;
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
