package io.manafold.gdma.driver;

import io.manafold.gdma.OwnerBits;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * A ring that the device writes and one thread reads; owner bits in the last word of an entry say whether it is new.
 * Nothing is allocated.
 */
public abstract sealed class WrittenRing permits EventQueue, CompletionQueue {
    private final DmaPiece memory;
    private final Registers registers;
    private final int entrySize;
    private final int lastWord;
    private final int slots;
    private final long pointer;
    private final int shift;
    private int id;
    private int page;
    private int consumer;
    private int last;
    private boolean overrun;

    WrittenRing(DmaPiece memory, int bytes, int entrySize, int lastWord, Registers registers) {
        this.memory = memory;
        this.registers = registers;
        this.entrySize = entrySize;
        this.lastWord = lastWord;
        slots = bytes / entrySize;
        pointer = memory.pointer();
        shift = Integer.numberOfTrailingZeros(slots);
        consumer = slots;
    }

    /** What the device calls the queue and where its doorbell is. */
    public final void name(int queue, int doorbellPage) {
        id = queue;
        page = doorbellPage;
    }

    public final int id() {
        return id;
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
        long entry = pointer + (long) OwnerBits.slot(consumer, slots) * entrySize;
        int word = RawMemory.getAcquire32(entry + lastWord);
        if (OwnerBits.in(word) == (consumer >>> shift & OwnerBits.LAPS - 1)) {
            last = word;
            return entry;
        }
        overrun |= !OwnerBits.isOld(word, consumer, slots);
        return 0;
    }

    /** The last word of the entry that {@link #next} found. */
    public final int last() {
        return last;
    }

    /** Goes on behind the entry that {@link #next} found. */
    public final void consume() {
        consumer = OwnerBits.wrap(consumer + 1, slots);
    }

    final int consumer() {
        return consumer;
    }

    final void ring(int slot, long value) {
        registers.ring(page, slot, value);
    }
}
