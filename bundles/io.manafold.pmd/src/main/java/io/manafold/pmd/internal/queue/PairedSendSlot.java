package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.net.SyntheticPort;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.util.Objects;

/**
 * A send queue of a port over a pair: by its virtual function, or copied to the synthetic device, which queues take in
 * turns. What changes while the port lives is changed with the gate shut.
 */
public final class PairedSendSlot implements SendQueue {
    private static final int ETHERNET = 14;

    private final Gate gate = new Gate();
    private final Gate turn;
    private final SendCount count = new SendCount();
    private SendQueue function;
    /** The queue that was left for the synthetic device, while packets of it may be under way still. */
    private SendQueue former;
    private SyntheticPort synthetic;

    /** @param turn who is in there has the synthetic device; one for all queues of a port */
    public PairedSendSlot(Gate turn) {
        this.turn = turn;
    }

    /** Begins, after {@link #shut}. */
    public void open(SyntheticPort device) {
        synthetic = device;
    }

    /** Sends by a queue of the virtual function from the next burst on; {@code null} for the synthetic device. */
    public void use(SendQueue queue) {
        former = queue != null ? null : function != null ? function : former;
        function = queue;
    }

    public void go() {
        gate.open();
    }

    /** When this returns, no burst is in there, and none comes. */
    public void shut() {
        gate.shut();
    }

    /** After {@link #shut}: it has nothing any more. */
    public void end() {
        function = null;
        former = null;
        synthetic = null;
    }

    /** What has gone by the synthetic device. */
    public SendCount count() {
        return count;
    }

    @Override
    public int burst(int[] packets, int from, int wanted) {
        Objects.checkFromIndexSize(from, wanted, packets.length);
        if (!gate.enter()) {
            return 0;
        }
        try {
            BurstCheck.check(packets, from, wanted);
            reclaimFormer();
            return function != null ? function.burst(packets, from, wanted) : copy(packets, from, wanted);
        } finally {
            gate.leave();
        }
    }

    private int copy(int[] packets, int from, int wanted) {
        if (!turn.enter()) {
            return 0;
        }
        int taken = 0;
        try {
            SyntheticPort device = synthetic;
            while (taken < wanted && PacketPool.of(packets[from + taken]) != null) {
                long at = device.reserve();
                if (at == 0) {
                    break;
                }
                int length = gather(packets[from + taken], at, device.longest());
                if (length < ETHERNET) {
                    count.errors++;
                } else {
                    device.commit(length);
                    count.packets++;
                    count.bytes += length;
                }
                PacketPool.tryRelease(packets, from + taken, 1);
                taken++;
            }
            if (taken > 0) {
                device.flush();
            }
        } finally {
            turn.leave();
        }
        return taken;
    }

    /** Copies all segments of a packet; −1 for one that is none, or too long. */
    private static int gather(int packet, long to, int most) {
        int segment = packet;
        PacketPool pool = PacketPool.of(segment);
        int copied = 0;
        for (int left = Math.max(1, PacketPool.segments(pool.second(packet))); left > 0; left--) {
            long first = pool == null ? 0 : pool.first(segment);
            int length = PacketPool.length(first);
            if (pool == null || copied + length > most || !isWithin(pool, segment, first, length)) {
                return -1;
            }
            RawMemory.copy(pool.data(segment), to + copied, length);
            copied += length;
            segment = left > 1 ? pool.next(segment) : segment;
            pool = left > 1 ? PacketPool.of(segment) : pool;
        }
        return copied;
    }

    private static boolean isWithin(PacketPool pool, int segment, long first, int length) {
        if (!PacketPool.isElsewhere(first)) {
            return PacketPool.offset(first) + length <= PacketPool.HEADROOM + pool.room();
        }
        int source = pool.source(segment);
        if (source != -1) {
            PacketPool its = PacketPool.of(source);
            int at = pool.sourceAt(segment);
            return its != null && at >= 0 && at + length <= PacketPool.HEADROOM + its.room();
        }
        ExternalBuffer buffer = pool.attached(segment);
        long at = pool.attachedAt(segment);
        return buffer != null && at >= 0 && at <= buffer.bytes() - length;
    }

    @Override
    public int reclaim() {
        if (!gate.enter()) {
            return 0;
        }
        try {
            return function == null ? reclaimFormer() : function.reclaim();
        } finally {
            gate.leave();
        }
    }

    /** Has what was sent by the queue before come home: no burst asks that queue any more. */
    private int reclaimFormer() {
        int left = former == null ? 0 : former.reclaim();
        former = left == 0 ? null : former;
        return left;
    }
}
