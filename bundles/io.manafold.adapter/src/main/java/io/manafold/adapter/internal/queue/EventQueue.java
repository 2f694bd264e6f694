package io.manafold.adapter.internal.queue;

import io.manafold.memory.RawMemory;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;

/**
 * An event queue: entries of 16 bytes with owner bits, and a vector that is raised once per arming. Any thread may post
 * and ring.
 */
public final class EventQueue {
    public static final int ENTRY = 16;
    /** Event: a completion queue that was armed has something; the data is its number. */
    public static final int COMPLETION = 3;

    private static final int LAST = 12;

    private final int id;
    private final QueueMemory memory;
    private final Ring ring;
    private final Vector vector;
    private final Rejections rejections;
    /** Events are posted from any thread, also from ones that are no agents. */
    private final Reader reader;
    private long produced;
    private int consumer;
    private boolean armed = true;
    private boolean open = true;

    public EventQueue(int id, QueueMemory memory, Vector vector, Rejections rejections) {
        this.id = id;
        this.memory = memory;
        this.ring = new Ring(memory.bytes() / ENTRY);
        this.vector = vector;
        this.rejections = rejections;
        this.reader = Readers.open("event queue " + id);
        this.produced = ring.entries();
        this.consumer = ring.entries();
    }

    public int id() {
        return id;
    }

    /**
     * Writes an event, and raises the vector if the queue is armed.
     *
     * @return false if the queue is closed or its memory is gone
     */
    public boolean post(int type, int data0) {
        boolean fire;
        boolean full;
        synchronized (this) {
            if (!open || !write(type, data0)) {
                return false;
            }
            produced++;
            full = ring.distance(produced, consumer) == ring.entries() + 1;
            fire = armed;
            armed = false;
        }
        if (full) {
            rejections.note("event queue " + id, new byte[0],
                    "a driver consumes events before the queue comes round to them",
                    "ring the event queue's doorbell after each pass, with the index of the next event",
                    "an event that was not consumed was overwritten");
        }
        if (fire) {
            vector.signal();
        }
        return true;
    }

    /** A completion queue that sends its events here was written on over what its driver had not consumed. */
    void tellOverrun(int completionQueue, int behind) {
        rejections.note("completion queue " + completionQueue, new byte[0],
                "a driver consumes completions before the queue comes round",
                "consume more often, or post less than the queue holds: this driver was " + behind + " entries behind",
                "completions that were not consumed were overwritten");
    }

    /**
     * Whether the driver has consumed so much that an event which the driver does not wait for may be posted: half is
     * for completions.
     */
    public synchronized boolean hasRoom() {
        return ring.distance(produced, consumer) < ring.entries() / 2;
    }

    private boolean write(int type, int data0) {
        reader.enter();
        try {
            long entry = memory.at(ring.slot(produced) * ENTRY);
            if (entry == 0) {
                return false;
            }
            RawMemory.put32(entry, data0);
            RawMemory.put64(entry + 4, 0);
            RawMemory.putRelease32(entry + LAST, type & 0xff | ring.owner(produced));
            RawMemory.settle();
            return true;
        } catch (InternalError gone) { // the file behind the memory was made shorter
            return false;
        } finally {
            reader.leave();
        }
    }

    /** The driver rang: it has consumed up to an index, and perhaps wants to hear of the next event. */
    public void doorbell(int consumerIndex, boolean arm) {
        boolean fire = false;
        synchronized (this) {
            consumer = consumerIndex;
            if (arm) {
                boolean pending = ring.distance(produced, consumerIndex) != 0;
                fire = pending && open;
                armed = !pending;
            }
        }
        if (fire) {
            vector.signal();
        }
    }

    /** Ends the queue: when this returns nothing is written to its memory any more. */
    public void close() {
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
        }
        reader.close();
    }
}
