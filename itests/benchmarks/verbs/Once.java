package io.manafold.benchmark;

/** Something that is done once for many messages, done again and again by the calling thread. */
abstract class Once implements Pairs.Ours, AutoCloseable {
    private long count;
    private long nanos;

    /** Does it once; answers the nanoseconds that count. */
    abstract long once() throws InterruptedException;

    @Override
    public final void run(long time, boolean oneThread) throws InterruptedException {
        count = 0;
        nanos = 0;
        do {
            nanos += once();
            count++;
        } while (nanos < time);
    }

    @Override
    public final long packets() {
        return count;
    }

    @Override
    public final long wallNanos() {
        return nanos;
    }

    /** It mostly waits for other threads. */
    @Override
    public final long cpuNanos() {
        return nanos;
    }

    @Override
    public final long[] threads(boolean oneThread) {
        return new long[] {Thread.currentThread().threadId()};
    }

    @Override
    public abstract void close();
}
