package io.manafold.benchmark;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.testkit.Blocks;

/** Registers a block that its function does not reach yet, and gives it back. */
final class Registrations implements Pairs.Ours, AutoCloseable {
    /** Pages told and the region made, and both taken back. */
    static final int CALLS = 4;

    private final VerbsEndpoint end;
    private final MemoryBlock block;
    private long count;
    private long nanos;

    Registrations(RdmaCase what, VerbsEndpoint end) {
        this.end = end;
        block = Blocks.source().make("registered", what.bytes());
    }

    @Override
    public void run(long time, boolean oneThread) {
        long begin = System.nanoTime();
        count = 0;
        do {
            end.verbs.register(block).close();
            count++;
            nanos = System.nanoTime() - begin;
        } while (nanos < time);
    }

    @Override
    public long packets() {
        return count;
    }

    @Override
    public long wallNanos() {
        return nanos;
    }

    @Override
    public long cpuNanos() {
        return nanos;
    }

    @Override
    public long[] threads(boolean oneThread) {
        return new long[] {Thread.currentThread().threadId()};
    }

    @Override
    public void close() {
        block.close();
    }
}
