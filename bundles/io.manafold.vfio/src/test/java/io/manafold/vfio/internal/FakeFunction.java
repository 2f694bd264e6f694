package io.manafold.vfio.internal;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.memory.DmaTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A function with memory for registers, which notes what is done to it. */
final class FakeFunction implements PciFunction {
    static final int VECTORS = 17;

    final FakeBar registers = new FakeBar(0, 1 << 21);
    final FakeBar table = new FakeBar(2, 1 << 16);
    final ByteBuffer config = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    final FakeInterrupts interrupts = new FakeInterrupts();
    final DmaTable memory = new DmaTable();
    final AtomicInteger resets = new AtomicInteger();
    volatile DmaSpace dma = memory;

    FakeFunction() {
        config.putShort(0, (short) 0x1414).putShort(2, (short) 0x00ba).putShort(6, (short) 0x10);
        config.put(11, (byte) 2).putInt(0x10, 4).putInt(0x18, 4).put(0x34, (byte) 0x40);
        config.put(0x40, (byte) 0x11).putShort(0x42, (short) (VECTORS - 1)).putInt(0x44, 2).putInt(0x48, 0x8002);
    }

    @Override
    public PciAddress address() {
        return PciAddress.parse("7870:00:00.0");
    }

    @Override
    public PciId identity() {
        return new PciId(0x1414, 0xba, 0x1414, 0xba, 0x020000, 0);
    }

    @Override
    public int configSize() {
        return config.capacity();
    }

    @Override
    public synchronized int readConfig(int offset, int width) {
        check(offset, width, config.capacity());
        return switch (width) {
            case 4 -> config.getInt(offset);
            case 2 -> config.getShort(offset) & 0xffff;
            case 1 -> config.get(offset) & 0xff;
            default -> throw new IllegalArgumentException("width " + width);
        };
    }

    @Override
    public synchronized void writeConfig(int offset, int width, int value) {
        check(offset, width, config.capacity());
        if (offset < 4 || offset >= 0x10 && offset < 0x40) {
            return;
        }
        switch (width) {
            case 4 -> config.putInt(offset, value);
            case 2 -> config.putShort(offset, (short) value);
            case 1 -> config.put(offset, (byte) value);
            default -> throw new IllegalArgumentException("width " + width);
        }
    }

    private static void check(long offset, int width, long size) {
        if (offset < 0 || offset + width > size || offset % width != 0) {
            throw new IllegalArgumentException("offset " + offset + ", width " + width);
        }
    }

    @Override
    public List<Bar> bars() {
        return List.of(registers, table);
    }

    @Override
    public Interrupts interrupts() {
        return interrupts;
    }

    @Override
    public DmaSpace dma() {
        return dma;
    }

    @Override
    public void reset() {
        resets.incrementAndGet();
    }

    /** Registers that keep what is written, and every write in its order as {@code width@offset=value}. */
    static final class FakeBar implements Bar {
        final Queue<String> writes = new ConcurrentLinkedQueue<>();
        private final int index;
        private final ByteBuffer bytes;

        FakeBar(int index, int size) {
            this.index = index;
            this.bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public long size() {
            return bytes.capacity();
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
        public synchronized int read32(long offset) {
            check(offset, 4, size());
            return bytes.getInt((int) offset);
        }

        @Override
        public synchronized long read64(long offset) {
            check(offset, 8, size());
            return bytes.getLong((int) offset);
        }

        @Override
        public synchronized void write32(long offset, int value) {
            check(offset, 4, size());
            writes.add("4@%x=%x".formatted(offset, value));
            bytes.putInt((int) offset, value);
        }

        @Override
        public synchronized void write64(long offset, long value) {
            check(offset, 8, size());
            writes.add("8@%x=%x".formatted(offset, value));
            bytes.putLong((int) offset, value);
        }
    }

    /** Vectors with one remembered signal, as the interface promises. */
    static final class FakeInterrupts implements Interrupts {
        private final Runnable[] targets = new Runnable[VECTORS];
        private final boolean[] pending = new boolean[VECTORS];
        /** The vector that cannot be directed once. */
        int broken = -1;

        @Override
        public int count() {
            return VECTORS;
        }

        @Override
        public synchronized void target(int vector, Runnable callback) {
            if (vector == broken) {
                broken = -1;
                throw new IllegalStateException("vector " + vector + " is broken");
            }
            targets[vector] = callback;
            if (pending[vector]) {
                pending[vector] = false;
                callback.run();
            }
        }

        @Override
        public synchronized void clear(int vector) {
            targets[vector] = null;
        }

        synchronized void raise(int vector) {
            if (targets[vector] == null) {
                pending[vector] = true;
            } else {
                targets[vector].run();
            }
        }

        synchronized int targeted() {
            int count = 0;
            for (Runnable target : targets) {
                count += target == null ? 0 : 1;
            }
            return count;
        }
    }
}
