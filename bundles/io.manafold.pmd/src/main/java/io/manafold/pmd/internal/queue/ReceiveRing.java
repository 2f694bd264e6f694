package io.manafold.pmd.internal.queue;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/**
 * Packets that the device may write, in the order in which it does so. Those that have come are replaced by others of
 * the pool, many at a time; a completion that tells of several may be taken in parts. For one thread.
 */
abstract class ReceiveRing {
    /** Packets that are posted together at least. */
    static final int REFILL = 32;
    private static final int TAG_BYTES = 4;
    private static final int VLAN = 0x8100;
    private static final int MOST_REFILL = 64;
    private static final long HEAD = (long) WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0) << 32;
    private static final int ADDRESS = WorkRequest.HEAD + WorkRequest.INLINE_SHORT;
    private static final int KEY = ADDRESS + WorkRequest.PIECE_KEY;

    final PacketPool pool;
    final int room;
    final int mask;
    final int[] posted;
    final ReceiveCount count;
    private final DirectQueue direct;
    private final CompletionQueue completions;
    private final int workId;
    private final int descriptors;
    private final long ring;
    private final long base;
    private final int[] fresh = new int[MOST_REFILL];
    /** Requests ever posted, and taken back, modulo 2^32. */
    int head;
    int tail;
    /** Packets of the completion at hand that have been taken. */
    private int part;

    ReceiveRing(DirectQueue direct, Keys.Entry known, int descriptors, ReceiveCount count) {
        this.direct = direct;
        this.descriptors = descriptors;
        this.count = count;
        pool = known.pool();
        room = pool.room();
        base = known.base() + PacketPool.HEADROOM;
        completions = direct.completions();
        workId = direct.work().id();
        mask = direct.work().bytes() / WorkRequest.UNIT - 1;
        posted = new int[mask + 1];
        ring = direct.work().memory().pointer();
        for (int i = 0; i <= mask; i++) {
            long request = ring + (long) i * WorkRequest.UNIT;
            RawMemory.put64(request, HEAD);
            RawMemory.put64(request + WorkRequest.INLINE, 0);
            RawMemory.put64(request + KEY, known.key() & 0xffff_ffffL | (long) room << 32);
        }
    }

    /** Posts packets of the pool until it is full. Returns whether the pool had enough. */
    final boolean fill() {
        refill();
        return head - tail == descriptors;
    }

    final String failure() {
        return completions.failure();
    }

    /** Takes packets that have come. */
    final int burst(int[] into, int from, int most) {
        int found = 0;
        int seen = 0;
        // a device may say for ever that nothing has come
        while (found < most && seen <= descriptors) {
            long entry = completions.next(workId, QueueType.RECEIVE);
            if (entry == 0) {
                break;
            }
            int packets = packets(RawMemory.get32(entry + ReceiveCompletion.FIRST));
            if (packets == ReceiveCompletion.MAX_PACKETS && part == 0 && most - found >= packets
                    && head - tail >= packets && four(entry, into, from + found)) {
                found += packets;
                part = packets;
            } else if (part < packets) {
                found += take(entry, packets, into, from + found, most - found);
                if (completions.failure() != null) {
                    break;
                }
            }
            if (part >= packets) {
                part = 0;
                completions.consume();
                seen++;
            }
        }
        if (seen > 0) {
            completions.polled(seen);
        }
        if (descriptors - (head - tail) >= REFILL && completions.failure() == null) {
            refill();
        }
        count.packets += found;
        return found;
    }

    /** How many packets a completion tells of at most. */
    private int packets(int first) {
        switch (CompletionEntry.type(first)) {
            case ReceiveCompletion.OK -> {
                return 1;
            }
            case ReceiveCompletion.COALESCED -> {
                return ReceiveCompletion.MAX_PACKETS;
            }
            case ReceiveCompletion.FENCE -> {
                return 0;
            }
            default -> {
                // the frame did not fit, or the device says what is not known here: a request has gone with it
                count.errors++;
                if (hasPosted()) {
                    pool.give(posted, tail & mask, 1);
                    tail++;
                }
                return 0;
            }
        }
    }

    /**
     * Takes the packets of a completion that tells of four which fit, as many as are posted at least; false if it tells
     * of fewer, or if there is something wrong with one of them. Entries of twelve bytes are read by words of eight.
     */
    private boolean four(long entry, int[] into, int from) {
        long two = RawMemory.get64(entry + ReceiveCompletion.lengthAt(1) - Integer.BYTES);
        long four = RawMemory.get64(entry + ReceiveCompletion.lengthAt(3) - Integer.BYTES);
        int a = RawMemory.get16(entry + ReceiveCompletion.lengthAt(0));
        int b = (int) (two >>> 32) & 0xffff;
        int c = RawMemory.get16(entry + ReceiveCompletion.lengthAt(2));
        int d = (int) (four >>> 32) & 0xffff;
        // negative if one of them is 0 or above the room
        if ((a - 1 | b - 1 | c - 1 | d - 1 | room - a | room - b | room - c | room - d) < 0) {
            return false;
        }
        begin(entry);
        int at = tail;
        int first = posted[at & mask];
        int second = posted[at + 1 & mask];
        int third = posted[at + 2 & mask];
        int fourth = posted[at + 3 & mask];
        tail = at + 4;
        describe(first, a, entry, 0);
        describe(second, b, entry, 1);
        describe(third, c, entry, 2);
        describe(fourth, d, entry, 3);
        into[from] = first;
        into[from + 1] = second;
        into[from + 2] = third;
        into[from + 3] = fourth;
        count.bytes += a + b + c + d;
        return true;
    }

    /** Takes packets of a completion, from the part on that is next. */
    private int take(long entry, int packets, int[] into, int from, int most) {
        int found = 0;
        long bytes = 0;
        begin(entry);
        while (part < packets && found < most) {
            int length = RawMemory.get16(entry + ReceiveCompletion.lengthAt(part));
            if (length == 0) {
                if (part == 0) {
                    count.errors++;
                }
                part = packets;
                break;
            }
            if (length > room) {
                completions.fail("Receive queue " + workId + " got a packet of " + length + " bytes into a buffer of "
                        + room + ".");
                break;
            }
            if (!hasPosted()) {
                break;
            }
            int packet = posted[tail++ & mask];
            describe(packet, length, entry, part++);
            into[from + found++] = packet;
            bytes += length;
        }
        count.bytes += bytes;
        return found;
    }

    /** A device that completes what was not posted has broken the queue. */
    private boolean hasPosted() {
        if (head == tail) {
            completions.fail("Receive queue " + workId + " got a completion, and nothing was posted.");
            return false;
        }
        return true;
    }

    /** Reads what a completion says of all its packets. */
    abstract void begin(long entry);

    /** Writes the words of a packet. */
    abstract void describe(int packet, int length, long entry, int part);

    /** Puts a tag back into a packet whose words are written: the addresses move to the front. */
    final void putTag(int packet, int tag) {
        long data = pool.data(packet);
        long addresses = RawMemory.get64(data);
        int rest = RawMemory.get32(data + 8);
        RawMemory.put64(data - TAG_BYTES, addresses);
        RawMemory.put32(data - TAG_BYTES + 8, rest);
        RawMemory.putBig16(data - TAG_BYTES + 12, VLAN);
        RawMemory.putBig16(data - TAG_BYTES + 14, tag);
        long first = pool.first(packet);
        pool.first(packet, PacketPool.first(PacketPool.offset(first) - TAG_BYTES, PacketPool.length(first) + TAG_BYTES,
                PacketPool.flags(first)));
    }

    private void refill() {
        int before = head;
        int missing = descriptors - (head - tail);
        while (missing > 0) {
            int wanted = Math.min(missing, MOST_REFILL);
            while (wanted > 0 && !pool.take(fresh, 0, wanted)) {
                wanted /= 2;
            }
            if (wanted == 0) {
                count.noBuffers += Math.min(missing, MOST_REFILL);
                break;
            }
            post(wanted);
            missing -= wanted;
        }
        if (head != before) {
            direct.page().ring(Doorbell.RECEIVE, Doorbell.work(workId, head * WorkRequest.UNIT));
        }
    }

    private void post(int wanted) {
        for (int i = 0; i < wanted; i++) {
            int packet = fresh[i];
            int slot = head++ & mask;
            RawMemory.put64(ring + (long) slot * WorkRequest.UNIT + ADDRESS, base + pool.place(packet));
            posted[slot] = packet;
        }
    }

    /** The device has forgotten the queue: all go back to the pool. */
    final void end() {
        for (; tail != head; tail++) {
            pool.give(posted, tail & mask, 1);
        }
    }
}
