package io.manafold.memory;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.linux.SystemCallException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory that can be lent: a file in memory, mapped here, to be mapped into any {@link
 * io.manafold.api.device.DmaSpace}. Full of zeroes at first; its length never changes.
 */
public final class DmaBlock implements AutoCloseable {
    private final Memfd file;
    private final long address;
    private final long size;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param name for people who read {@code /proc}
     * @param size in bytes; rounded up to whole pages
     * @throws Refusal what the kernel says, {@code EINVAL} for a size below 1
     */
    public DmaBlock(String name, long size) {
        if (size <= 0 || size > Long.MAX_VALUE - RawMemory.PAGE) {
            throw new Refusal(Errno.EINVAL,
                    "A block of " + size + " bytes cannot be made: the size must be at least 1.");
        }
        this.size = size + RawMemory.PAGE - 1 & -RawMemory.PAGE;
        Memfd made = null;
        try {
            made = Memfd.create(name, this.size);
            made.sealLength();
            address = Linux.map(made.descriptor().number(), 0, this.size, true);
            file = made;
        } catch (SystemCallException failed) {
            if (made != null) {
                made.close();
            }
            throw Kernel.refusal("The block " + name + " of " + this.size + " bytes was not made", failed);
        }
    }

    /** The file's descriptor, owned by this. */
    public int fd() {
        return file.descriptor().number();
    }

    /** Where it is mapped here. */
    public long address() {
        return address;
    }

    /** Its length in bytes, whole pages. */
    public long size() {
        return size;
    }

    /**
     * Gives it back. A process that has it mapped keeps it. A thread of ours that still touches it, inside a
     * {@link Reader}'s cycle, finds zeroes.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            file.close();
            Kernel.retire(new long[] {address}, new long[] {size});
        }
    }
}
