package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PacketBuffer;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.WorkQueue;
import java.util.Arrays;

/** The packets that a send queue has under way, in the order of their requests. */
public final class Sends {
    private final WorkQueue work;
    private final PacketBuffer[] packets;
    /** Below 0 for requests that no completion was asked for. */
    private final int[] requestBytes;
    /** Bytes of all packets ever up to each, that one included, modulo 2^32. */
    private final int[] upTo;
    private int head;
    private int tail;
    /** Those that more packets are linked to. */
    private int chains;
    private int completedBytes;

    /** @param most a power of two */
    Sends(WorkQueue work, int most) {
        this.work = work;
        packets = new PacketBuffer[most];
        requestBytes = new int[most];
        upTo = new int[most];
    }

    /** @param packetsUpTo bytes of all packets ever with this one */
    void add(PacketBuffer packet, int bytes, int packetsUpTo) {
        int slot = head++ & packets.length - 1;
        upTo[slot] = packetsUpTo;
        packets[slot] = packet;
        requestBytes[slot] = bytes;
        if (packet.next() != null) {
            chains++;
        }
    }

    /** Adds one that is complete with a later one, unless it fails. */
    void addSilent(PacketBuffer packet, int bytes, int packetsUpTo) {
        add(packet, -bytes, packetsUpTo);
    }

    /**
     * As {@link #addSilent(PacketBuffer, int, int)} for several, of the same size each, that nothing is linked to.
     *
     * @param packetsBefore bytes of all packets ever before these
     */
    void addSilent(PacketBuffer[] several, int from, int count, int bytesEach, int packetsBefore) {
        int all = packetsBefore;
        for (int i = 0; i < count; i++) {
            all += several[from + i].length();
            upTo[head + i & upTo.length - 1] = all;
        }
        int slot = head & packets.length - 1;
        int straight = Math.min(count, packets.length - slot);
        System.arraycopy(several, from, packets, slot, straight);
        Arrays.fill(requestBytes, slot, slot + straight, -bytesEach);
        System.arraycopy(several, from + straight, packets, 0, count - straight);
        Arrays.fill(requestBytes, 0, count - straight, -bytesEach);
        head += count;
    }

    /** A completion was asked for of the last one after all. */
    void wantLast() {
        int slot = head - 1 & packets.length - 1;
        requestBytes[slot] = -requestBytes[slot];
    }

    public int outstanding() {
        return head - tail;
    }

    /** Bytes of all packets that were completed ever, modulo 2^32. */
    int completedBytes() {
        return completedBytes;
    }

    /** How many were completed ever, modulo 2^32. */
    public int completed() {
        return tail;
    }

    /**
     * How many are complete with the one whose request begins at a unit of the ring; 0 if that cannot be: it is not
     * under way, or one before it has its own completion to come.
     */
    int until(int unit) {
        int ahead = (unit - work.oldest()) * WorkRequest.UNIT & work.bytes() - 1;
        for (int at = tail; at != head && ahead >= 0; at++) {
            if (ahead == 0) {
                return at + 1 - tail;
            }
            int silent = -requestBytes[at & packets.length - 1];
            if (silent < 0) {
                return 0;
            }
            ahead -= silent;
        }
        return 0;
    }

    /** So many are complete: their packets are released. */
    void complete(int count) {
        int from = tail & packets.length - 1;
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += Math.abs(requestBytes[from + i & packets.length - 1]);
        }
        work.complete(bytes);
        tail += count;
        completedBytes = upTo[tail - 1 & upTo.length - 1];
        if (chains > 0) {
            releaseChains(from, count);
            return;
        }
        int straight = Math.min(count, packets.length - from);
        PacketBuffer.release(packets, from, straight);
        PacketBuffer.release(packets, 0, count - straight);
    }

    private void releaseChains(int from, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[from + i & packets.length - 1];
            if (packet.next() != null) {
                chains--;
            }
            release(packet);
        }
    }

    /** Releases a packet with all that are linked to it. */
    public static void release(PacketBuffer packet) {
        PacketBuffer piece = packet;
        while (piece != null) {
            PacketBuffer next = piece.next();
            if (next != null) {
                piece.next(null);
            }
            piece.release();
            piece = next;
        }
    }
}
