package io.manafold.traffic.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.traffic.TrafficPlan;
import java.lang.invoke.VarHandle;

/**
 * What has arrived of one run. Works on the thread of the device that receives; what is published may be read by any.
 */
final class Arrivals {
    private final boolean verify;
    private final Sending sending;
    private final Flow[] flows;
    private final byte[] scratch;
    private boolean touched;
    /** Above the number of every packet that had been sent when the burst arrived. */
    private long limit;
    private final Counts now = new Counts();
    private volatile long version;

    /** Numbers that belong together. */
    static final class Counts {
        long received;
        long bytes;
        long overtaken;
        long reordered;
        long duplicated;
        long corrupted;
        long checked;
        final long[] byQueue = new long[Shares.QUEUES];
        long longestGap;
        long lastAt;

        long all() {
            return received + duplicated + corrupted;
        }

        private void set(Counts from) {
            received = from.received;
            bytes = from.bytes;
            overtaken = from.overtaken;
            reordered = from.reordered;
            duplicated = from.duplicated;
            corrupted = from.corrupted;
            checked = from.checked;
            System.arraycopy(from.byQueue, 0, byQueue, 0, byQueue.length);
            longestGap = from.longestGap;
            lastAt = from.lastAt;
        }
    }

    /** @param sending what the packets come from */
    Arrivals(TrafficPlan plan, Sending sending) {
        this.sending = sending;
        verify = plan.verify();
        flows = new Flow[plan.flows()];
        for (int i = 0; i < flows.length; i++) {
            flows[i] = new Flow();
        }
        scratch = new byte[verify ? 0x10000 : 0];
    }

    /** @param at where its numbers are */
    void packet(PacketBuffer packet, int at) {
        if (!touched) {
            // odd while the numbers change, so that a reader knows when it has to read again
            version++;
            VarHandle.storeStoreFence();
            touched = true;
            limit = sending.limit();
        }
        int flow = TestFrame.flow(packet, at);
        long number = TestFrame.number(packet, at);
        // any station may send such frames, with a number that was not sent: it must not count what is between as lost
        if (flow >= flows.length || number < 0 || number >= limit || !TestFrame.isWhole(packet, at)
                || verify && !TestFrame.isRight(packet, at, scratch)) {
            now.corrupted++;
            return;
        }
        long next = flows[flow].next();
        switch (flows[flow].arrived(number)) {
            case NEXT -> {
                now.overtaken += flows[flow].next() - next - 1;
                now.received++;
            }
            case LATE -> {
                now.overtaken--;
                now.reordered++;
                now.received++;
            }
            case AGAIN -> {
                now.duplicated++;
                return;
            }
        }
        now.bytes += packet.length();
        now.byQueue[Shares.place(packet.queue())]++;
        if ((packet.flags() & PacketBuffer.TRANSPORT_CHECKSUM_GOOD) != 0) {
            now.checked++;
        }
    }

    /** A burst is over. */
    void publish(long time) {
        if (touched) {
            if (now.lastAt != 0) {
                now.longestGap = Math.max(now.longestGap, time - now.lastAt);
            }
            now.lastAt = time;
            touched = false;
            version++;
        }
    }

    /** The numbers after some burst; any thread. */
    Counts counts() {
        Counts copy = new Counts();
        while (true) {
            long before = version;
            copy.set(now);
            VarHandle.loadLoadFence();
            if ((before & 1) == 0 && version == before) {
                return copy;
            }
            Thread.yield();
        }
    }
}
