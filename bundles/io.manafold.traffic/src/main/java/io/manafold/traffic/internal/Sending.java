package io.manafold.traffic.internal;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.traffic.TrafficPlan;

/** Makes the packets of one run. Works on the thread of the device that sends; counters may be read by any. */
final class Sending {
    private static final int BURST = 64;
    private static final long SECOND = 1_000_000_000L;
    /** What has been missed beyond this is not caught up. */
    private static final long PATIENCE_NANOS = 10_000_000;
    /** How long to wait at most for room in a queue that the device told nothing of. */
    private static final long FULL_NANOS = 200_000;
    private static final int ETHERNET_HEADER = 14;

    private final TrafficPlan plan;
    private final int run;
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private volatile long destination;
    private volatile boolean over;
    private long since;
    private long sentSince;
    private int room = BURST;
    private volatile long sent;
    private volatile long bytes;
    private volatile long firstAt;

    Sending(TrafficPlan plan, int run) {
        this.plan = plan;
        this.run = run;
    }

    void destination(long mac) {
        destination = mac;
    }

    /** Begins to count time anew, with a device that has just come. */
    void begin() {
        since = System.nanoTime();
        sentSince = 0;
    }

    /** Sends no more. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over || plan.count() > 0 && sent >= plan.count();
    }

    int work(NetDevice device, PacketPort port) {
        if (isOver()) {
            return 0;
        }
        long now = System.nanoTime();
        int want = want(now);
        if (want == 0) {
            return 0;
        }
        int size = Math.min(plan.size(), device.mtu() + ETHERNET_HEADER);
        int taken = port.take(burst, 0, want);
        long source = device.mac().value();
        long number = sent;
        for (int i = 0; i < taken; i++) {
            fill(burst[i], source, size, number + i);
        }
        int accepted = taken == 0 ? 0 : port.send(burst, 0, taken);
        PacketBuffer.release(burst, accepted, taken - accepted);
        room = Math.clamp(2L * accepted, 4, BURST);
        if (accepted > 0) {
            if (firstAt == 0) {
                firstAt = now;
            }
            sentSince += accepted;
            bytes += (long) accepted * size;
            sent = number + accepted;
        }
        return accepted;
    }

    private int want(long now) {
        long most = plan.count() == 0 ? room : Math.min(room, plan.count() - sent);
        return (int) (plan.rate() == 0 ? most : Math.min(most, due(now)));
    }

    private long due(long now) {
        long passed = now - since;
        if (passed >= SECOND) {
            since += SECOND;
            sentSince -= plan.rate();
            passed = now - since;
        }
        long due = scheduled(passed) - sentSince;
        long most = Math.max(1, scheduled(PATIENCE_NANOS));
        if (due > most) {
            sentSince += due - most;
            return most;
        }
        return Math.max(0, due);
    }

    private long scheduled(long passed) {
        // never above a few seconds, so that no product of theirs overflows
        return Math.min(passed, 4 * SECOND) * plan.rate() / SECOND;
    }

    private void fill(PacketBuffer packet, long source, int size, long number) {
        int flow = (int) (number % plan.flows());
        long ofFlow = number / plan.flows();
        packet.place(packet.headroom(), size);
        TestFrame.head(packet, destination, source, run, flow, ofFlow);
        if (plan.verify()) {
            TestFrame.payload(packet, flow, ofFlow);
        }
        packet.queue(flow);
    }

    /** How long until there is something to send. */
    long restNanos() {
        if (isOver()) {
            return DutyCycle.UNTIL_WOKEN;
        }
        if (plan.rate() == 0) {
            return room == BURST ? 0 : FULL_NANOS;
        }
        long next = (sentSince + 1) * SECOND / plan.rate() + 1;
        return Math.max(0, next - (System.nanoTime() - since));
    }

    long sent() {
        return sent;
    }

    long bytes() {
        return bytes;
    }

    /** When the first packet went, 0 if none has. */
    long firstAt() {
        return firstAt;
    }
}
