package io.manafold.sockets.internal.server;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.Sockets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Memory for connections: blocks of 32 slices, made as they are needed. For one thread. */
final class Slices implements AutoCloseable {
    static final int BYTES = 32 << 10;
    private static final int SLICES = 32;

    private final Sockets sockets;
    private final MemorySource memory;
    private final List<Region> regions = new ArrayList<>();
    private final ArrayDeque<Slice> free = new ArrayDeque<>();

    Slices(Sockets sockets, MemorySource memory) {
        this.sockets = sockets;
        this.memory = memory;
    }

    Slice take() {
        if (free.isEmpty()) {
            MemoryBlock block = memory.make("connections of a server", (long) SLICES * BYTES);
            try {
                Region region = sockets.register(block, Region.SEND | Region.RECEIVE);
                regions.add(region);
                for (int i = 0; i < SLICES; i++) {
                    free.add(new Slice(region, i));
                }
            } finally {
                // the region holds it
                block.close();
            }
        }
        return free.pop();
    }

    /** The one used last is the next: its memory is touched already. */
    void giveBack(Slice slice) {
        free.push(slice);
    }

    @Override
    public void close() {
        regions.forEach(Region::close);
    }
}
