package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;

/** Datagrams of other threads on their way to the device's. Bounded; its slots are used again. */
final class Outbox {
    static final int SLOTS = 256;

    /** A datagram that waits. */
    static final class Slot {
        UdpPort from;
        byte[] data = new byte[0];
        int length;
        IpAddress to;
        int toPort;
    }

    private final Slot[] slots = new Slot[SLOTS];
    private volatile long written;
    private volatile long read;

    Outbox() {
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Slot();
        }
    }

    /** Takes a copy; false when there is no room. */
    synchronized boolean offer(UdpPort from, byte[] data, int offset, int length, IpAddress to, int toPort) {
        if (written - read == SLOTS) {
            return false;
        }
        Slot slot = slots[(int) written & SLOTS - 1];
        if (slot.data.length < length) {
            slot.data = new byte[Math.max(length, 2048)];
        }
        System.arraycopy(data, offset, slot.data, 0, length);
        slot.length = length;
        slot.from = from;
        slot.to = to;
        slot.toPort = toPort;
        written = written + 1;
        return true;
    }

    /** The oldest, which stays until {@link #next}; {@code null} if there is none. */
    Slot first() {
        return read == written ? null : slots[(int) read & SLOTS - 1];
    }

    void next() {
        Slot slot = slots[(int) read & SLOTS - 1];
        slot.from = null;
        slot.to = null;
        read = read + 1;
    }

    boolean isEmpty() {
        return read == written;
    }
}
