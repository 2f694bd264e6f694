package io.manafold.pmd.internal.queue;

import io.manafold.api.rdma.MemoryRegion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketPool;

/** Sends packets of several segments, and has checksums computed and tags put in. Requests are of one unit or more. */
final class FullSendRing extends SendRing {
    private final WorkQueue work;
    private final byte[] units;
    private final SendOffload ask = new SendOffload();
    private final long[] addresses = new long[WorkRequest.MAX_SEND_PIECES];
    private final int[] lengths = new int[WorkRequest.MAX_SEND_PIECES];
    private final int[] keysOf = new int[WorkRequest.MAX_SEND_PIECES];
    /** What was written into the last request's flags, which is changed if it is to be completed. */
    private int lastFlags;
    private int lastBytes;
    private int pieces;
    private int total;
    /** The first segment that has bytes, in which the headers are, and its pool. */
    private int headers;
    private PacketPool headersPool;

    FullSendRing(DirectQueue direct, Keys keys, int descriptors, SendCount count) {
        super(direct, keys, descriptors, count);
        work = direct.work();
        units = new byte[mask + 1];
    }

    @Override
    int post(int[] burst, int from, int wanted) {
        int end = from + Math.min(wanted, descriptors - underWay());
        int i = from;
        // a request that is too long for what is left waits for room
        for (; i < end && work.free() >= WorkRequest.MAX_SEND; i++) {
            PacketPool pool = PacketPool.of(burst[i]);
            if (pool == null) {
                break;
            }
            if (!gather(pool, burst[i]) || !ask.prepare(pool, burst[i], headersPool, headers, lengths[0])) {
                drop(burst, i);
            } else {
                write(burst[i]);
            }
        }
        return i - from;
    }

    /** Finds where the segments of a packet are; false if the device cannot have them. */
    private boolean gather(PacketPool first, int packet) {
        int segments = PacketPool.segments(first.second(packet));
        PacketPool pool = first;
        int segment = packet;
        pieces = 0;
        total = 0;
        for (int left = segments; left > 0; left--) {
            Keys.Entry known = keys.of(segment);
            if (known.pool() == null) {
                return false;
            }
            pool = known.pool();
            int length = PacketPool.length(pool.first(segment));
            // one whose bytes were all dropped is no piece
            if (length > 0) {
                if (pieces == WorkRequest.MAX_SEND_PIECES || !find(known, segment, length)) {
                    return false;
                }
                if (pieces == 0) {
                    headersPool = pool;
                    headers = segment;
                }
                lengths[pieces++] = length;
                total += length;
            }
            segment = left > 1 ? pool.next(segment) : segment;
        }
        return pieces > 0;
    }

    private boolean find(Keys.Entry known, int segment, int length) {
        long word = known.pool().first(segment);
        if (PacketPool.isElsewhere(word)) {
            return findElsewhere(known.pool(), segment, length);
        }
        int offset = PacketPool.offset(word);
        if (offset + length > known.limit()) {
            return false;
        }
        addresses[pieces] = known.base() + known.pool().place(segment) + offset;
        keysOf[pieces] = known.key();
        return true;
    }

    /** Finds where the data of a packet are that is a clone, or attached to memory of the application. */
    private boolean findElsewhere(PacketPool pool, int packet, int length) {
        int source = pool.source(packet);
        if (source != -1) {
            return findSource(source, pool.sourceAt(packet), length);
        }
        ExternalBuffer buffer = pool.attached(packet);
        if (buffer == null) {
            return false;
        }
        long at = pool.attachedAt(packet);
        MemoryRegion region = at < 0 || at > buffer.bytes() - length ? null : keys.of(buffer);
        if (region == null) {
            return false;
        }
        addresses[pieces] = region.address() + buffer.from() + at;
        keysOf[pieces] = region.localKey();
        return true;
    }

    private boolean findSource(int source, int at, int length) {
        Keys.Entry known = keys.of(source);
        if (known.pool() == null || at < 0 || at + length > known.limit()) {
            return false;
        }
        addresses[pieces] = known.base() + known.pool().place(source) + at;
        keysOf[pieces] = known.key();
        return true;
    }

    private void write(int packet) {
        boolean wide = ask.tagged || direct.vportOffset() > 255;
        int inline = wide ? WorkRequest.INLINE_LONG : WorkRequest.INLINE_SHORT;
        work.begin(0, WorkRequest.word1(pieces, inline, false, 0));
        lastFlags = SendRequest.flags(ask.flags | (wide ? SendRequest.LONG_FORM : 0) | SendRequest.SUPPRESS_COMPLETION,
                direct.completions().id());
        work.put32(SendRequest.FLAGS, lastFlags);
        work.put32(SendRequest.PLACE, SendRequest.place(ask.transportOffset, work.id(), direct.vportOffset()));
        if (wide) {
            work.put32(SendRequest.TAG, ask.tagged ? SendRequest.tag(ask.tag) : 0);
            work.put32(SendRequest.WIDE, SendRequest.wide(direct.vportOffset()));
            work.put32(SendRequest.WIDE + 4, 0);
            work.put32(SendRequest.WIDE + 8, 0);
        }
        for (int i = 0; i < pieces; i++) {
            work.piece(i, addresses[i], keysOf[i], lengths[i]);
        }
        lastBytes = work.commit();
        packets[head & mask] = packet;
        units[head & mask] = (byte) (lastBytes / WorkRequest.UNIT);
        head++;
        postedPackets++;
        postedBytes += total;
    }

    @Override
    void speakUp() {
        work.put32(SendRequest.FLAGS - lastBytes, lastFlags & ~SendRequest.SUPPRESS_COMPLETION);
    }

    @Override
    void fallSilent(int request) {
        // each request is written anew
    }

    @Override
    void ring() {
        work.ring();
    }

    @Override
    int until(int unit) {
        int ahead = unit - work.oldest() & mask;
        for (int at = tail; at != head && ahead >= 0; at++) {
            if (ahead == 0) {
                return at + 1 - tail;
            }
            ahead -= units[at & mask];
        }
        return Integer.MAX_VALUE;
    }

    @Override
    void free(int requests) {
        int sum = 0;
        for (int i = 0; i < requests; i++) {
            sum += units[tail + i & mask];
        }
        work.complete(sum * WorkRequest.UNIT);
    }
}
