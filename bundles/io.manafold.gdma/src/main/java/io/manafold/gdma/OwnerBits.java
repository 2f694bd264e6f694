package io.manafold.gdma;

/**
 * The arithmetic of completion and event queues. Both sides count entries from N, the number of slots; the three owner
 * bits in the last word of an entry are the lap, so that a zeroed queue reads as empty in its first lap.
 */
public final class OwnerBits {
    /** Laps that the bits can tell apart. */
    public static final int LAPS = 8;
    /** Where the bits are in the last word of an entry. */
    public static final int SHIFT = 29;
    /** Everything in the last word but the bits. */
    public static final int REST = (1 << SHIFT) - 1;

    private OwnerBits() {
    }

    /** The bits an entry carries whose virtual index is this. The number of slots is a power of two. */
    public static int of(int index, int slots) {
        return index >>> Integer.numberOfTrailingZeros(slots) & LAPS - 1;
    }

    /** The bits in the last word of an entry. */
    public static int in(int lastWord) {
        return lastWord >>> SHIFT;
    }

    /** The last word with the bits of this virtual index. */
    public static int stamp(int lastWord, int index, int slots) {
        return lastWord & REST | of(index, slots) << SHIFT;
    }

    /** The slot of a virtual index. */
    public static int slot(int index, int slots) {
        return index & slots - 1;
    }

    /** A virtual index as doorbells carry it: modulo 8 N. */
    public static int wrap(int index, int slots) {
        return index & slots * LAPS - 1;
    }

    /** How many entries lie between two indices, modulo 8 N. */
    public static int distance(int from, int to, int slots) {
        return wrap(to - from, slots);
    }

    /** Whether an entry with this last word is there to be consumed at the virtual index. */
    public static boolean isNew(int lastWord, int index, int slots) {
        return in(lastWord) == of(index, slots);
    }

    /** Whether the slot of the virtual index still holds what was there a lap before. */
    public static boolean isOld(int lastWord, int index, int slots) {
        return in(lastWord) == (of(index, slots) - 1 & LAPS - 1);
    }
}
