package io.manafold.testpmd.internal;

import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.util.SplittableRandom;

/** Copies packets into as many segments as were set; the last takes what is left. For one core. */
final class SplitCopy {
    /** Where the second word has how many segments a packet has. */
    private static final int SEGMENTS = 48;

    private final PacketPool pool;
    private final Split split;
    private final int[] lengths;
    private final int[] segments;
    private final SplittableRandom random = new SplittableRandom();

    SplitCopy(Route route) {
        pool = route.pool();
        split = route.settings().split;
        lengths = route.settings().segments;
        segments = new int[lengths.length];
    }

    /** Puts copies in the place of packets, which go home; those that there is no room for stay as they are. */
    void copy(int[] packets, int from, int count) {
        PacketPool came = PacketPool.of(packets[from]);
        for (int i = from; i < from + count; i++) {
            if (copy(came, packets[i])) {
                PacketPool.release(packets, i, 1);
                packets[i] = segments[0];
            }
        }
    }

    private boolean copy(PacketPool came, int packet) {
        long first = came.first(packet);
        int length = PacketPool.length(first);
        int most = split.segments(lengths.length, random);
        int count = 0;
        int before = 0;
        int last = length;
        while (count < most && before < length) {
            last = length - before;
            before += lengths[count++];
        }
        if (count == 0 || last > pool.room() || !pool.take(segments, 0, count)) {
            return false;
        }
        long second = came.second(packet);
        long from = came.data(packet);
        for (int i = 0; i < count; i++) {
            int segment = segments[i];
            int bytes = i < count - 1 ? lengths[i] : last;
            pool.first(segment, PacketPool.first(PacketPool.HEADROOM, bytes, i == 0 ? PacketPool.flags(first) : 0));
            pool.second(segment, i == 0 ? PacketPool.second(PacketPool.hash(second), PacketPool.tag(second))
                    + (count - 1L << SEGMENTS) : PacketPool.SINGLE);
            RawMemory.copy(from, pool.data(segment), bytes);
            from += bytes;
            if (i > 0) {
                pool.next(segments[i - 1], segment);
            }
        }
        return true;
    }
}
