package io.manafold.qualify.internal;

import java.time.Duration;
import java.util.List;

/** Sends until it gets no faster: what is run for the first time is compiled meanwhile. */
final class WarmUp {
    private static final int LEAST = 20;
    private static final int MOST = 60;
    private static final double FASTER = 1.1;
    /** Of a processor's time: enough for what runs in it to be compiled. */
    private static final Duration WORK = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private WarmUp() {
    }

    /** Sends frames of a size for a slice. */
    @FunctionalInterface
    interface Sending {
        Bisection.Outcome send(int size) throws InterruptedException;
    }

    /**
     * Sends until this process has had so much of a processor's time, which is later where others want it, too; or
     * until patience ends.
     */
    static void work(List<Integer> sizes, Sending sending) throws InterruptedException {
        Duration before = used();
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int slice = 0; !sizes.isEmpty() && used().minus(before).compareTo(WORK) < 0
                && System.nanoTime() - end < 0; slice++) {
            sending.send(sizes.get(slice % sizes.size()));
        }
    }

    private static Duration used() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    static void run(List<Integer> sizes, Sending sending) throws InterruptedException {
        double best = 0;
        int noFaster = 0;
        for (int slice = 0; slice < MOST && (slice < LEAST || noFaster < LEAST / 2) && !sizes.isEmpty(); slice++) {
            double arrived = sending.send(sizes.get(slice % sizes.size())).arrived();
            noFaster = arrived > best * FASTER ? 0 : noFaster + 1;
            best = Math.max(best, arrived);
        }
    }
}
