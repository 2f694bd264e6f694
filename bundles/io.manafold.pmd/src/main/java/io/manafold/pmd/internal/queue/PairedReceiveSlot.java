package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.net.SyntheticPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.util.Objects;

/**
 * A receive queue of a port over a pair: what its virtual function has, and in the first queue what has come by the
 * synthetic device, which is copied into packets. What changes while the port lives is changed with the gate shut.
 */
public final class PairedReceiveSlot implements ReceiveQueue {
    private final Gate gate = new Gate();
    private final ReceiveCount count = new ReceiveCount();
    private ReceiveQueue function;
    private SyntheticPort synthetic;
    private PacketPool pool;
    /** Which of the two is asked first, in turns: neither keeps the other waiting. */
    private boolean syntheticFirst;

    /** Begins, after {@link #shut}; with no synthetic device if that is another queue's. */
    public void open(SyntheticPort device, PacketPool packets) {
        synthetic = device;
        pool = packets;
    }

    /** Polls a queue of the virtual function from the next burst on; {@code null} for none. */
    public void use(ReceiveQueue queue) {
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
        synthetic = null;
        pool = null;
    }

    /** What has come by the synthetic device. */
    public ReceiveCount count() {
        return count;
    }

    @Override
    public int burst(int[] packets, int from, int most) {
        Objects.checkFromIndexSize(from, most, packets.length);
        if (!gate.enter()) {
            return 0;
        }
        try {
            syntheticFirst = !syntheticFirst;
            int found = syntheticFirst ? take(packets, from, most) : 0;
            if (function != null && found < most) {
                found += function.burst(packets, from + found, most - found);
            }
            return syntheticFirst ? found : found + take(packets, from + found, most - found);
        } finally {
            gate.leave();
        }
    }

    private int take(int[] packets, int from, int most) {
        SyntheticPort device = synthetic;
        int found = 0;
        for (int i = 0; device != null && i < most; i++) {
            int length = device.length();
            if (length == 0) {
                break;
            }
            if (length > pool.room()) {
                count.errors++;
            } else if (pool.take(packets, from + found, 1)) {
                int packet = packets[from + found++];
                pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, 0));
                pool.second(packet, PacketPool.SINGLE);
                RawMemory.copy(device.address(), pool.data(packet), length);
                count.packets++;
                count.bytes += length;
            } else {
                // it waits in the ring, and what finds no room there is counted as missed
                count.noBuffers++;
                break;
            }
            device.free();
        }
        return found;
    }

    @Override
    public void arm() {
        throw noInterrupts();
    }

    @Override
    public boolean await(long nanos) {
        throw noInterrupts();
    }

    private static Refusal noInterrupts() {
        return new Refusal(Errno.EOPNOTSUPP, "A port over a pair has no interrupts: poll it.");
    }
}
