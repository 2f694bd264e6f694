package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.TrafficReport;
import io.manafold.api.traffic.TrafficRun;
import java.time.Duration;

/** How long no packet arrives when an adapter is taken away and put back at once. */
final class ServicingGap {
    private static final long RATE = 10_000;
    private static final int SIZE = 64;
    private static final Duration BEFORE = Duration.ofMillis(100);
    private static final Duration GLANCE = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final double NANOS = 1e9;

    private ServicingGap() {
    }

    /** In seconds. */
    static double measure(TrafficTrials trials, Adapter adapter) throws InterruptedException {
        TrafficRun run = trials.start(SIZE, RATE);
        try {
            Thread.sleep(BEFORE);
            long received = run.report().received();
            adapter.revoke();
            try {
                received = run.report().received();
            } finally {
                adapter.restore();
            }
            awaitArrivals(run, received, adapter.name());
            return run.report().longestGap().toNanos() / NANOS;
        } finally {
            run.stop(Duration.ZERO);
        }
    }

    private static void awaitArrivals(TrafficRun run, long before, String adapter) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            TrafficReport report = run.report();
            if (report.returns() > 0 && report.received() > before) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new Refusal(Errno.ETIMEDOUT, report.returns() == 0 ? "No device has come back within "
                        + PATIENCE.toSeconds() + " s of the servicing of " + adapter + ": is it the adapter of the "
                        + "devices that are measured? 'devices' shows that."
                        : "No packet has arrived since the servicing of " + adapter + ".");
            }
            Thread.sleep(GLANCE);
        }
    }
}
