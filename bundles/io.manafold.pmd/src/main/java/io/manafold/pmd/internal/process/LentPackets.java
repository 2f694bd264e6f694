package io.manafold.pmd.internal.process;

import io.manafold.memory.PacketPool;

/**
 * Packets of a pool that another process has: all of them but those that are being sent, whose home is the pool here.
 * For one thread, but the end.
 */
final class LentPackets {
    private static final int BURST = 64;

    private final PacketPool pool;
    private final int first;
    /** By index: the queue that sends it, {@code null} if the other process has it. */
    private final LentQueue[] sending;
    private final int[] home = new int[BURST];
    private int waiting;

    /** @param pool all packets of it are home */
    LentPackets(PacketPool pool) {
        this.pool = pool;
        first = pool.number() << 24;
        sending = new LentQueue[pool.packets()];
        int[] all = new int[pool.packets()];
        pool.take(all, 0, all.length);
    }

    PacketPool pool() {
        return pool;
    }

    /** Whether the other process has it. */
    boolean has(int index) {
        return index >= 0 && index < sending.length && sending[index] == null;
    }

    /** Takes a packet from the other process, for a queue to send; false if it does not have it. */
    boolean take(int index, LentQueue by) {
        if (!has(index)) {
            return false;
        }
        sending[index] = by;
        return true;
    }

    int number(int index) {
        return first | index;
    }

    /** Where a packet is, headroom first. */
    long place(int index) {
        return pool.block().segment().address() + pool.place(number(index));
    }

    /** Tells of packets that have been sent. Returns how many. */
    int turn() {
        if (waiting == 0) {
            int there = Math.min(BURST, pool.shared());
            waiting = there > 0 && pool.take(home, 0, there) ? there : 0;
        }
        int told = 0;
        while (told < waiting) {
            int index = home[waiting - told - 1] & 0xff_ffff;
            if (!sending[index].sent(index)) {
                break;
            }
            sending[index] = null;
            told++;
        }
        waiting -= told;
        return told;
    }

    /** The other process has gone: its packets come home, and the memory goes with those that are still under way. */
    void end() {
        pool.give(home, 0, waiting);
        int[] one = new int[1];
        for (int index = 0; index < sending.length; index++) {
            if (sending[index] == null) {
                one[0] = number(index);
                pool.give(one, 0, 1);
            }
        }
        pool.close();
    }
}
