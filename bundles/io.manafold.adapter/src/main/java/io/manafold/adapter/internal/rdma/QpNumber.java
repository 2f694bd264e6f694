package io.manafold.adapter.internal.rdma;

/** Numbers of queue pairs: each has a slot of the table and four numbers in a row, one for each of its queues. */
public final class QpNumber {
    /** Slots of the table of queue pairs, and so the highest number of timers. */
    public static final int SLOTS = 1 << 14;
    /** The first; those below are of Ethernet's queues, of which doorbells tell by the number alone. */
    public static final int FIRST = 0x1_0000;
    private static final int QUEUES = 4;

    private QpNumber() {
    }

    /** The number of a queue pair in a slot. */
    public static int of(int slot) {
        return FIRST + QUEUES * slot;
    }

    /** The slot of a queue pair's number, or −1 if it is none. */
    public static int slot(int number) {
        int from = number - FIRST;
        return from >= 0 && from % QUEUES == 0 && from / QUEUES < SLOTS ? from / QUEUES : -1;
    }

    /** The highest number of any queue. */
    public static int last() {
        return of(SLOTS - 1) + QUEUES - 1;
    }
}
