package io.manafold.adapter.internal.ethernet;

import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;

/** A send queue as its driver sees it. */
final class GuestSender {
    final Guest guest;
    final int id;
    final int ringBytes;
    final long ring;
    final Guest.Completions completions;
    final SendQueue queue;
    int produced;

    /** What the next request says; all but the pieces stays from request to request. */
    int flags;
    int transportOffset;
    int vportOffset;
    int tag = -1;
    boolean longForm;
    int segment;
    int headerBytes;

    GuestSender(Guest guest, int id, int ringBytes) {
        this.guest = guest;
        this.id = id;
        this.ringBytes = ringBytes;
        ring = guest.take(ringBytes);
        completions = guest.completions(id + 1, ringBytes / 32);
        queue = guest.port.createSend(id, guest.queueMemory(ring, ringBytes), completions.queue, guest.table,
                guest::find, Guest.PD);
    }

    /** Writes a request for pieces given as address, length, address, length … */
    GuestSender post(long... pieces) {
        boolean wide = longForm || tag >= 0 || vportOffset > 255;
        int inline = wide ? 24 : 8;
        int count = pieces.length / 2;
        put32(0, WorkRequest.word0(headerBytes));
        put32(4, WorkRequest.word1(count, inline, segment != 0, segment));
        put32(8, SendRequest.flags(flags | (wide ? SendRequest.LONG_FORM : 0), id + 1));
        put32(12, SendRequest.place(transportOffset, id, vportOffset));
        if (wide) {
            put32(16, tag >= 0 ? SendRequest.tag(tag) : 0);
            put32(20, SendRequest.wide(vportOffset));
            put32(24, 0);
            put32(28, 0);
        }
        for (int i = 0; i < count; i++) {
            int at = 8 + inline + 16 * i;
            put32(at, (int) pieces[2 * i]);
            put32(at + 4, (int) (pieces[2 * i] >>> 32));
            put32(at + 8, Guest.KEY);
            put32(at + 12, (int) pieces[2 * i + 1]);
        }
        produced += WorkRequest.size(count, inline);
        return this;
    }

    /** Writes one word of the request that is posted next, or of the last one with a negative offset. */
    void put32(int offset, int value) {
        RawMemory.put32(guest.raw(ring) + (produced + offset & ringBytes - 1), value);
    }

    GuestSender ring() {
        queue.doorbell(produced);
        return this;
    }

    /** Sends a frame in one piece. */
    void send(byte[] frame) {
        post(guest.put(frame), frame.length).ring();
        guest.port.duty().doWork();
    }

    /** The type of the next completion, or −1. */
    int completion() {
        byte[] entry = completions.poll();
        return entry == null ? -1 : entry[0] & 0x3f;
    }
}
