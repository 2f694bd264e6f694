package io.manafold.adapter.internal;

import io.manafold.api.adapter.ObjectLimit;
import java.util.BitSet;

/** Who has which doorbell page. Control agent only. */
final class DoorbellPages {
    static final int COUNT = ObjectLimit.DOORBELL_PAGES.most();
    /** The page of the hardware channel's queues. */
    static final int CHANNEL = 0;
    /** Pages from here on are of devices of the list. */
    static final int FIRST_DEVICE = 1;
    /** Pages from here on are given to a driver's own users. */
    private static final int FIRST_FREE = ObjectLimit.DOORBELL_PAGES.least();

    private final BitSet taken = new BitSet();
    private final int most;

    /** @param most how many there are for a driver, those of the function and its devices among them */
    DoorbellPages(int most) {
        this.most = most;
    }

    /** Takes pages that follow each other; −1 if there are none. */
    int take(int count, int alignment) {
        int step = Math.max(1, alignment);
        if (count < 1 || count > COUNT || step > COUNT) {
            return -1;
        }
        for (int first = (FIRST_FREE + step - 1) / step * step; first + count <= most; first += step) {
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

    /** A device is in use, and its page with it. */
    void use(int page) {
        taken.set(page);
    }

    void leave(int page) {
        taken.clear(page);
    }

    /**
     * Whether queues of a device may be rung on a page.
     *
     * @param own the page of the device
     */
    boolean isUsable(int page, int own) {
        return (page == own || page >= FIRST_FREE) && taken.get(page);
    }

    int most() {
        return most;
    }

    int count() {
        return taken.get(FIRST_FREE, COUNT).cardinality();
    }
}
