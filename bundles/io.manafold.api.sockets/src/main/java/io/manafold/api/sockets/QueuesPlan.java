package io.manafold.api.sockets;

import java.util.Objects;

/**
 * How queues are to be.
 *
 * @param name for people
 * @param knobs of which only those of queues matter, {@link Knob#ofQueues}
 * @param entries that the queue of completions holds at least, 16 to 1,048,576
 */
public record QueuesPlan(String name, Knobs knobs, int entries) {
    /** 4096 completions. */
    public static final QueuesPlan USUAL = new QueuesPlan("queues", Knobs.USUAL, 4096);

    public QueuesPlan {
        Objects.requireNonNull(name);
        Objects.requireNonNull(knobs);
    }

    public QueuesPlan named(String newName) {
        return new QueuesPlan(newName, knobs, entries);
    }

    public QueuesPlan with(Knobs newKnobs) {
        return new QueuesPlan(name, newKnobs, entries);
    }

    public QueuesPlan withEntries(int newEntries) {
        return new QueuesPlan(name, knobs, newEntries);
    }
}
