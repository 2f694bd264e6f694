package io.manafold.roce;

/** To be filled. */
public final class Responder {
    public static final int IGNORE = 0;
    public static final int REPEAT_READ = 1;
    public static final int SEND = 2;
    public static final int WRITE = 3;
    public static final int READ = 4;
    public static final int ANSWERED = 5;
    public static final int INVALID = 6;
    /** The longest message. */
    public static final int MOST_BYTES = 1 << 24;

    public long duplicates;
    public long outOfSequence;
    public long rnr;
    public long invalid;
    public long accessErrors;
    public long operationErrors;

    public Responder(int mostReads) {
        throw new UnsupportedOperationException("not yet");
    }

    public void reset() {
        throw new UnsupportedOperationException("not yet");
    }

    public void start(int psn, int mtu, int mostReads) {
        throw new UnsupportedOperationException("not yet");
    }

    public int judge(long now, Packet packet) {
        throw new UnsupportedOperationException("not yet");
    }

    public void notReady(long now, int timerCode) {
        throw new UnsupportedOperationException("not yet");
    }

    public void executed(Packet packet) {
        throw new UnsupportedOperationException("not yet");
    }

    public void refuse(int syndrome) {
        throw new UnsupportedOperationException("not yet");
    }

    public void acceptRead(Packet packet) {
        throw new UnsupportedOperationException("not yet");
    }

    public int messageOffset() {
        throw new UnsupportedOperationException("not yet");
    }

    public long writeAddress() {
        throw new UnsupportedOperationException("not yet");
    }

    public int writeKey() {
        throw new UnsupportedOperationException("not yet");
    }

    public int writeLength() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean next(Packet packet) {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean hasAnswer() {
        throw new UnsupportedOperationException("not yet");
    }

    public long readAddress() {
        throw new UnsupportedOperationException("not yet");
    }

    public int readKey() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isBroken() {
        throw new UnsupportedOperationException("not yet");
    }

    public int expectedPsn() {
        throw new UnsupportedOperationException("not yet");
    }

    public int msn() {
        throw new UnsupportedOperationException("not yet");
    }
}
