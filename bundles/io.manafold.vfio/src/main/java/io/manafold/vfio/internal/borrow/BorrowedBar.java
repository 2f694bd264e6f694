package io.manafold.vfio.internal.borrow;

import io.manafold.api.device.Bar;

/** A register window at the other end of a socket: reads wait for the answer, writes are on their way at once. */
final class BorrowedBar implements Bar {
    private final Conversation talk;
    private final DeviceInfo.Window window;

    BorrowedBar(Conversation talk, DeviceInfo.Window window) {
        this.talk = talk;
        this.window = window;
    }

    @Override
    public int index() {
        return window.index();
    }

    @Override
    public long size() {
        return window.size();
    }

    @Override
    public boolean is64Bit() {
        return window.wide();
    }

    @Override
    public boolean isPrefetchable() {
        return window.prefetchable();
    }

    private boolean isAccess(long offset, int width) {
        return offset >= 0 && offset <= window.size() - width && offset % width == 0;
    }

    @Override
    public int read32(long offset) {
        return isAccess(offset, 4) ? (int) Registers.read(talk, window.index(), offset, 4) : -1;
    }

    @Override
    public long read64(long offset) {
        return isAccess(offset, 8) ? Registers.read(talk, window.index(), offset, 8) : -1;
    }

    @Override
    public void write32(long offset, int value) {
        if (isAccess(offset, 4)) {
            talk.post(window.index(), offset, 4, Integer.toUnsignedLong(value));
        }
    }

    @Override
    public void write64(long offset, long value) {
        if (isAccess(offset, 8)) {
            talk.post(window.index(), offset, 8, value);
        }
    }
}
