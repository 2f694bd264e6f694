package io.manafold.pmd.internal.queue;

import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/**
 * Receives packets of which nothing is told but their length; a tag, which the device takes out, is in their bytes
 * again.
 */
final class PlainReceiveRing extends ReceiveRing {
    private int flags;

    PlainReceiveRing(DirectQueue direct, Keys.Entry known, int descriptors, ReceiveCount count) {
        super(direct, known, descriptors, count);
    }

    @Override
    void begin(long entry) {
        flags = RawMemory.get32(entry + ReceiveCompletion.FLAGS);
    }

    @Override
    void describe(int packet, int length, long entry, int part) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, 0));
        pool.second(packet, PacketPool.SINGLE);
        if ((flags & ReceiveCompletion.TAGGED) != 0) {
            putTag(packet, ReceiveCompletion.vlan(flags));
        }
    }
}
