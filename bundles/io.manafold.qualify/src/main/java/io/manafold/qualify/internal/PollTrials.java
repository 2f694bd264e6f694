package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;

/** Packets from one port in poll mode to another for a slice of time, and how long none arrive. */
final class PollTrials {
    private static final double NANOS = 1e9;
    private static final Duration GLANCE = Duration.ofMillis(1);
    private static final long ON_THEIR_WAY = 200_000_000L;
    private static final long PATIENCE = 20_000_000_000L;
    private static final Duration BEFORE = Duration.ofMillis(100);
    private static final int GAP_SIZE = 64;
    private static final long GAP_RATE = 10_000;

    private final PollPorts ports;
    private final Duration slice;
    private final Allocations allocations = new Allocations();

    PollTrials(PollPorts ports, Duration slice) {
        this.ports = ports;
        this.slice = slice;
    }

    Bisection.Outcome send(int size, int burst, long rate) throws InterruptedException {
        PollTrial trial = ports.begin(size, burst, rate);
        try {
            Thread.sleep(slice);
        } finally {
            trial.end();
        }
        settle(trial);
        if (trial.sent() < 1) {
            throw new Refusal(Errno.ENETDOWN, "Nothing was sent within " + slice.toMillis() + " ms: a port is away, or "
                    + "its core has no time; 'devices' shows them.");
        }
        return trial.outcome();
    }

    /** Until all have arrived, or none has for a while. */
    private void settle(PollTrial trial) throws InterruptedException {
        long since = System.nanoTime();
        while (!trial.isQuiet()) {
            if (System.nanoTime() - since > PATIENCE) {
                throw new Refusal(Errno.ETIMEDOUT, "The core that polls has taken no turn for " + Duration.ofNanos(
                        PATIENCE).toSeconds() + " s.");
            }
            ports.work();
            Thread.sleep(GLANCE);
        }
        long seen = trial.received();
        since = System.nanoTime();
        while (seen < trial.sent() && System.nanoTime() - since < ON_THEIR_WAY) {
            Thread.sleep(GLANCE);
            if (trial.received() > seen) {
                seen = trial.received();
                since = System.nanoTime();
            }
        }
    }

    /** Bytes that the core allocates for a packet at full speed. */
    double allocated(int size, int burst) throws InterruptedException {
        send(size, burst, GAP_RATE);
        long before = allocations.bytes(ports.work().thread());
        PollTrial trial = ports.begin(size, burst, 0);
        try {
            Thread.sleep(slice);
        } finally {
            trial.end();
        }
        settle(trial);
        return (double) (allocations.bytes(ports.work().thread()) - before) / Math.max(1, trial.sent());
    }

    /** In seconds, how long no packet arrives when an adapter is taken away and put back at once. */
    double gap(Adapter adapter) throws InterruptedException {
        PollTrial before = ports.begin(GAP_SIZE, 1, GAP_RATE);
        Thread.sleep(BEFORE);
        adapter.revoke();
        try {
            awaitAbsence(adapter.name());
        } finally {
            adapter.restore();
        }
        long deadline = System.nanoTime() + PATIENCE;
        while (!ports.comeBack()) {
            checkTime(deadline, "The ports have not come back", adapter.name());
            Thread.sleep(GLANCE);
        }
        PollTrial after = ports.begin(GAP_SIZE, 1, GAP_RATE);
        try {
            while (after.received() == 0) {
                checkTime(deadline, "No packet has arrived", adapter.name());
                Thread.sleep(GLANCE);
            }
        } finally {
            after.end();
            settle(after);
        }
        if (before.received() == 0) {
            throw new Refusal(Errno.ENETDOWN, "No packet had arrived before the servicing of " + adapter.name() + ".");
        }
        return (after.firstArrival() - before.lastArrival()) / NANOS;
    }

    private void awaitAbsence(String adapter) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE;
        while (!ports.isIncomplete()) {
            checkTime(deadline, "No port has gone", adapter);
            Thread.sleep(GLANCE);
        }
    }

    private static void checkTime(long deadline, String what, String adapter) {
        if (System.nanoTime() - deadline > 0) {
            throw new Refusal(Errno.ETIMEDOUT, what + " within " + Duration.ofNanos(PATIENCE).toSeconds()
                    + " s of the servicing of " + adapter + "; 'devices' and 'events' tell what became of them.");
        }
    }
}
