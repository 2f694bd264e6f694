package io.manafold.memory;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.PageTable;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * From the addresses a driver gives to pointers. Looking up allocates nothing and takes no lock; who does it is inside
 * a {@link Reader}'s cycle and forgets the pointers when leaving it. What is unmapped is out of the table at once,
 * reads as zeroes for those who are still inside, and its addresses are given back when all have left.
 */
public final class DmaTable implements DmaSpace, AutoCloseable {
    /** As many ranges as a driver may map. */
    public static final int MOST_RANGES = 65535;

    private static final long PATIENCE_MILLIS = 100;

    private final Object changing = new Object();
    private volatile DmaRanges ranges = DmaRanges.NONE;
    private volatile boolean mayVanish;
    private boolean closed;

    /**
     * The pointer to a driver's memory, or 0 unless all of it lies in one mapping with that right. A length below 1
     * has no pointer.
     */
    public long pointer(long dma, long length, boolean write) {
        return ranges.pointer(dma, length, write);
    }

    /**
     * Whether a touch of what is or was mapped may raise {@link InternalError}: some of it has been in files that
     * others could shorten. As long as it says no, none of what was found until then could.
     */
    public boolean mayVanish() {
        return mayVanish;
    }

    /** What is mapped at this moment. */
    DmaRanges now() {
        return ranges;
    }

    /**
     * How many bytes from an address on {@link #pointer} would give in one piece; 0 if there is none. Unsigned, for
     * one mapping may be large.
     */
    public long left(long dma, boolean write) {
        return ranges.left(dma, write);
    }

    /**
     * Splits a range that may cross from one mapping into the next.
     *
     * @param pointers where the pieces start
     * @param lengths how long they are
     * @return how many pieces there are, or −1 when not all of it can be reached, or in more pieces than fit
     */
    public int runs(long dma, long length, boolean write, long[] pointers, long[] lengths) {
        // one snapshot for all pieces
        DmaRanges now = ranges;
        int count = 0;
        long at = dma;
        long open = length;
        while (open > 0) {
            long left = now.left(at, write);
            if (left == 0 || count == pointers.length || count == lengths.length) {
                return -1;
            }
            long piece = Long.compareUnsigned(left, open) < 0 ? left : open;
            pointers[count] = now.pointer(at, piece, write);
            lengths[count++] = piece;
            at += piece;
            open -= piece;
            if (at == 0 && open > 0) {
                return -1;
            }
        }
        return length < 0 ? -1 : count;
    }

    /** Copies a driver's memory; it may cross mappings. Answers false if not all is there, then perhaps halfway. */
    public boolean read(long dma, byte[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        DmaRanges now = ranges;
        int done = 0;
        while (done < length) {
            int piece = piece(now, dma, done, length, false);
            if (piece <= 0) {
                return false;
            }
            RawMemory.copy(now.pointer(dma + done, piece, false), into, offset + done, piece);
            done += piece;
        }
        return true;
    }

    /** Copies to a driver's memory; it may cross mappings. Answers false if not all is there, then perhaps halfway. */
    public boolean write(long dma, byte[] from, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, from.length);
        DmaRanges now = ranges;
        int done = 0;
        while (done < length) {
            int piece = piece(now, dma, done, length, true);
            if (piece <= 0) {
                return false;
            }
            RawMemory.copy(from, offset + done, now.pointer(dma + done, piece, true), piece);
            done += piece;
        }
        return true;
    }

    private static int piece(DmaRanges now, long dma, int done, int length, boolean write) {
        long at = dma + done;
        if (done > 0 && Long.compareUnsigned(at, dma) < 0) {
            return 0;
        }
        long left = now.left(at, write);
        int open = length - done;
        return Long.compareUnsigned(left, open) < 0 ? (int) left : open;
    }

    @Override
    public void map(long address, long length, int descriptor, long offset, boolean writable) {
        map(address, length, descriptor, offset, writable, false);
    }

    @Override
    public PageTable mapPaged(long address, long length, int descriptor, long offset, boolean writable) {
        return map(address, length, descriptor, offset, writable, true);
    }

    /** Answers the table of what is paged, else {@code null}. */
    private IoPageTable map(long address, long length, int descriptor, long offset, boolean writable, boolean paged) {
        long end = checked(address, length, offset);
        synchronized (changing) {
            if (closed) {
                throw new Refusal(Errno.ENODEV, sentence(address, length) + " is not mapped: the function is gone.");
            }
            DmaRanges now = ranges;
            int reaching = now.firstReaching(address);
            if (reaching < now.count() && Long.compareUnsigned(now.first[reaching], end) <= 0) {
                throw new Refusal(Errno.EEXIST, sentence(address, length) + " is not mapped: the range at 0x"
                        + Long.toHexString(now.first[reaching]) + " is there already. Unmap that first.");
            }
            if (now.count() >= MOST_RANGES) {
                throw new Refusal(Errno.ENOSPC, sentence(address, length) + " is not mapped: there are "
                        + MOST_RANGES + " ranges already. Unmap some, or map larger ones.");
            }
            long page = page(address, length, descriptor);
            // a seal is for good, so that a length that is looked at after it holds; its owner may do both in between
            boolean sealed = Linux.isSealedAgainstShrinking(descriptor);
            long raw = file(address, length, descriptor, offset, writable, page);
            IoPageTable table = paged ? new IoPageTable(address, length, raw) : null;
            // before anyone finds it
            mayVanish |= !sealed;
            ranges = now.with(address, end, raw, writable, sealed, table, page);
            return table;
        }
    }

    private static long checked(long address, long length, long offset) {
        if (length <= 0 || ((address | length | offset) & RawMemory.PAGE - 1) != 0) {
            throw new Refusal(Errno.EINVAL, sentence(address, length) + ", offset 0x" + Long.toHexString(offset)
                    + ", is not mapped: address, length and offset must be multiples of 4096, and the length at"
                    + " least that.");
        }
        long end = address + length - 1;
        if (Long.compareUnsigned(end, address) < 0 || offset < 0 || offset > Long.MAX_VALUE - length) {
            throw new Refusal(Errno.EINVAL, sentence(address, length) + ", offset 0x" + Long.toHexString(offset)
                    + ", is not mapped: it goes on past the last address.");
        }
        return end;
    }

    private static long page(long address, long length, int descriptor) {
        try {
            return Linux.pageSize(descriptor);
        } catch (SystemCallException failed) {
            throw Kernel.refusal(sentence(address, length) + " is not mapped", failed);
        }
    }

    /** Maps whole pages, huge ones too: the kernel would give back no part of one. */
    private static long file(long address, long length, int descriptor, long offset, boolean writable, long page) {
        try {
            long size = Linux.length(descriptor);
            if (size >= 0 && size < offset + length) {
                throw new Refusal(Errno.EINVAL, sentence(address, length) + " is not mapped: the file ends at "
                        + size + ", before offset " + offset + " plus that length. Make the file longer first.");
            }
            long begin = offset & -page;
            return Linux.map(descriptor, begin, (offset + length + page - 1 & -page) - begin, writable)
                    + (offset - begin);
        } catch (SystemCallException failed) {
            throw Kernel.refusal(sentence(address, length) + " is not mapped", failed);
        }
    }

    @Override
    public void populate(long address, long length) {
        // what is in the table is not given back to the kernel meanwhile
        synchronized (changing) {
            long at = pointer(address, length, false);
            if (at != 0) {
                RawMemory.readable(at, length);
            }
        }
    }

    @Override
    public CompletionStage<Void> unmap(long address, long length) {
        long end = checked(address, length, 0);
        synchronized (changing) {
            DmaRanges now = ranges;
            int from = now.firstReaching(address);
            int to = now.notAfter(end) + 1;
            if (from >= to) {
                throw new Refusal(Errno.ENOENT, sentence(address, length) + " is not unmapped: nothing is mapped"
                        + " there.");
            }
            if (Long.compareUnsigned(now.first[from], address) < 0
                    || Long.compareUnsigned(now.last[to - 1], end) > 0) {
                int cut = Long.compareUnsigned(now.first[from], address) < 0 ? from : to - 1;
                throw new Refusal(Errno.EINVAL, sentence(address, length) + " is not unmapped: it would cut the range"
                        + " at 0x" + Long.toHexString(now.first[cut]) + " of " + (now.last[cut] - now.first[cut] + 1)
                        + " bytes in two. Unmap whole ranges.");
            }
            return take(now, from, to);
        }
    }

    @Override
    public CompletionStage<Void> clear() {
        synchronized (changing) {
            DmaRanges now = ranges;
            return take(now, 0, now.count());
        }
    }

    private CompletionStage<Void> take(DmaRanges now, int from, int to) {
        ranges = to - from == now.count() ? DmaRanges.NONE : now.without(from, to);
        long[] addresses = new long[to - from];
        long[] lengths = new long[to - from];
        for (int i = from; i < to; i++) {
            addresses[i - from] = now.mapped(i);
            lengths[i - from] = now.mappedBytes(i);
        }
        CompletableFuture<Void> gone = Kernel.retire(addresses, lengths).toCompletableFuture();
        // late readers touch zeroes of ours by now: the driver need not wait for them longer than this
        return gone.isDone() ? gone : gone.completeOnTimeout(null, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public int ranges() {
        return ranges.count();
    }

    @Override
    public long bytes() {
        return ranges.bytes;
    }

    /** Takes everything away and lets nothing in any more. */
    @Override
    public void close() {
        synchronized (changing) {
            closed = true;
            clear();
        }
    }

    private static String sentence(long address, long length) {
        return "The range at 0x" + Long.toHexString(address) + " of " + length + " bytes";
    }
}
