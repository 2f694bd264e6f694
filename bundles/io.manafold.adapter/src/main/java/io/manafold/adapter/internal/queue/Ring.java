package io.manafold.adapter.internal.queue;

/**
 * The arithmetic of a ring that the adapter writes to. The producer's index starts at the number of entries, so that
 * its quotient is the owner value of the lap: a slot of zeroes reads as the lap before the first.
 */
final class Ring {
    private final int entries;
    private final int shift;
    private final int mask;

    Ring(int entries) {
        if (Integer.bitCount(entries) != 1) {
            throw new IllegalArgumentException("a ring of " + entries + " entries");
        }
        this.entries = entries;
        this.shift = Integer.numberOfTrailingZeros(entries);
        this.mask = 8 * entries - 1;
    }

    int entries() {
        return entries;
    }

    int slot(long producer) {
        return (int) producer & (entries - 1);
    }

    /** The owner bits of an entry, in place. */
    int owner(long producer) {
        return (int) (producer >>> shift) << 29;
    }

    /** How many entries stand between the consumer's index from a doorbell and the producer's, modulo eight laps. */
    int distance(long producer, int consumer) {
        return (int) producer - consumer & mask;
    }

    /** Eight laps less one: the highest distance. */
    int mask() {
        return mask;
    }
}
