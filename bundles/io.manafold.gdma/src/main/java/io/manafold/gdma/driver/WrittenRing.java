package io.manafold.gdma.driver;

import io.manafold.gdma.OwnerBits;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.util.function.IntUnaryOperator;

/**
 * A ring of any length that the device writes and one thread reads; owner bits in the last word of an entry say whether
 * it is new. Nothing is allocated.
 */
public abstract sealed class WrittenRing permits EventRing, CompletionQueue {
    private final DmaPiece memory;
    private final int entrySize;
    private final int lastWord;
    private final int slots;
    private final long pointer;
    private int slot;
    /** The lap that the next entry belongs to; a zeroed ring reads as the lap before the first. */
    private int lap = 1;
    private int last;
    private boolean overrun;

    WrittenRing(DmaPiece memory, int bytes, int entrySize, int lastWord) {
        this.memory = memory;
        this.entrySize = entrySize;
        this.lastWord = lastWord;
        slots = bytes / entrySize;
        pointer = memory.pointer();
    }

    /** Goes on where another has been read. */
    WrittenRing(WrittenRing before) {
        memory = before.memory;
        entrySize = before.entrySize;
        lastWord = before.lastWord;
        slots = before.slots;
        pointer = before.pointer;
        slot = before.slot;
        lap = before.lap;
    }

    public final DmaPiece memory() {
        return memory;
    }

    public final int slots() {
        return slots;
    }

    /** Whether the device wrote over entries that were not read yet. */
    public final boolean isOverrun() {
        return overrun;
    }

    /** Where the next entry is, 0 if there is none. */
    public final long next() {
        long entry = pointer + (long) slot * entrySize;
        int word = RawMemory.getAcquire32(entry + lastWord);
        int owner = OwnerBits.in(word);
        if (owner == lap) {
            last = word;
            return entry;
        }
        overrun |= owner != (lap - 1 & OwnerBits.LAPS - 1);
        return 0;
    }

    /** Changes the last word, but for the owner bits, of all entries that are new and were not consumed. */
    final void amend(IntUnaryOperator change) {
        int at = slot;
        int now = lap;
        for (int i = 0; i < slots; i++) {
            long place = pointer + (long) at * entrySize + lastWord;
            int word = RawMemory.getAcquire32(place);
            if (OwnerBits.in(word) != now) {
                return;
            }
            RawMemory.put32(place, change.applyAsInt(word) & OwnerBits.REST | word & ~OwnerBits.REST);
            if (++at == slots) {
                at = 0;
                now = now + 1 & OwnerBits.LAPS - 1;
            }
        }
    }

    /** The last word of the entry that {@link #next} found. */
    public final int last() {
        return last;
    }

    /** Goes on behind the entry that {@link #next} found. */
    public final void consume() {
        if (++slot == slots) {
            slot = 0;
            lap = lap + 1 & OwnerBits.LAPS - 1;
        }
    }

    /** The entry that is read next, from the beginning of the ring. */
    public final int head() {
        return slot;
    }

    /** How far was read, as doorbells tell it: modulo eight laps. */
    final int consumer() {
        return lap * slots + slot;
    }
}
