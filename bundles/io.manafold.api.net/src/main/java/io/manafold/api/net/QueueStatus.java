package io.manafold.api.net;

/**
 * A queue of a network device as its driver has it at a moment. Its numbers are read one after the other while packets
 * pass, and need not fit each other.
 *
 * @param receive whether packets arrive by it, and do not leave
 * @param number among those of its direction
 * @param id what the function calls it
 * @param entries how many requests it has room for
 * @param head where the driver puts the next request, in entries from the beginning of the ring
 * @param tail where the oldest request is that is not complete
 * @param posted entries whose requests are not complete: buffers for packets, or what is sent
 * @param stopped whether it takes no packets since it is full
 * @param completionQueue what the function calls its completion queue
 * @param armed whether an interrupt is asked for
 * @param eventQueue what the function calls the event queue that tells of its completions
 * @param vector the interrupt of that
 * @param shares entries of the indirection table that lead to it, 0 for a send queue
 * @param events how its interrupts come
 * @param work what its driver does with it
 */
public record QueueStatus(boolean receive, int number, int id, int entries, int head, int tail, int posted,
        boolean stopped, int completionQueue, boolean armed, int eventQueue, int vector, int shares,
        QueueEvents events, QueueWork work) {
    /** With a driver of which nothing is told. */
    public QueueStatus(boolean receive, int number, int id, int entries, int head, int tail, int posted,
            boolean stopped, int completionQueue, boolean armed, int eventQueue, int vector, int shares,
            QueueEvents events) {
        this(receive, number, id, entries, head, tail, posted, stopped, completionQueue, armed, eventQueue, vector,
                shares, events, QueueWork.NONE);
    }

    /** With interrupts and a driver of which nothing is told. */
    public QueueStatus(boolean receive, int number, int id, int entries, int head, int tail, int posted,
            boolean stopped, int completionQueue, boolean armed, int eventQueue, int vector, int shares) {
        this(receive, number, id, entries, head, tail, posted, stopped, completionQueue, armed, eventQueue, vector,
                shares, QueueEvents.NONE);
    }

    /** Its name: {@code rx-0}. */
    public String name() {
        return (receive ? "rx-" : "tx-") + number;
    }
}
