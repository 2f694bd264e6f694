package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/** An event queue, read by one thread. Polling allocates nothing. */
public final class EventQueue extends WrittenRing {
    /** Over zeroed memory, {@code bytes} of it; the id and page may come later, by {@link #name}. */
    public EventQueue(DmaPiece memory, int bytes, Registers registers) {
        super(memory, bytes, EventEntry.SIZE, EventEntry.LAST, registers);
    }

    /**
     * Hands events over.
     *
     * @param max how many at most
     * @return how many
     */
    public int poll(EventHandler handler, int max) {
        int count = 0;
        for (long entry; count < max && (entry = next()) != 0; count++) {
            int data = RawMemory.get32(entry + EventEntry.DATA);
            consume();
            handler.event(EventEntry.type(last()), data);
        }
        return count;
    }

    /** Tells how far was read and asks for an interrupt: at once, if there is more already. */
    public void arm() {
        ring(Doorbell.EVENT, Doorbell.event(id(), consumer(), true));
    }
}
