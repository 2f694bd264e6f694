package io.manafold.benchmark;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.testkit.Blocks;

/** Registers a block that its function does not reach yet, and gives it back. */
final class Registrations extends Once {
    /** Pages told and the region made, and both taken back. */
    static final int CALLS = 4;

    private final VerbsEndpoint end;
    private final MemoryBlock block;

    Registrations(RdmaCase what, VerbsEndpoint end) {
        this.end = end;
        block = Blocks.source().make("registered", what.bytes());
    }

    @Override
    long once() {
        long begin = System.nanoTime();
        end.verbs.register(block).close();
        return System.nanoTime() - begin;
    }

    @Override
    public void close() {
        block.close();
    }
}
