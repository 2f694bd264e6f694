package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.Map;

/** Frames towards a guest for a slice of time; its adapter counts which ones have found one of the guest's buffers. */
final class GuestTrials {
    private static final double NANOS = 1e9;
    private static final Duration GLANCE = Duration.ofMillis(1);
    private static final long ON_THEIR_WAY = 100_000_000L;
    private static final long PATIENCE = 2_000_000_000L;

    private final GuestFlood flood;
    private final Adapter adapter;
    private final String port;
    private final Duration slice;

    /** What the guest's queues have counted. */
    private record Counts(long given, long dropped) {
    }

    /** @param port name of the guest's: {@code vm/1} */
    GuestTrials(GuestFlood flood, Adapter adapter, String port, Duration slice) {
        this.flood = flood;
        this.adapter = adapter;
        this.port = port;
        this.slice = slice;
    }

    private Counts counts() {
        long given = 0;
        long dropped = 0;
        for (Map<String, Long> queue : adapter.ports().stream().filter(one -> one.name().equals(port))
                .flatMap(one -> one.queues().stream()).toList()) {
            given += queue.getOrDefault("rx_packets", 0L);
            dropped += queue.getOrDefault("rx_no_wqe", 0L) + queue.getOrDefault("rx_truncated", 0L)
                    + queue.getOrDefault("rx_errors", 0L);
        }
        return new Counts(given, dropped);
    }

    Bisection.Outcome send(int size, long rate) throws InterruptedException {
        Counts before = counts();
        long sentBefore = flood.sent();
        long began = System.nanoTime();
        flood.begin(size, rate);
        try {
            Thread.sleep(slice);
        } finally {
            flood.rest();
        }
        long sending = System.nanoTime() - began;
        awaitRest();
        long sent = flood.sent() - sentBefore;
        if (sent == 0) {
            throw flood.isTooLong(size) ? tooLong(size) : nothingSent();
        }
        long since = System.nanoTime();
        long last = since;
        Counts now = counts();
        while (arrived(before, now) < sent && System.nanoTime() - since < ON_THEIR_WAY) {
            Thread.sleep(GLANCE);
            Counts later = counts();
            if (arrived(before, later) > arrived(before, now)) {
                since = System.nanoTime();
                last = since;
            }
            now = later;
        }
        long given = now.given() - before.given();
        // what never came to a queue is lost, too: the link or the port had no room for it
        long lost = Math.max(now.dropped() - before.dropped(), sent - given);
        return new Bisection.Outcome(sent * NANOS / Math.max(1, sending), given * NANOS / Math.max(1, last - began),
                Math.clamp((double) lost / sent, 0, 1));
    }

    /** Only then is it known how many were sent. */
    private void awaitRest() throws InterruptedException {
        long since = System.nanoTime();
        while (!flood.isResting()) {
            if (System.nanoTime() - since > PATIENCE) {
                throw nothingSent();
            }
            Thread.sleep(GLANCE);
        }
    }

    private Refusal nothingSent() {
        return new Refusal(Errno.ENETDOWN, "Nothing was sent towards the guest within " + slice.toMillis() + " ms: "
                + "the device that sends is down or away, or has no time; 'ip link' shows it.");
    }

    private Refusal tooLong(int size) {
        return new Refusal(Errno.EMSGSIZE, "Nothing was sent towards the guest within " + slice.toMillis() + " ms: no "
                + "buffer of the device that sends holds a frame of " + size + " bytes, since its MTU was lowered "
                + "meanwhile. Raise the MTU with 'ip link set', or measure anew, with --sizes that it has room for.");
    }

    private static long arrived(Counts before, Counts now) {
        return now.given() - before.given() + now.dropped() - before.dropped();
    }
}
