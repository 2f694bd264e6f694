package io.manafold.adapter.internal;

import io.manafold.api.device.Bar;

/** A register window that is 64 bits wide and not prefetchable; the function decides what is in it. */
abstract class RegisterWindow implements Bar {
    private final int index;
    private final long size;

    RegisterWindow(int index, long size) {
        this.index = index;
        this.size = size;
    }

    @Override
    public final int index() {
        return index;
    }

    @Override
    public final long size() {
        return size;
    }

    @Override
    public final boolean is64Bit() {
        return true;
    }

    @Override
    public final boolean isPrefetchable() {
        return false;
    }

    /** Whether an access of so many bytes is one: inside, and aligned. */
    final boolean isAccess(long offset, int width) {
        return offset >= 0 && offset <= size - width && offset % width == 0;
    }

    @Override
    public long read64(long offset) {
        return isAccess(offset, 8) ? Integer.toUnsignedLong(read32(offset)) | (long) read32(offset + 4) << 32 : -1;
    }

    @Override
    public void write64(long offset, long value) {
        if (isAccess(offset, 8)) {
            write32(offset, (int) value);
            write32(offset + 4, (int) (value >>> 32));
        }
    }
}
