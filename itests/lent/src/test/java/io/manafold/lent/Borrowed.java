package io.manafold.lent;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.testkit.PlainBar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A function at the other end of a socket, for drivers to bind as if it were here. */
final class Borrowed implements PciFunction, AutoCloseable {
    private static final int CONFIG = 7;
    private static final int CONFIG_SIZE = 4096;
    private static final int CAPABILITIES = 0x34;
    private static final int EXPRESS = 0x10;
    private static final int DEVICE_CONTROL = 0x08;
    private static final int FUNCTION_LEVEL_RESET = 1 << 15;

    private final Wire wire;
    private final List<Bar> bars;
    private final BorrowedInterrupts interrupts;
    private final BorrowedMemory memory;

    Borrowed(Path socket) throws IOException {
        wire = new Wire(socket);
        bars = List.of(new Window(0), new Window(2));
        interrupts = new BorrowedInterrupts(wire);
        memory = new BorrowedMemory(wire);
    }

    Wire wire() {
        return wire;
    }

    @Override
    public PciAddress address() {
        return PciAddress.parse("0000:00:01.0");
    }

    @Override
    public PciId identity() {
        return new PciId(readConfig(0, 2), readConfig(2, 2), readConfig(0x2c, 2), readConfig(0x2e, 2),
                readConfig(8, 4) >>> 8, readConfig(8, 1));
    }

    @Override
    public int configSize() {
        return CONFIG_SIZE;
    }

    @Override
    public int readConfig(int offset, int width) {
        return (int) read(CONFIG, offset, width);
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        wire.answer(Wire.REGION_WRITE, write(CONFIG, offset, width, value));
    }

    @Override
    public List<Bar> bars() {
        return bars;
    }

    @Override
    public BorrowedInterrupts interrupts() {
        return interrupts;
    }

    @Override
    public DmaSpace dma() {
        return memory;
    }

    /** As a machine does that starts anew. */
    @Override
    public void reset() {
        wire.answer(Wire.RESET, Wire.body(0));
    }

    /** As the kernel of a guest does: a bit of Device Control, which is clear when it is read again. */
    void resetByRegister() {
        int express = readConfig(CAPABILITIES, 1);
        while (readConfig(express, 1) != EXPRESS) {
            express = readConfig(express + 1, 1);
        }
        int control = express + DEVICE_CONTROL;
        writeConfig(control, 2, readConfig(control, 2) | FUNCTION_LEVEL_RESET);
        if ((readConfig(control, 2) & FUNCTION_LEVEL_RESET) != 0) {
            throw new IllegalStateException("the reset bit reads as set");
        }
    }

    private long read(int region, long offset, int width) {
        ByteBuffer answer = wire.answer(Wire.REGION_READ,
                Wire.body(16).putLong(0, offset).putInt(8, region).putInt(12, width));
        return switch (width) {
            case 8 -> answer.getLong(16);
            case 4 -> answer.getInt(16);
            case 2 -> answer.getShort(16) & 0xffff;
            default -> answer.get(16) & 0xff;
        };
    }

    private static ByteBuffer write(int region, long offset, int width, long value) {
        ByteBuffer body = Wire.body(16 + width).putLong(0, offset).putInt(8, region).putInt(12, width);
        for (int i = 0; i < width; i++) {
            body.put(16 + i, (byte) (value >> 8 * i));
        }
        return body;
    }

    @Override
    public void close() {
        interrupts.close();
        wire.close();
    }

    /** Writes are posted, as QEMU does it. */
    private final class Window extends PlainBar {
        private final int index;
        private final long size;

        Window(int index) {
            this.index = index;
            this.size = wire.answer(Wire.GET_REGION_INFO, Wire.body(32).putInt(0, 32).putInt(8, index)).getLong(16);
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public int read32(long offset) {
            return (int) read(index(), offset, 4);
        }

        @Override
        public long read64(long offset) {
            return read(index(), offset, 8);
        }

        @Override
        public void write32(long offset, int value) {
            wire.post(Wire.REGION_WRITE, write(index(), offset, 4, value));
        }

        @Override
        public void write64(long offset, long value) {
            wire.post(Wire.REGION_WRITE, write(index(), offset, 8, value));
        }
    }
}
