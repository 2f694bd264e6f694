package io.manafold.pmd.internal.queue;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/** Sends packets as they are. Each request is a unit, and its words that do not change stay in the ring. */
final class PlainSendRing extends SendRing {
    private static final long HEAD = (long) WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0) << 32;
    private static final int ADDRESS = WorkRequest.HEAD + WorkRequest.INLINE_SHORT;
    private static final int KEY = ADDRESS + WorkRequest.PIECE_KEY;
    private static final long SEGMENTS = 0xffL << 48;
    private static final long ONE_SEGMENT = 1L << 48;

    private final long ring;

    PlainSendRing(DirectQueue direct, Keys keys, int descriptors, SendCount count) {
        super(direct, keys, descriptors, count);
        ring = direct.work().memory().pointer();
        for (int i = 0; i <= mask; i++) {
            RawMemory.put64(ring + (long) i * WorkRequest.UNIT, HEAD);
            RawMemory.put64(ring + (long) i * WorkRequest.UNIT + WorkRequest.INLINE, silent);
        }
    }

    private long at(int request) {
        return ring + (long) (request & mask) * WorkRequest.UNIT;
    }

    @Override
    int post(int[] burst, int from, int wanted) {
        int end = from + Math.min(wanted, descriptors - underWay());
        int i = from;
        while (i < end) {
            Keys.Entry known = keys.of(burst[i]);
            PacketPool pool = known.pool();
            if (pool == null && PacketPool.of(burst[i]) == null) {
                break;
            }
            if (pool == null) {
                drop(burst, i++);
                continue;
            }
            i = run(burst, i, end, known, pool);
        }
        return i - from;
    }

    /** Posts packets as long as they are of a pool. */
    private int run(int[] burst, int from, int end, Keys.Entry known, PacketPool pool) {
        int number = pool.number();
        long base = known.base();
        int limit = known.limit();
        long key = known.key() & 0xffff_ffffL;
        int at = head;
        long bytes = 0;
        int i = from;
        for (; i < end; i++) {
            int packet = burst[i];
            if (packet >>> 24 != number) {
                break;
            }
            long first = pool.first(packet);
            int offset = PacketPool.offset(first);
            int length = PacketPool.length(first);
            if (offset + length > limit || length == 0 || (pool.second(packet) & SEGMENTS) != ONE_SEGMENT) {
                drop(burst, i);
                continue;
            }
            long request = at(at);
            RawMemory.put64(request + ADDRESS, base + pool.place(packet) + offset);
            RawMemory.put64(request + KEY, key | (long) length << 32);
            packets[at++ & mask] = packet;
            bytes += length;
        }
        postedPackets += at - head;
        postedBytes += bytes;
        head = at;
        return i;
    }

    @Override
    void speakUp() {
        RawMemory.put64(at(head - 1) + WorkRequest.INLINE, silent & ~SendRequest.SUPPRESS_COMPLETION);
    }

    @Override
    void fallSilent(int request) {
        RawMemory.put64(at(request) + WorkRequest.INLINE, silent);
    }

    @Override
    void ring() {
        direct.page().ring(Doorbell.SEND, Doorbell.work(direct.work().id(), head * WorkRequest.UNIT));
    }

    @Override
    int until(int unit) {
        return (unit - tail & mask) + 1;
    }

    @Override
    void free(int requests) {
        // a request is a unit, and units are counted as requests are
    }
}
