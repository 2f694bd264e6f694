package io.manafold.adapter.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The window of the vector table and its pending bits, as drivers expect to find it. Where vectors lead is said through
 * {@link io.manafold.api.device.Interrupts}; what is written here is only remembered.
 */
final class VectorWindow extends RegisterWindow {
    static final int NUMBER = 2;
    static final long SIZE = 0x4000;
    static final int PENDING = 0x2000;

    private static final int WORDS_PER_VECTOR = 4;
    private static final int CONTROL = 3;
    private static final int MASKED = 1;

    private final VectorTable vectors;
    private final AtomicIntegerArray table;

    VectorWindow(VectorTable vectors) {
        super(NUMBER, SIZE);
        this.vectors = vectors;
        this.table = new AtomicIntegerArray(WORDS_PER_VECTOR * vectors.count());
        reset();
    }

    @Override
    public int read32(long offset) {
        if (!isAccess(offset, 4)) {
            return -1;
        }
        int word = (int) offset / 4;
        if (word < table.length()) {
            return table.get(word);
        }
        int first = ((int) offset - PENDING) * 8;
        int bits = 0;
        for (int i = 0; first >= 0 && i < 32 && first + i < vectors.count(); i++) {
            bits |= vectors.isPending(first + i) ? 1 << i : 0;
        }
        return bits;
    }

    @Override
    public void write32(long offset, int value) {
        if (isAccess(offset, 4) && offset / 4 < table.length()) {
            table.set((int) offset / 4, value);
        }
    }

    /** All masked. */
    void reset() {
        for (int i = 0; i < table.length(); i++) {
            table.set(i, i % WORDS_PER_VECTOR == CONTROL ? MASKED : 0);
        }
    }
}
