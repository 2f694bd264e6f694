package io.manafold.adapter.internal;

import io.manafold.api.device.PciId;

/** Configuration space: what is fixed, which bits a driver may write, and what a write brings about. */
final class ConfigSpace {
    static final int SIZE = 4096;

    private static final int COMMAND = 0x04;
    private static final int STATUS = 0x06;
    private static final int BAR0 = 0x10;
    private static final int BAR2 = 0x18;
    private static final int SUBSYSTEM = 0x2c;
    private static final int CAPABILITIES = 0x34;
    private static final int LINE = 0x3c;
    private static final int EXPRESS = 0x40;
    private static final int DEVICE_CONTROL = EXPRESS + 0x08;
    private static final int VECTORS = 0x80;

    /** Memory decode, bus master, parity, system errors, no line interrupts. */
    private static final int COMMAND_BITS = 0x0546;
    private static final int HAS_CAPABILITIES = 0x0010;
    private static final int MEMORY_64 = 0x4;
    /** Function-level reset, in the device's capabilities and its control. */
    private static final int CAN_RESET = 1 << 28;
    private static final int RESET = 1 << 15;
    private static final int CONTROL_BITS = 0x7fff;
    /** Enable and mask of the vectors. */
    private static final int VECTOR_BITS = 0xc000;
    /** Link of 16 GT/s, 16 lanes; no driver acts on it. */
    private static final int LINK = 0x0000_0104;

    private final byte[] values = new byte[SIZE];
    private final byte[] writable = new byte[SIZE];
    private final Runnable reset;

    /**
     * @param vectorBar the register window of vectors: its number, and where in it the pending bits are
     * @param reset what a driver's write to the reset bit brings about, called without a lock
     */
    ConfigSpace(PciId id, long bar0Size, long bar2Size, int vectors, int pendingOffset, Runnable reset) {
        this.reset = reset;
        put16(0x00, id.vendor());
        put16(0x02, id.device());
        put16(STATUS, HAS_CAPABILITIES);
        put32(0x08, id.classCode() << 8 | id.revision());
        put16(SUBSYSTEM, id.subsystemVendor());
        put16(SUBSYSTEM + 2, id.subsystemDevice());
        values[CAPABILITIES] = EXPRESS;
        allow(COMMAND, COMMAND_BITS, 2);
        allow(LINE, 0xff, 1);
        bar(BAR0, bar0Size);
        bar(BAR2, bar2Size);
        put16(EXPRESS, 0x10 | VECTORS << 8);
        put16(EXPRESS + 0x02, 0x0002);
        put32(EXPRESS + 0x04, CAN_RESET);
        allow(DEVICE_CONTROL, CONTROL_BITS, 2);
        put32(EXPRESS + 0x0c, LINK);
        put16(EXPRESS + 0x12, LINK & 0x3ff);
        put16(VECTORS, 0x11);
        put16(VECTORS + 0x02, vectors - 1);
        allow(VECTORS + 0x02, VECTOR_BITS, 2);
        put32(VECTORS + 0x04, 2);
        put32(VECTORS + 0x08, 2 | pendingOffset);
    }

    private void bar(int offset, long size) {
        put32(offset, MEMORY_64);
        allow(offset, (int) -size, 4);
        allow(offset + 4, (int) (-size >>> 32), 4);
    }

    private void put16(int offset, int value) {
        values[offset] = (byte) value;
        values[offset + 1] = (byte) (value >> 8);
    }

    private void put32(int offset, int value) {
        put16(offset, value);
        put16(offset + 2, value >>> 16);
    }

    private void allow(int offset, int bits, int width) {
        for (int i = 0; i < width; i++) {
            writable[offset + i] = (byte) (bits >> 8 * i);
        }
    }

    private static boolean isAccess(int offset, int width) {
        return (width == 1 || width == 2 || width == 4) && offset >= 0 && offset <= SIZE - width
                && offset % width == 0;
    }

    synchronized int read(int offset, int width) {
        if (!isAccess(offset, width)) {
            return -1;
        }
        int value = 0;
        for (int i = width - 1; i >= 0; i--) {
            value = value << 8 | values[offset + i] & 0xff;
        }
        return value;
    }

    void write(int offset, int width, int value) {
        if (!isAccess(offset, width)) {
            return;
        }
        synchronized (this) {
            for (int i = 0; i < width; i++) {
                int bits = writable[offset + i];
                values[offset + i] = (byte) (values[offset + i] & ~bits | value >> 8 * i & bits);
            }
        }
        int top = DEVICE_CONTROL + 1 - offset;
        if (top >= 0 && top < width && (value >> 8 * top & RESET >> 8) != 0) {
            reset.run();
        }
    }

    /**
     * What a reset does here. Windows and the command register stay: the driver that resets the function by itself does
     * not restore them.
     */
    synchronized void reset() {
        put16(DEVICE_CONTROL, 0);
        values[VECTORS + 0x03] = (byte) (values[VECTORS + 0x03] & ~(VECTOR_BITS >> 8));
    }
}
