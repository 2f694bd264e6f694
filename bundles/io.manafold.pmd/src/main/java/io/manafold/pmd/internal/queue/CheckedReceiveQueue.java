package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.memory.PacketOwners;

/** A receive queue that says of checked pools which packets are the device's and which the application's. */
public final class CheckedReceiveQueue implements ReceiveQueue {
    private final ReceiveQueue queue;
    private final String name;

    /** @param name by which mistakes are told */
    public CheckedReceiveQueue(ReceiveQueue queue, String name) {
        this.queue = queue;
        this.name = name;
    }

    @Override
    public int burst(int[] packets, int from, int most) {
        PacketOwners.acting(name);
        try {
            int found = queue.burst(packets, from, most);
            PacketOwners.toApplication(packets, from, found);
            return found;
        } finally {
            PacketOwners.done();
        }
    }

    @Override
    public void arm() {
        queue.arm();
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
        return queue.await(nanos);
    }
}
