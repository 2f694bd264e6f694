package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.memory.PacketPool;

/** A queue that is polled, what is done to its packets, and a queue that they go into. For one core. */
abstract class ForwardStream implements CoreWork {
    final Route route;
    /** Of which packets are made; those that come may be of another. */
    final PacketPool pool;
    final int burst;
    /** Room for a burst. */
    final int[] packets;
    private final ReceiveQueue in;
    private final SendQueue out;
    private final PacketPrinter printer;
    private final int retries;
    private final long delay;
    /** By the number of packets, for those who want it. */
    private final BurstCount receivedBursts;
    private final BurstCount sentBursts;
    /** The packet whose stay is measured, for those who want it. */
    private final Sample sample;
    /** Nothing is tried again any more. */
    private volatile boolean ending;
    private long received;
    private long sent;
    private long dropped;

    ForwardStream(Route route) {
        this.route = route;
        pool = route.pool();
        burst = route.settings().burst;
        packets = new int[burst];
        in = route.from().receiveQueue(route.fromQueue());
        out = route.to().sendQueue(route.toQueue());
        printer = route.settings().printer;
        retries = route.settings().retry ? route.settings().retries : 0;
        receivedBursts = route.settings().recordsBursts ? new BurstCount(burst) : null;
        sentBursts = route.settings().recordsBursts ? new BurstCount(burst) : null;
        delay = route.settings().delayMicros * 1000L;
        Latency latency = route.settings().measurement.latency(route.to().number());
        sample = latency == null ? null : new Sample(latency);
    }

    final long received() {
        return received;
    }

    final long sent() {
        return sent;
    }

    /** Packets that no port has taken. */
    final long dropped() {
        return dropped;
    }

    /** Packets with a wrong header checksum of IP. */
    long badIp() {
        return 0;
    }

    /** Packets with a wrong checksum of TCP or UDP. */
    long badTransport() {
        return 0;
    }

    /** {@code null} if they are not counted. */
    final BurstCount receivedBursts() {
        return receivedBursts;
    }

    /** {@code null} if they are not counted. */
    final BurstCount sentBursts() {
        return sentBursts;
    }

    /** Begins to count anew. */
    void clear() {
        if (receivedBursts != null) {
            receivedBursts.clear();
            sentBursts.clear();
        }
        received = 0;
        sent = 0;
        dropped = 0;
    }

    /** Counts what another lane of the same route has sent before. */
    final void add(ForwardStream first) {
        sent += first.sent;
        dropped += first.dropped;
    }

    /** Its turn is to end soon, and no other is to follow; any thread. */
    final void leave() {
        ending = true;
    }

    /** What it has of packets goes home; no turn follows. */
    void end() {
    }

    final int receive() {
        int count = in.burst(packets, 0, burst);
        received += count;
        if (receivedBursts != null) {
            receivedBursts.add(count);
        }
        if (sample != null && count > 0 && !(sample.isOut() && keeps())) {
            sample.came(packets[0]);
        }
        if (printer.printsReceived()) {
            printer.received(route, packets, count);
        }
        return count;
    }

    /** Whether packets may stay over the end of a turn; those of other lanes are sent or let go in it. */
    boolean keeps() {
        return false;
    }

    /** What was received goes nowhere. */
    final void leaveOut() {
        if (sample != null) {
            sample.forget();
        }
    }

    /** A packet goes on as a copy with another number. */
    final void becomes(int packet, int copy) {
        if (sample != null) {
            sample.becomes(packet, copy);
        }
    }

    /** Sends; what is not taken, after retries if there are any, is dropped. */
    final void send(int[] from, int first, int count) {
        if (printer.printsSent()) {
            // before the port has them: afterwards they may be another's
            printer.sent(route, from, first, count);
        }
        int taken = out.burst(from, first, count);
        for (int left = retries; taken < count && left > 0 && !ending; left--) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < delay && !ending) {
                Thread.onSpinWait();
            }
            taken += out.burst(from, first + taken, count - taken);
        }
        sent += taken;
        if (sample != null && sample.isOut()) {
            sample.left(from, first, count, taken);
        }
        if (sentBursts != null) {
            sentBursts.add(taken);
        }
        if (taken < count) {
            dropped += count - taken;
            PacketPool.release(from, first + taken, count - taken);
        }
    }

    /** Has packets that are sent come home. */
    final void reclaim() {
        out.reclaim();
    }

    /** Counts what was received and goes nowhere. */
    final void drop(int[] from, int first, int count) {
        dropped += count;
        PacketPool.release(from, first, count);
    }
}
