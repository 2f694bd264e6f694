package io.manafold.benchmark;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The same bytes copied from one block of memory to another, and nothing else. Nanoseconds are of processor time. */
final class Memcpy implements Peer {
    private static final int BATCH = 16;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment from = arena.allocate(RdmaEndpoint.BYTES, 4096);
    private final MemorySegment to = arena.allocate(RdmaEndpoint.BYTES, 4096);
    private final int bytes;
    private final boolean fromMemory;
    private long at;

    Memcpy(RdmaCase what) {
        bytes = what.bytes();
        fromMemory = what.fromMemory();
        from.fill((byte) 1);
        to.fill((byte) 2);
    }

    @Override
    public double slice(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        long cpu = Clock.threadNanos();
        long copies = 0;
        do {
            for (int i = 0; i < BATCH; i++) {
                MemorySegment.copy(from, at, to, at, bytes);
                at = !fromMemory || at + 2L * bytes > RdmaEndpoint.BYTES ? 0 : at + bytes;
            }
            copies += BATCH;
        } while (System.nanoTime() - end < 0);
        return (Clock.threadNanos() - cpu) / (double) copies;
    }

    @Override
    public void close() {
        arena.close();
    }
}
