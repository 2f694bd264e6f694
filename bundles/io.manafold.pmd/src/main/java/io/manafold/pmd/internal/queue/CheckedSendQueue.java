package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.SendQueue;
import io.manafold.memory.PacketOwners;
import java.util.Objects;

/** A send queue that takes packets of the application alone, and knows of checked pools which they are. */
public final class CheckedSendQueue implements SendQueue {
    private final SendQueue queue;
    private final String name;

    /** @param name by which mistakes are told */
    public CheckedSendQueue(SendQueue queue, String name) {
        this.queue = queue;
        this.name = name;
    }

    /**
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a packet that is not the application's; none is taken
     * then
     */
    @Override
    public int burst(int[] packets, int from, int count) {
        Objects.checkFromIndexSize(from, count, packets.length);
        PacketOwners.acting(name);
        try {
            PacketOwners.toQueue(packets, from, count);
            int taken = queue.burst(packets, from, count);
            PacketOwners.toApplication(packets, from + taken, count - taken);
            return taken;
        } finally {
            PacketOwners.done();
        }
    }

    @Override
    public int reclaim() {
        PacketOwners.acting(name);
        try {
            return queue.reclaim();
        } finally {
            PacketOwners.done();
        }
    }
}
