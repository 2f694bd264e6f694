package io.manafold.pmd.internal.queue;

import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;

/** Receives packets of which nothing is told but their length. */
final class PlainReceiveRing extends ReceiveRing {
    PlainReceiveRing(DirectQueue direct, Keys.Entry known, int descriptors, ReceiveCount count) {
        super(direct, known, descriptors, count);
    }

    @Override
    void begin(long entry) {
        // nothing is told
    }

    @Override
    void describe(int packet, int length, long entry, int part) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, 0));
        pool.second(packet, PacketPool.SINGLE);
    }
}
