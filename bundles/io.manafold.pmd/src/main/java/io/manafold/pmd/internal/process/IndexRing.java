package io.manafold.pmd.internal.process;

import io.manafold.memory.RawMemory;

/**
 * A ring in memory of two processes, of which one puts entries in and the other takes them. An entry is the index of a
 * packet and its two words. Each side counts for itself, and takes what the other has written for what it is: it may be
 * anything.
 */
final class IndexRing {
    /** A power of two. */
    static final int ENTRIES = 1024;
    private static final int PUT = 0;
    private static final int TAKEN = 64;
    private static final int FIRST = 128;
    private static final int ENTRY = 32;
    static final int BYTES = FIRST + ENTRIES * ENTRY;

    private final long at;
    /** Entries that this side has put in or taken, modulo 2^32. */
    private int mine;
    private boolean broken;

    IndexRing(long at) {
        this.at = at;
    }

    /** Whether the other side has said what cannot be. */
    boolean isBroken() {
        return broken;
    }

    private int checked(int entries) {
        if (entries < 0 || entries > ENTRIES) {
            broken = true;
            return 0;
        }
        return entries;
    }

    private long entry(int number) {
        return at + FIRST + (long) (number & ENTRIES - 1) * ENTRY;
    }

    // ---- the side that puts in

    /** For how many entries there is room. */
    int room() {
        return checked(ENTRIES - (mine - RawMemory.getAcquire32(at + TAKEN)));
    }

    /** Puts one in, for which there is room; it is seen after {@link #publish}. */
    void put(int index, long first, long second) {
        long entry = entry(mine++);
        RawMemory.put64(entry, index);
        RawMemory.put64(entry + 8, first);
        RawMemory.put64(entry + 16, second);
    }

    void publish() {
        RawMemory.putRelease32(at + PUT, mine);
    }

    // ---- the side that takes

    /** How many entries there are. */
    int waiting() {
        return checked(RawMemory.getAcquire32(at + PUT) - mine);
    }

    /** The index of an entry, counted from the oldest. */
    int index(int ahead) {
        return RawMemory.get32(entry(mine + ahead));
    }

    long first(int ahead) {
        return RawMemory.get64(entry(mine + ahead) + 8);
    }

    long second(int ahead) {
        return RawMemory.get64(entry(mine + ahead) + 16);
    }

    /** The oldest have been taken. */
    void taken(int entries) {
        mine += entries;
        RawMemory.putRelease32(at + TAKEN, mine);
    }
}
