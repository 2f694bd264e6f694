package io.manafold.inet.internal;

import io.manafold.api.net.PacketBuffer;

/**
 * Packets that wait until it is known where a neighbour is: some for each, and no more than a number for all. Inside
 * the table's lock.
 */
final class WaitingPackets {
    private final int mostOfOne;
    private final int most;
    private int waiting;

    WaitingPackets(int mostOfOne, int most) {
        this.mostOfOne = mostOfOne;
        this.most = most;
    }

    /** Takes a packet for a neighbour; false if there is no room for it. */
    boolean add(NeighbourEntry entry, PacketBuffer packet) {
        if (entry.waitingCount == mostOfOne || waiting == most) {
            return false;
        }
        packet.next(null);
        if (entry.waiting == null) {
            entry.waiting = packet;
        } else {
            entry.lastWaiting.next(packet);
        }
        entry.lastWaiting = packet;
        entry.waitingCount++;
        waiting++;
        return true;
    }

    /** Gives back all that wait for a neighbour, linked; {@code null} if none do. */
    PacketBuffer take(NeighbourEntry entry) {
        PacketBuffer list = entry.waiting;
        waiting -= entry.waitingCount;
        entry.waiting = null;
        entry.lastWaiting = null;
        entry.waitingCount = 0;
        return list;
    }
}
