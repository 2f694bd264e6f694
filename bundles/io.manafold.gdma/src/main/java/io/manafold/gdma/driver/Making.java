package io.manafold.gdma.driver;

import io.manafold.api.refusal.Refusal;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue on its way into being. Each step asks the device and awaits what the step before has asked, so that the
 * questions about several queues travel together: how long it takes is counted in steps, not in queues.
 *
 * @param <T> what it becomes
 */
abstract class Making<T> {
    private final FunctionSession function;
    private final DmaArena memory;
    private final List<Area> areas = new ArrayList<>();

    /** Memory of the queue, and its region. */
    private static final class Area {
        private final DmaPiece piece;
        private Answer<Long> asked;
        private long region;

        Area(DmaPiece piece) {
            this.piece = piece;
        }

        long region() {
            if (asked != null) {
                Answer<Long> answer = asked;
                asked = null;
                region = answer.await();
            }
            return region;
        }
    }

    Making(ClientSession client) {
        function = client.function();
        memory = client.memory();
    }

    /** Takes memory and asks for its regions. */
    abstract void describe();

    /** Asks for the queue. */
    abstract void ask();

    /** Awaits it. */
    abstract T made();

    /** Has the device forget the queue if it has been made; true if its regions went with it. */
    abstract boolean forget();

    /** Makes all of them, or leaves nothing behind. */
    static <T> List<T> all(List<? extends Making<T>> several) {
        List<T> made = new ArrayList<>();
        try {
            several.forEach(Making::describe);
            several.forEach(Making::ask);
            several.forEach(one -> made.add(one.made()));
            return made;
        } catch (RuntimeException refused) {
            several.forEach(Making::undo);
            throw refused;
        }
    }

    final void area(int bytes) {
        Area area = new Area(memory.allocate(bytes));
        areas.add(area);
        area.asked = function.askRegion(area.piece, bytes);
    }

    final DmaPiece piece(int index) {
        return areas.get(index).piece;
    }

    final long region(int index) {
        return areas.get(index).region();
    }

    private void undo() {
        boolean gone = forget();
        for (Area area : areas) {
            if (!gone) {
                abandon(area);
            }
            memory.free(area.piece);
        }
    }

    private void abandon(Area area) {
        try {
            long region = area.region();
            if (region != 0) {
                function.abandonRegion(region);
            }
        } catch (Refusal _) {
            // it was not made, and why it came to this is what has to be said
        }
    }
}
