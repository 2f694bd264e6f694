package io.manafold.qualify.internal;

import java.util.List;

/** Sends until it gets no faster: what is run for the first time is compiled meanwhile. */
final class WarmUp {
    private static final int LEAST = 20;
    private static final int MOST = 60;
    private static final double FASTER = 1.1;

    private WarmUp() {
    }

    /** Sends frames of a size for a slice. */
    @FunctionalInterface
    interface Sending {
        Bisection.Outcome send(int size) throws InterruptedException;
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
