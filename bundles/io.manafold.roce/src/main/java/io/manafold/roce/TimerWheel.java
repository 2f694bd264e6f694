package io.manafold.roce;

/** To be filled. */
public final class TimerWheel {

    public TimerWheel(int capacity, long tickNanos) {
        throw new UnsupportedOperationException("not yet");
    }

    public void schedule(int id, long deadline) {
        throw new UnsupportedOperationException("not yet");
    }

    public void cancel(int id) {
        throw new UnsupportedOperationException("not yet");
    }

    public int expired(long now, int[] into) {
        throw new UnsupportedOperationException("not yet");
    }

    public long next() {
        throw new UnsupportedOperationException("not yet");
    }
}
