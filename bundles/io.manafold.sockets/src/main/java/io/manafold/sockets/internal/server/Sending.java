package io.manafold.sockets.internal.server;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import java.lang.foreign.MemorySegment;

/** Sends bytes from somewhere until they end or the peer has gone. What comes is thrown away. */
final class Sending extends Conversation {
    private static final int PARTS = 3;
    private static final int PART = Slices.BYTES / (PARTS + 1);
    /** Of a receive: a peer that sends something all the same must not be cut off by it. */
    private static final long DRAIN = PARTS;

    private final Bytes bytes;
    private long position;
    private boolean isOver;
    private boolean isFinished;
    private boolean hasPeerEnded;

    /** Where the bytes are from. */
    @FunctionalInterface
    interface Bytes {
        /**
         * Fills memory with those from a position on.
         *
         * @return how many; 0 if there are no more
         */
        int fill(long position, MemorySegment memory);
    }

    Sending(Endpoint endpoint, Slice slice, Bytes bytes) {
        super(endpoint, slice);
        this.bytes = bytes;
    }

    @Override
    void begin() {
        for (int part = 0; part < PARTS; part++) {
            send(part);
        }
        drain();
    }

    private void drain() {
        endpoint().receive(slice().region().key(), slice().offset() + DRAIN * PART, PART, DRAIN);
    }

    private void send(long part) {
        if (isOver) {
            return;
        }
        int length = bytes.fill(position, slice().segment(part * PART, PART));
        if (length == 0) {
            isOver = true;
            endpoint().finish(0);
            return;
        }
        position += length;
        endpoint().send(slice().region().key(), slice().offset() + part * PART, length, part);
    }

    @Override
    void completed(Completions completions, int index) {
        if (completions.errno(index) != 0) {
            endpoint().close();
            return;
        }
        switch (completions.operation(index)) {
            case SEND -> {
                if (completions.has(index, Completions.FREE)) {
                    send(completions.tag(index));
                }
            }
            case RECEIVE -> {
                hasPeerEnded = completions.has(index, Completions.END);
                if (!hasPeerEnded) {
                    drain();
                }
            }
            case FINISH -> isFinished = true;
            default -> {
                // nothing else is begun here
            }
        }
        if (isFinished && hasPeerEnded) {
            endpoint().close();
        }
    }
}
