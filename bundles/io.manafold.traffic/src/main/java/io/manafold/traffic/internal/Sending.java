package io.manafold.traffic.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.traffic.TrafficPlan;

/** Makes the packets of one run. Works on the thread of the device that sends; counters may be read by any. */
final class Sending {
    private static final int BURST = 64;
    /** Of large sends. */
    private static final int LARGE_BURST = 2;
    private static final int ETHERNET_HEADER = 14;

    private final TrafficPlan plan;
    private final int run;
    private final int segments;
    private final int most;
    private final Pace pace;
    private final LargeSends large;
    private final PacketBuffer[] burst;
    private final long[] byQueue = new long[Shares.QUEUES];
    private volatile TestHeaders headers;
    private volatile long destination;
    private volatile boolean over;
    private int room;
    private volatile long sends;
    private volatile long bytes;
    private volatile long firstAt;
    private volatile long lastAt;
    private volatile long full;

    Sending(TrafficPlan plan, int run) {
        this.plan = plan;
        this.run = run;
        segments = plan.form().segments(plan.size());
        most = segments == 1 ? BURST : LARGE_BURST;
        room = most;
        burst = new PacketBuffer[most];
        large = segments == 1 ? null : new LargeSends(plan, run);
        pace = new Pace(plan.rate(), segments);
    }

    /** Where packets go, and what is in front of them, from here on. */
    void address(TestHeaders now, long mac) {
        headers = now;
        destination = mac;
    }

    TestHeaders headers() {
        return headers;
    }

    /** Begins to count time anew, with a device that has just come. */
    void begin() {
        pace.begin();
    }

    /** Sends no more. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over || plan.count() > 0 && sends >= plan.count();
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
        int taken = large == null ? port.take(burst, 0, want) : large.take(port, burst, want);
        int size = size(device.mtu(), taken);
        long number = sends;
        int accepted = 0;
        if (taken > 0 && size >= plan.form().least()) {
            fill(taken, device.mac().value(), size, number);
            accepted = port.send(burst, 0, taken);
        }
        release(accepted, taken - accepted);
        room = Math.clamp(2L * accepted, Math.min(4, most), most);
        if (accepted < want) {
            full++;
        }
        if (accepted > 0) {
            sent(now, number, accepted, size, device.channels());
        }
        return accepted;
    }

    /** Of the frames: the MTU may have changed since the plan was made, and the buffers with it or not yet. */
    private int size(int mtu, int taken) {
        int size = Math.min(plan.size(), mtu + ETHERNET_HEADER);
        for (int i = 0; large == null && i < taken; i++) {
            size = Math.min(size, burst[i].capacity() - burst[i].headroom());
        }
        return size;
    }

    private void fill(int taken, long source, int size, long number) {
        boolean filled = false;
        try {
            for (int i = 0; i < taken; i++) {
                fill(burst[i], i, source, size, number + i);
            }
            filled = true;
        } finally {
            if (!filled) {
                release(0, taken);
            }
        }
    }

    private void release(int from, int count) {
        if (large == null) {
            PacketBuffer.release(burst, from, count);
        } else {
            LargeSends.release(burst, from, count);
        }
    }

    private void sent(long now, long number, int accepted, int size, int queues) {
        if (firstAt == 0) {
            firstAt = now;
        }
        lastAt = now;
        pace.sent((long) accepted * segments);
        for (int i = 0; i < accepted; i++) {
            byQueue[Shares.place(flow(number + i) % queues)] += segments;
        }
        bytes += accepted * (large == null ? size : plan.form().large() + (long) segments * plan.form().headers());
        sends = number + accepted;
    }

    private int want(long now) {
        long left = plan.count() == 0 ? room : Math.min(room, plan.count() - sends);
        return (int) (plan.rate() == 0 ? left : Math.min(left, pace.due(now)));
    }

    private int flow(long number) {
        return (int) (number % plan.flows());
    }

    private void fill(PacketBuffer packet, int place, long source, int size, long number) {
        int flow = flow(number);
        long ofFlow = number / plan.flows();
        int at = plan.form().headers();
        TestHeaders now = headers;
        if (large == null) {
            packet.place(packet.headroom(), size);
            now.write(packet, destination, source, flow, ofFlow, size - at);
            TestFrame.head(packet, at, run, flow, ofFlow);
            if (plan.verify()) {
                TestFrame.payload(packet, at, flow, ofFlow);
            }
            now.finish(packet);
        } else {
            now.write(packet, destination, source, flow, ofFlow, plan.form().large());
            now.finish(packet);
            large.fill(packet, place, flow, ofFlow);
        }
        packet.queue(flow);
    }

    /** How long until there is something to send. */
    long restNanos() {
        return pace.restNanos(isOver(), room == most);
    }

    /** Packets on the wire. */
    long sent() {
        return sends * segments;
    }

    /** What the number of every packet of a flow is below that is on its way; any thread. */
    long limit() {
        // what is counted is behind what is sent by at most one burst
        return ((sends + most - 1) / plan.flows() + 1) * segments;
    }

    long largeSends() {
        return large == null ? 0 : sends;
    }

    /** Packets on the wire of a queue; as it was when {@link #sent} was read last, or later. */
    long sent(int queue) {
        return byQueue[queue];
    }

    long bytes() {
        return bytes;
    }

    /** When the first packet went, 0 if none has. */
    long firstAt() {
        return firstAt;
    }

    long lastAt() {
        return lastAt;
    }

    /** How often the device had no room for what was due. */
    long full() {
        return full;
    }
}
