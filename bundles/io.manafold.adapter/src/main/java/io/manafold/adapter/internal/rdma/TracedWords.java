package io.manafold.adapter.internal.rdma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Entries of so many words each, in places that are used again and again. One thread writes. Any thread copies entries
 * out: an entry that was replaced meanwhile is noticed by its number, which comes first and goes first.
 */
final class TracedWords {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    /** No entry has this number. */
    private static final long NONE = 0;

    private final int words;
    private final int mask;
    private final long[] all;

    /** @param entries a power of two */
    TracedWords(int entries, int words) {
        this.words = words;
        mask = entries - 1;
        all = new long[entries * words];
    }

    int entries() {
        return mask + 1;
    }

    /** Where an entry is, with its number first. Numbers begin with 1. */
    int at(long number) {
        return ((int) number & mask) * words;
    }

    // ---- the thread that writes

    /** From now on the entry that was in this place cannot be read; its words follow, then {@link #end}. */
    int begin(long number) {
        int at = at(number);
        WORD.setOpaque(all, at, NONE);
        // no word of the new entry is seen before that
        VarHandle.storeStoreFence();
        return at;
    }

    /** The entry is whole. */
    void end(int at, long number) {
        WORD.setRelease(all, at, number);
    }

    /**
     * Plain, since a word of 64 bits is stored as a whole here, and what has to come before or after it is seen to
     * elsewhere.
     */
    void put(int at, long value) {
        all[at] = value;
    }

    /** For a word that others follow which are then seen as well. */
    void release(int at, long value) {
        WORD.setRelease(all, at, value);
    }

    /** Whether the entry has not been replaced. */
    boolean has(int at, long number) {
        return all[at] == number;
    }

    /** For the thread that writes. */
    long get(int at) {
        return all[at];
    }

    // ---- any thread

    /** Copies the entry in a place out; false if there is none, or it was replaced meanwhile. */
    boolean copy(int place, long[] into) {
        int at = place * words;
        long number = (long) WORD.getAcquire(all, at);
        if (number == NONE) {
            return false;
        }
        for (int word = words - 1; word > 0; word--) {
            into[word] = (long) WORD.getAcquire(all, at + word);
        }
        into[0] = number;
        return isStill(place, into);
    }

    /** Whether an entry that was copied has not been replaced, so that all that was read of it before belongs to it. */
    boolean isStill(int place, long[] copied) {
        VarHandle.loadLoadFence();
        return (long) WORD.getOpaque(all, place * words) == copied[0];
    }
}
