package io.manafold.testpmd.internal;

import io.manafold.memory.PacketPool;

/** Receives packets and lets them go. */
final class RxOnly extends ForwardStream {
    RxOnly(Route route) {
        super(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            PacketPool.release(packets, 0, count);
        }
        return count;
    }
}
