package io.manafold.testkit;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The real adapter's function with an attacker in between, who can write wherever the adapter can: into all memory that
 * is lent to it, before each interrupt is passed on; and who can bend what registers say.
 */
public final class LyingFunction implements PciFunction, AutoCloseable {
    /** Is called before an interrupt goes on. */
    public interface Before {
        void interrupt(int vector);
    }

    /** Hears what is written to registers: doorbells, most of it. */
    public interface Heard {
        void written(long offset, long value);
    }

    /** What a register says instead. */
    public interface Bend {
        long bend(long offset, long value);
    }

    private final PciFunction real;
    private volatile Before before = vector -> { };
    private volatile Bend bend = (offset, value) -> value;
    private volatile Heard heard = (offset, value) -> { };
    private volatile long pointer;
    private volatile long bytes;

    public LyingFunction(PciFunction real) {
        this.real = real;
    }

    public void before(Before what) {
        before = what;
    }

    public void bend(Bend how) {
        bend = how;
    }

    public void heard(Heard what) {
        heard = what;
    }

    /** Where the memory is that was lent first; 0 before. */
    public long pointer() {
        return pointer;
    }

    @Override
    public PciAddress address() {
        return real.address();
    }

    @Override
    public PciId identity() {
        return real.identity();
    }

    @Override
    public int configSize() {
        return real.configSize();
    }

    @Override
    public int readConfig(int offset, int width) {
        return real.readConfig(offset, width);
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        real.writeConfig(offset, width, value);
    }

    @Override
    public List<Bar> bars() {
        return real.bars().stream().map(bar -> (Bar) new BentBar(bar)).toList();
    }

    @Override
    public Interrupts interrupts() {
        Interrupts vectors = real.interrupts();
        return new Interrupts() {
            @Override
            public int count() {
                return vectors.count();
            }

            @Override
            public void target(int vector, Runnable callback) {
                vectors.target(vector, () -> {
                    before.interrupt(vector);
                    callback.run();
                });
            }

            @Override
            public void clear(int vector) {
                vectors.clear(vector);
            }
        };
    }

    @Override
    public DmaSpace dma() {
        DmaSpace space = real.dma();
        return new DmaSpace() {
            @Override
            public void map(long address, long length, int descriptor, long offset, boolean writable) {
                space.map(address, length, descriptor, offset, writable);
                if (pointer == 0) {
                    try {
                        bytes = length;
                        pointer = Linux.map(descriptor, offset, length, true);
                    } catch (SystemCallException failed) {
                        throw new IllegalStateException(failed);
                    }
                }
            }

            @Override
            public CompletionStage<Void> unmap(long address, long length) {
                return space.unmap(address, length);
            }

            @Override
            public CompletionStage<Void> clear() {
                return space.clear();
            }

            @Override
            public int ranges() {
                return space.ranges();
            }

            @Override
            public long bytes() {
                return space.bytes();
            }
        };
    }

    @Override
    public void reset() {
        real.reset();
    }

    /** The adapter interrupts no more. A second time does nothing: by then others may have that memory's addresses. */
    @Override
    public void close() {
        before = vector -> { };
        real.reset();
        long seen = pointer;
        pointer = 0;
        if (seen != 0) {
            try {
                Linux.unmap(seen, bytes);
            } catch (SystemCallException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    private final class BentBar implements Bar {
        private final Bar bar;

        BentBar(Bar bar) {
            this.bar = bar;
        }

        @Override
        public int index() {
            return bar.index();
        }

        @Override
        public long size() {
            return bar.size();
        }

        @Override
        public boolean is64Bit() {
            return bar.is64Bit();
        }

        @Override
        public boolean isPrefetchable() {
            return bar.isPrefetchable();
        }

        @Override
        public int read32(long offset) {
            return (int) bend.bend(offset, bar.read32(offset));
        }

        @Override
        public long read64(long offset) {
            return bend.bend(offset, bar.read64(offset));
        }

        @Override
        public void write32(long offset, int value) {
            bar.write32(offset, value);
        }

        @Override
        public void write64(long offset, long value) {
            heard.written(offset, value);
            bar.write64(offset, value);
        }
    }
}
