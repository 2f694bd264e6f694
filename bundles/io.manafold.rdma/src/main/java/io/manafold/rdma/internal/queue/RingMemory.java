package io.manafold.rdma.internal.queue;

import io.manafold.memory.DmaPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Memory of several rings on their way into a queue pair, to which it belongs once that has been made. */
final class RingMemory {
    private final QueueDevice home;
    private final List<DmaPiece> pieces = new ArrayList<>();
    private final List<Long> regions = new ArrayList<>();

    RingMemory(QueueDevice home, int... sizes) {
        this.home = home;
        try {
            for (int bytes : sizes) {
                DmaPiece piece = home.client().memory().allocate(bytes);
                pieces.add(piece);
                regions.add(home.client().function().createRegion(piece, bytes));
            }
        } catch (RuntimeException refused) {
            undo();
            throw refused;
        }
    }

    DmaPiece piece(int index) {
        return pieces.get(index);
    }

    long region(int index) {
        return regions.get(index);
    }

    List<DmaPiece> pieces() {
        return List.copyOf(pieces);
    }

    /** Makes what the memory is for, or gives it back. */
    <T> T use(Supplier<T> making) {
        try {
            return making.get();
        } catch (RuntimeException refused) {
            undo();
            throw refused;
        }
    }

    private void undo() {
        regions.forEach(home.client().function()::abandonRegion);
        home.free(pieces);
    }
}
