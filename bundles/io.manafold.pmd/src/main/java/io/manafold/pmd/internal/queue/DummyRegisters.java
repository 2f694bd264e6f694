package io.manafold.pmd.internal.queue;

import io.manafold.api.device.Bar;
import io.manafold.memory.RawMemory;

/** Registers behind which there is no device: doorbells are counted. */
final class DummyRegisters implements Bar {
    long doorbells;

    @Override
    public int index() {
        return 0;
    }

    @Override
    public long size() {
        return RawMemory.PAGE;
    }

    @Override
    public boolean is64Bit() {
        return true;
    }

    @Override
    public boolean isPrefetchable() {
        return false;
    }

    @Override
    public int read32(long offset) {
        return 0;
    }

    @Override
    public long read64(long offset) {
        return 0;
    }

    @Override
    public void write32(long offset, int value) {
        doorbells++;
    }

    @Override
    public void write64(long offset, long value) {
        doorbells++;
    }
}
