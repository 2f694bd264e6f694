package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory of an application that packets can be {@link PacketPool#attach attached} to, so that it is sent from there
 * without being copied: a part of a block. Its users are its maker and the packets; when the last of them lets go, its
 * maker is told. The block is registered with a device whole, when a queue meets the first packet in it, and stays so
 * until the port stops or meets another block; buffers of one block share that.
 */
public final class ExternalBuffer implements AutoCloseable {
    /** How many there may be. */
    public static final int MOST = 4096;

    private static final ExternalBuffer[] ALL = new ExternalBuffer[MOST];

    private final MemoryBlock block;
    private final MemoryBlock.Hold hold;
    private final long from;
    private final long bytes;
    private final Runnable whenFree;
    private final AtomicInteger users = new AtomicInteger(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int number;

    /**
     * Makes one, whose first user is the caller.
     *
     * @param from where it begins in the block
     * @param whenFree run once, by the thread that lets go last, which may be in a burst: it must not block. What it
     *        throws goes to the thread's handler of what is not caught
     * @throws Refusal {@code EINVAL} for what is not in the block, {@code ENOSPC} if there are too many, {@code ENODEV}
     *         if the block has gone
     */
    public ExternalBuffer(MemoryBlock block, long from, long bytes, Runnable whenFree) {
        if (from < 0 || bytes <= 0 || from > block.size() - bytes) {
            throw new Refusal(Errno.EINVAL, "The block " + block.name() + " of " + block.size() + " bytes has no "
                    + bytes + " bytes at " + from + ", which packets could be attached to.");
        }
        this.block = block;
        this.from = from;
        this.bytes = bytes;
        this.whenFree = whenFree;
        hold = block.hold("external buffer");
        number = publish(this);
        if (number < 0) {
            hold.close();
            throw new Refusal(Errno.ENOSPC, "There are " + MOST + " external buffers already; close some, or have "
                    + "packets share larger ones.");
        }
    }

    private static int publish(ExternalBuffer one) {
        synchronized (ALL) {
            for (int i = 0; i < MOST; i++) {
                if (ALL[i] == null) {
                    ALL[i] = one;
                    return i;
                }
            }
            return -1;
        }
    }

    /** The buffer of a number; {@code null} if there is none. */
    static ExternalBuffer numbered(int number) {
        return number < 0 || number >= MOST ? null : ALL[number];
    }

    /** Whether any buffer is of a block. */
    public static boolean isUsed(MemoryBlock block) {
        synchronized (ALL) {
            for (ExternalBuffer one : ALL) {
                if (one != null && one.block == block) {
                    return true;
                }
            }
            return false;
        }
    }

    /** What it is a part of. */
    public MemoryBlock block() {
        return block;
    }

    /** Where it begins in its block. */
    public long from() {
        return from;
    }

    public long bytes() {
        return bytes;
    }

    /** Below {@link #MOST}, and no other's as long as it has users. */
    public int number() {
        return number;
    }

    /** Its maker, until that has closed it, and packets. */
    public int users() {
        return users.get();
    }

    /** Where a byte of it is in this process. */
    long address(long at) {
        return block.segment().address() + from + at;
    }

    /** A packet is a user, of these bytes of it. */
    void use(long at, int length) {
        if (at < 0 || length <= 0 || length > PacketPool.MOST_LENGTH || at > bytes - length) {
            throw new Refusal(Errno.EINVAL, "A packet cannot be attached to " + length + " bytes at " + at + " of "
                    + bytes + ": they have to be in the buffer, and " + PacketPool.MOST_LENGTH + " at most.");
        }
        int now = users.get();
        while (!closed.get() && now > 0) {
            if (users.compareAndSet(now, now + 1)) {
                return;
            }
            now = users.get();
        }
        throw new Refusal(Errno.EBADF, "The external buffer has been closed: attach packets before that.");
    }

    /** One more packet is a user, of bytes that another packet has, which is a user meanwhile. */
    void share() {
        users.incrementAndGet();
    }

    /** A user lets go. */
    void release() {
        if (users.decrementAndGet() > 0) {
            return;
        }
        synchronized (ALL) {
            ALL[number] = null;
        }
        // an Error ends no more than this, too: the thread may be in the middle of giving packets back, and would give
        // back again those that it has given back before
        try {
            hold.close();
        } catch (Throwable wrong) {
            tell(wrong);
        }
        try {
            whenFree.run();
        } catch (Throwable wrong) {
            tell(wrong);
        }
    }

    private static void tell(Throwable wrong) {
        Thread here = Thread.currentThread();
        try {
            here.getUncaughtExceptionHandler().uncaughtException(here, wrong);
        } catch (Throwable _) {
            // as the virtual machine does with what a handler throws
        }
    }

    /**
     * Its maker lets go: no packet is attached to it any more, and those that are keep it. A second time does nothing.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release();
        }
    }
}
