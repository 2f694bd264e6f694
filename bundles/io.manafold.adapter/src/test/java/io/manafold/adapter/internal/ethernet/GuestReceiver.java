package io.manafold.adapter.internal.ethernet;

import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;
import java.util.ArrayDeque;
import java.util.Arrays;

/** A receive queue as its driver sees it. */
final class GuestReceiver {
    final Guest guest;
    final int id;
    final int ringBytes;
    final long ring;
    final Guest.Completions completions;
    final ReceiveQueue queue;
    private final ArrayDeque<long[]> posted = new ArrayDeque<>();
    int produced;

    GuestReceiver(Guest guest, int id, int ringBytes) {
        this.guest = guest;
        this.id = id;
        this.ringBytes = ringBytes;
        ring = guest.take(ringBytes);
        completions = guest.completions(id + 1, ringBytes / 16);
        queue = guest.port.createReceive(id, guest.queueMemory(ring, ringBytes), completions.queue, guest.table,
                guest::find, Guest.PD);
    }

    /** Posts buffers of one piece each. */
    GuestReceiver post(int buffers, int bytes) {
        for (int i = 0; i < buffers; i++) {
            postPieces(guest.take(bytes), bytes);
        }
        return ring();
    }

    /** Writes a request for pieces given as address, length, address, length … */
    void postPieces(long... pieces) {
        int count = pieces.length / 2;
        put32(0, 0);
        put32(4, WorkRequest.word1(count, 8, false, 0));
        for (int i = 0; i < count; i++) {
            int at = 16 + 16 * i;
            put32(at, (int) pieces[2 * i]);
            put32(at + 4, (int) (pieces[2 * i] >>> 32));
            put32(at + 8, Guest.KEY);
            put32(at + 12, (int) pieces[2 * i + 1]);
        }
        produced += WorkRequest.size(count, 8);
        posted.add(pieces.clone());
    }

    void put32(int offset, int value) {
        RawMemory.put32(guest.raw(ring) + (produced + offset & ringBytes - 1), value);
    }

    GuestReceiver ring() {
        queue.doorbell(produced);
        return this;
    }

    /** Lets everything in here. */
    GuestReceiver open() {
        guest.port.steer(new Steering(true, false, true, queue, null, null, 1));
        return this;
    }

    /** The next frame, or null; it must be a plain completion. */
    Arrived receive() {
        byte[] entry = completions.poll();
        if (entry == null) {
            return null;
        }
        int type = entry[0] & 0x3f;
        int length = type == 1 ? u16(entry, 8) : 0;
        return new Arrived(type, u32(entry, 4), length, u32(entry, 16), u32(entry, 0x38), u32(entry, 0x3c),
                type == 3 ? null : take(length));
    }

    /** The bytes of the oldest buffer that is out. */
    byte[] take(int length) {
        long[] pieces = posted.remove();
        byte[] frame = new byte[length];
        int done = 0;
        for (int i = 0; i < pieces.length && done < length; i += 2) {
            int part = (int) Math.min(pieces[i + 1], length - done);
            System.arraycopy(guest.bytes(pieces[i], part), 0, frame, done, part);
            done += part;
        }
        return frame;
    }

    static int u16(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8;
    }

    static int u32(byte[] bytes, int at) {
        return u16(bytes, at) | u16(bytes, at + 2) << 16;
    }

    record Arrived(int type, int flags, int length, int hash, int offset, int last, byte[] frame) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Arrived that && type == that.type && Arrays.equals(frame, that.frame);
        }

        @Override
        public int hashCode() {
            return type;
        }
    }
}
