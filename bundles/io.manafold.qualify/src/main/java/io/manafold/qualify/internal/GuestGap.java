package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;

/**
 * How long a guest answers nothing when its adapter asks the driver for a reset. The function is not taken off the bus:
 * QEMU connects once, so that a guest would not get it back.
 */
final class GuestGap {
    private static final String RUNNING = "running";
    private static final double NANOS = 1e9;
    private static final long MILLISECOND = 1_000_000;
    private static final long BEFORE = 100 * MILLISECOND;
    private static final long ANSWER = 50 * MILLISECOND;
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Host host;
    private final IpAddress guest;
    private final Adapter adapter;
    private long answered = System.nanoTime();
    private long longest;

    private GuestGap(Host host, IpAddress guest, Adapter adapter) {
        this.host = host;
        this.guest = guest;
        this.adapter = adapter;
    }

    /** In seconds. */
    static double measure(Host host, IpAddress guest, Adapter adapter) throws InterruptedException {
        GuestGap gap = new GuestGap(host, guest, adapter);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < BEFORE) {
            gap.ask();
        }
        gap.longest = 0;
        adapter.requestReset(Adapter.ResetKind.RESET);
        gap.awaitReset();
        return gap.longest / NANOS;
    }

    private void awaitReset() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean gone = false;
        while (true) {
            boolean runs = RUNNING.equals(adapter.state());
            gone |= !runs;
            if (ask() && gone && runs) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new Refusal(Errno.ETIMEDOUT, gone ? "The guest has not answered within " + PATIENCE.toSeconds()
                        + " s of the reset of " + adapter.name() + ", which is " + adapter.state() + "."
                        : "The guest's driver has not reset " + adapter.name() + " within " + PATIENCE.toSeconds()
                        + " s: 'events' and the guest's log tell why.");
            }
        }
    }

    /** Asks once, and answers whether the guest did. */
    private boolean ask() throws InterruptedException {
        boolean answer = false;
        try (Ping ping = host.ping(new PingPlan(guest, null, 1, MILLISECOND, ANSWER, 56, 64))) {
            for (PingEvent event = ping.next(); event != null; event = ping.next()) {
                answer |= event.kind() == PingEvent.Kind.REPLY;
            }
        } catch (Refusal unreachable) {
            Thread.sleep(1);
        }
        if (answer) {
            long now = System.nanoTime();
            longest = Math.max(longest, now - answered);
            answered = now;
        }
        return answer;
    }
}
