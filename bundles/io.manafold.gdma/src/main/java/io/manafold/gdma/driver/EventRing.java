package io.manafold.gdma.driver;

import io.manafold.gdma.EventEntry;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * Events to be read by one thread, in memory that the device knows; an {@link EventQueue} can also ask for interrupts.
 */
public sealed class EventRing extends WrittenRing permits EventQueue {
    /** Over zeroed memory, {@code bytes} of it. */
    EventRing(DmaPiece memory, int bytes) {
        super(memory, bytes, EventEntry.SIZE, EventEntry.LAST);
    }

    EventRing(EventRing before) {
        super(before);
    }

    /**
     * Hands events over.
     *
     * @param max how many at most
     * @return how many
     */
    public final int poll(EventHandler handler, int max) {
        int count = 0;
        for (long entry; count < max && (entry = next()) != 0; count++) {
            int data = RawMemory.get32(entry + EventEntry.DATA);
            consume();
            handler.event(EventEntry.type(last()), data);
        }
        return count;
    }
}
