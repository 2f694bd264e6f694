package io.manafold.adapter.internal.queue;

/**
 * The arithmetic of a ring of any length that the adapter writes to. The producer's index starts at the number of
 * entries, so that its quotient is the owner value of the lap: a slot of zeroes reads as the lap before the first. Most
 * rings have a power of two entries, and those need no division.
 */
final class Ring {
    private static final int LAPS = 8;
    private static final int OWNER_SHIFT = 29;

    private final int entries;
    private final boolean power;
    private final int shift;
    private final int laps;

    Ring(int entries) {
        if (entries < 1 || entries > Integer.MAX_VALUE / LAPS) {
            throw new IllegalArgumentException("a ring of " + entries + " entries");
        }
        this.entries = entries;
        this.power = Integer.bitCount(entries) == 1;
        this.shift = Integer.numberOfTrailingZeros(entries);
        this.laps = LAPS * entries;
    }

    int entries() {
        return entries;
    }

    int slot(long producer) {
        return power ? (int) producer & (entries - 1) : (int) (producer % entries);
    }

    /** The owner bits of an entry, in place. */
    int owner(long producer) {
        return (int) (power ? producer >>> shift : producer / entries) << OWNER_SHIFT;
    }

    /**
     * How many entries stand between the consumer's index from a doorbell, which may be anything, and the producer's,
     * modulo eight laps.
     */
    int distance(long producer, int consumer) {
        return power ? (int) producer - consumer & laps - 1 : (int) Math.floorMod(producer - consumer, (long) laps);
    }

    /** As many entries as eight laps have: one more than the highest distance. */
    int laps() {
        return laps;
    }
}
