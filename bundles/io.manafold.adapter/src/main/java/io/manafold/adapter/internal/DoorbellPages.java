package io.manafold.adapter.internal;

import java.util.BitSet;

/** Who has which doorbell page. Control thread only. */
final class DoorbellPages {
    static final int COUNT = 256;
    /** The page of the hardware channel's queues. */
    static final int CHANNEL = 0;
    /** The page of the Ethernet device. */
    static final int ETHERNET = 1;
    /** Pages from here on are given to a driver's own users. */
    private static final int FIRST_FREE = 16;

    private final BitSet taken = new BitSet();

    /** Takes pages that follow each other; −1 if there are none. */
    int take(int count, int alignment) {
        int step = Math.max(1, alignment);
        if (count < 1 || count > COUNT || step > COUNT) {
            return -1;
        }
        for (int first = (FIRST_FREE + step - 1) / step * step; first + count <= COUNT; first += step) {
            int next = taken.nextSetBit(first);
            if (next < 0 || next >= first + count) {
                taken.set(first, first + count);
                return first;
            }
        }
        return -1;
    }

    /** Gives pages back; false if they were not all taken. */
    boolean free(int first, int count) {
        if (first < FIRST_FREE || count < 1 || count > COUNT - first
                || taken.nextClearBit(first) < first + count) {
            return false;
        }
        taken.clear(first, first + count);
        return true;
    }

    /** Whether queues may be rung on a page. */
    boolean isUsable(int page) {
        return page == ETHERNET || page >= FIRST_FREE && taken.get(page);
    }

    int count() {
        return taken.cardinality();
    }
}
