package io.manafold.sockets.rdma.internal;

/**
 * Messages on their way to the peer, each with the sends that are all gone with it. The device is done with them in
 * their order. For the thread that serves the queues.
 */
final class Outgoing {
    /** Messages with data that are on their way at most; as many more as {@link Window#CONTROL} have none. */
    static final int MOST = 16;

    private final long[] upTo = new long[32];
    private long head;
    private long tail;
    private int credits;
    private int window;
    private int bytes;
    private boolean isAskable;
    /** The place of the oldest send whose memory is not free. */
    private long free;

    /** The peer has said what it takes. */
    void peer(Hello hello) {
        window = hello.window();
        credits = hello.window();
        bytes = hello.bytes();
        isAskable = hello.isAskable();
    }

    /** Bytes that a message has at most. */
    int bytes() {
        return bytes;
    }

    /** Whether the peer may be asked if it is there. */
    boolean isAskable() {
        return isAskable;
    }

    boolean hasRoom() {
        return credits > 0 && inFlight() < MOST;
    }

    int inFlight() {
        return (int) (tail - head);
    }

    /** The peer takes more; false if it cannot be so many. */
    boolean credit(int more) {
        credits += more;
        return credits <= window;
    }

    /** A message with data is posted, and with it all sends before this place are gone. */
    void data(long place) {
        credits--;
        control(place);
    }

    /** A message without data is posted. */
    void control(long place) {
        upTo[(int) tail++ & upTo.length - 1] = place;
    }

    boolean isNone() {
        return head == tail;
    }

    /** The device is done with the oldest message: up to which place sends are free. */
    long done() {
        return upTo[(int) head++ & upTo.length - 1];
    }

    /** All of them come to nothing. */
    void forget() {
        head = tail;
    }

    long free() {
        return free;
    }

    void free(long place) {
        free = place;
    }
}
