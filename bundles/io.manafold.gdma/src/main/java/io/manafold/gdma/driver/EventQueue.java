package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.memory.DmaPiece;

/** An event queue, read by one thread. Polling allocates nothing. */
public final class EventQueue extends EventRing {
    private final DoorbellPage page;
    private final int id;

    /** Over zeroed memory, {@code bytes} of it. */
    public EventQueue(DmaPiece memory, int bytes, DoorbellPage page, int id) {
        super(memory, bytes);
        this.page = page;
        this.id = id;
    }

    /** Goes on where events were read before the device had said what the queue is called. */
    EventQueue(EventRing before, DoorbellPage page, int id) {
        super(before);
        this.page = page;
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** Tells how far was read and asks for an interrupt: at once, if there is more already. */
    public void arm() {
        page.ring(Doorbell.EVENT, Doorbell.event(id, consumer(), true));
    }
}
