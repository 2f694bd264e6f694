package io.manafold.roce;

/** To be filled. */
public final class Requester {
    public static final int RETRIES = 1;
    public static final int RNR_RETRIES = 2;
    public static final int REMOTE_INVALID = 3;
    public static final int REMOTE_ACCESS = 4;
    public static final int REMOTE_OPERATION = 5;
    public static final int BAD_RESPONSE = 6;
    public static final int LOCAL = 7;
    public static final int DEFAULT_WINDOW = 256;
    public static final int FOR_EVER = 7;

    public long timeouts;
    public long sequenceNaks;
    public long rnrNaks;
    public long impliedNaks;
    public long readMismatches;
    public long retransmitted;

    public Requester(int most) {
        throw new UnsupportedOperationException("not yet");
    }

    public void reset() {
        throw new UnsupportedOperationException("not yet");
    }

    public void window(int packets) {
        throw new UnsupportedOperationException("not yet");
    }

    public void start(int psn, int mtu, int retries, int rnrRetries, long timeoutNanos, int mostReads) {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isFull() {
        throw new UnsupportedOperationException("not yet");
    }

    public int nextPsn() {
        throw new UnsupportedOperationException("not yet");
    }

    public int post(int operation, int length, boolean solicited, boolean fence, long remoteAddress, int remoteKey, int immediate, long context) {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean next(long now, Packet packet) {
        throw new UnsupportedOperationException("not yet");
    }

    public long context() {
        throw new UnsupportedOperationException("not yet");
    }

    public int offset() {
        throw new UnsupportedOperationException("not yet");
    }

    public void acknowledge(long now, int psn, int syndrome, int msn) {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean readResponse(long now, Packet packet) {
        throw new UnsupportedOperationException("not yet");
    }

    public void placed(long now) {
        throw new UnsupportedOperationException("not yet");
    }

    public int acknowledged() {
        throw new UnsupportedOperationException("not yet");
    }

    public int lastMsn() {
        throw new UnsupportedOperationException("not yet");
    }

    public int outstanding() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean hasUnsent() {
        throw new UnsupportedOperationException("not yet");
    }

    public long deadline() {
        throw new UnsupportedOperationException("not yet");
    }

    public void expire(long now) {
        throw new UnsupportedOperationException("not yet");
    }

    public void fail(int failure) {
        throw new UnsupportedOperationException("not yet");
    }

    public int failure() {
        throw new UnsupportedOperationException("not yet");
    }

    public int failedPsn() {
        throw new UnsupportedOperationException("not yet");
    }
}
