package io.manafold.gdma.driver;

import io.manafold.memory.DmaTable;

/** Memory of a queue of the fake device. */
class FakeRing {
    final int bytes;
    private final DmaTable table;
    private final long[] pages;

    FakeRing(DmaTable table, long[] pages, int bytes) {
        this.table = table;
        this.pages = pages;
        this.bytes = bytes;
    }

    long at(int offset) {
        int place = offset & bytes - 1;
        long pointer = table.pointer(pages[place >>> 12], 4096, true);
        if (pointer == 0) {
            throw new AssertionError("the driver's queue is not reachable");
        }
        return pointer + (place & 4095);
    }
}
