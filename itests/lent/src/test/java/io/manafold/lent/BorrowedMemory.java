package io.manafold.lent;

import io.manafold.api.device.DmaSpace;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Memory that is lent to a function at the other end of a socket. */
final class BorrowedMemory implements DmaSpace {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int ALL = 2;

    private final Wire wire;
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    BorrowedMemory(Wire wire) {
        this.wire = wire;
    }

    @Override
    public synchronized void map(long address, long length, int descriptor, long offset, boolean writable) {
        wire.answer(Wire.DMA_MAP, Wire.body(32).putInt(0, 32).putInt(4, writable ? READ | WRITE : READ)
                .putLong(8, offset).putLong(16, address).putLong(24, length), descriptor);
        ranges.put(address, length);
    }

    @Override
    public synchronized CompletionStage<Void> unmap(long address, long length) {
        wire.answer(Wire.DMA_UNMAP, Wire.body(24).putInt(0, 24).putLong(8, address).putLong(16, length));
        ranges.subMap(address, address + length).clear();
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized CompletionStage<Void> clear() {
        wire.answer(Wire.DMA_UNMAP, Wire.body(24).putInt(0, 24).putInt(4, ALL));
        ranges.clear();
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized int ranges() {
        return ranges.size();
    }

    @Override
    public synchronized long bytes() {
        return ranges.values().stream().mapToLong(Long::longValue).sum();
    }
}
