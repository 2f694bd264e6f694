package io.manafold.vfio.internal.protocol;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What the other side says its memory looks like. Ranges that come with a file are given to the function; of ranges
 * without one, such as registers of other devices, only the place is remembered, so that taking them away succeeds.
 * Only main memory, which begins at 0, must have one: a machine that starts without would never find out why its
 * function does nothing.
 */
final class GuestMemory {
    private static final int MOST = 65_535;

    /** @param taken bytes of addresses that it has, in whole pages; 0 if it is not lent */
    private record Range(long address, long last, long taken) {
        boolean isLent() {
            return taken > 0;
        }
    }

    private final DmaSpace dma;
    private final Mappings mappings;
    private final long mostBytes;
    private final TreeMap<Long, Range> ranges = new TreeMap<>(Long::compareUnsigned);
    private int lent;
    private long lentBytes;
    private long takenBytes;

    /** @param mostBytes how many bytes this client can have mapped */
    GuestMemory(DmaSpace dma, Mappings mappings, long mostBytes) {
        this.dma = dma;
        this.mappings = mappings;
        this.mostBytes = mostBytes;
    }

    /** @param file the memory, or {@code null} for a range that the function cannot reach */
    void map(long address, long length, Descriptor file, long offset, boolean writable) {
        long last = address + length - 1;
        if (length == 0 || Long.compareUnsigned(last, address) < 0) {
            throw new Refusal(Errno.EINVAL, said(address, length) + " cannot be mapped: it "
                    + (length == 0 ? "is empty" : "goes beyond the last address"));
        }
        var below = ranges.floorEntry(last);
        if (below != null && Long.compareUnsigned(below.getValue().last, address) >= 0) {
            throw new Refusal(Errno.EEXIST, said(address, length) + " cannot be mapped: a range at 0x"
                    + Long.toHexString(below.getKey()) + " is in the way; unmap it first");
        }
        if (ranges.size() >= MOST) {
            throw new Refusal(Errno.ENOSPC, said(address, length) + " cannot be mapped: there are " + MOST
                    + " ranges already");
        }
        if (file == null && address == 0 && writable) {
            throw new UnsharedMemory(said(address, length) + " cannot be mapped: it is the machine's main memory and "
                    + "comes without a file, so the function could not reach it; start the machine with "
                    + "memory-backend-memfd,share=on, as 'vfio export' prints it");
        }
        ranges.put(address, new Range(address, last, file == null ? 0 : lend(address, length, file, offset, writable)));
    }

    private long lend(long address, long length, Descriptor file, long offset, boolean writable) {
        long page = page(address, length, file);
        if (length < 0 || length > mostBytes - lentBytes) {
            throw new Refusal(Errno.ENOSPC, said(address, length) + " cannot be mapped: this export can have "
                    + mostBytes + " bytes mapped, and has " + lentBytes + "; give the machine less memory, or raise "
                    + "the export's 'memory'");
        }
        if (lent >= mappings.mostEach() || !mappings.take()) {
            throw new Refusal(Errno.ENOSPC, said(address, length) + " cannot be mapped: " + (lent >= mappings.mostEach()
                    ? "there are " + lent + " ranges with a file already; map fewer and larger ones"
                    : "all virtual machines together have as many ranges as this process may map; raise the kernel's "
                    + "vm.max_map_count"));
        }
        // quotas are for what the guest says, addresses for what is mapped, which is whole pages
        long taken = (offset + length + page - 1 & -page) - (offset & -page);
        if (taken < length || !mappings.takeBytes(taken)) {
            mappings.giveBack(1);
            throw new Refusal(Errno.ENOSPC, said(address, length) + " cannot be mapped: all virtual machines together "
                    + "have as many bytes mapped as this process has addresses for; end one of them");
        }
        try {
            dma.map(address, length, file.number(), offset, writable);
            lent++;
            lentBytes += length;
            takenBytes += taken;
            return taken;
        } catch (RuntimeException | Error refused) {
            mappings.giveBack(1);
            mappings.giveBackBytes(taken);
            throw refused;
        }
    }

    /**
     * The size of the file's pages. A page that comes from a disk, a network or another process may never come, and
     * agents that touch it would wait.
     */
    private static long page(long address, long length, Descriptor file) {
        try {
            if (!Linux.isMemory(file.number())) {
                throw new UnsharedMemory(said(address, length) + " cannot be mapped: its file is not in memory; start "
                        + "the machine with memory-backend-memfd,share=on as 'vfio export' prints it, or with shared "
                        + "memory or huge pages");
            }
            return Linux.pageSize(file.number());
        } catch (SystemCallException failed) {
            throw new Refusal(Errno.EINVAL, said(address, length) + " cannot be mapped: " + failed.getMessage());
        }
    }

    /** Ranges that were lent are the function's no more; who still touches them has left when the stage completes. */
    private CompletableFuture<Void> returned(int count, long bytes, long taken, CompletableFuture<Void> left) {
        lent -= count;
        lentBytes -= bytes;
        takenBytes -= taken;
        return left.whenComplete((done, failed) -> {
            mappings.giveBack(count);
            mappings.giveBackBytes(taken);
        });
    }

    /** Takes whole ranges away; what comes back completes when no engine touches them any more. */
    CompletableFuture<Void> unmap(long address, long length) {
        long last = address + length - 1;
        if (length == 0 || Long.compareUnsigned(last, address) < 0) {
            throw new Refusal(Errno.EINVAL, said(address, length) + " cannot be unmapped: it "
                    + (length == 0 ? "is empty" : "goes beyond the last address"));
        }
        List<Range> hit = new ArrayList<>();
        var before = ranges.lowerEntry(address);
        if (before != null && Long.compareUnsigned(before.getValue().last, address) >= 0) {
            throw cut(address, length, before.getValue());
        }
        for (Range range : ranges.subMap(address, true, last, true).values()) {
            if (Long.compareUnsigned(range.last, last) > 0) {
                throw cut(address, length, range);
            }
            hit.add(range);
        }
        if (hit.isEmpty()) {
            throw new Refusal(Errno.ENOENT, said(address, length) + " cannot be unmapped: nothing is mapped there");
        }
        List<CompletableFuture<Void>> pending = new ArrayList<>();
        for (Range range : hit) {
            ranges.remove(range.address);
            if (range.isLent()) {
                long bytes = range.last - range.address + 1;
                pending.add(returned(1, bytes, range.taken, dma.unmap(range.address, bytes).toCompletableFuture()));
            }
        }
        return pending.size() == 1 ? pending.getFirst()
                : CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new));
    }

    /** Takes everything away. */
    CompletableFuture<Void> unmapAll() {
        ranges.clear();
        return returned(lent, lentBytes, takenBytes, dma.clear().toCompletableFuture());
    }

    private static Refusal cut(long address, long length, Range range) {
        return new Refusal(Errno.EINVAL, said(address, length) + " cannot be unmapped: it would cut the range at 0x"
                + Long.toHexString(range.address) + " in two; unmap whole ranges");
    }

    private static String said(long address, long length) {
        return "guest memory at 0x" + Long.toHexString(address) + ", 0x" + Long.toHexString(length) + " bytes,";
    }
}
