package io.manafold.commands.lab.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** For how long at most no frame came to an adapter's places on its links, while frames are sent there. */
final class StormGap implements AutoCloseable {
    /** Frames that come for anything else, as for a neighbour that is looked for, are no traffic. */
    private static final int TRAFFIC = 10;
    private static final long GLANCE = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(500);

    private final LongSupplier frames;
    private final Thread thread;
    private volatile boolean ends;
    private long last;
    private long came;
    private long since;
    private long longest;

    /** @param frames how many have come so far */
    StormGap(LongSupplier frames) {
        this.frames = frames;
        thread = Thread.ofPlatform().daemon().name("manafold-storm-gaps").unstarted(this::watch);
    }

    /** What has come before is no traffic of now. */
    void start() {
        look(frames.getAsLong(), System.nanoTime());
        thread.start();
    }

    private void watch() {
        while (!ends) {
            look(frames.getAsLong(), System.nanoTime());
            LockSupport.parkNanos(GLANCE);
        }
    }

    /** So many frames have come by now. */
    synchronized void look(long count, long now) {
        if (count != last) {
            longest = Math.max(longest, now - since);
            since = now;
            came += count - last;
            last = count;
        }
    }

    /** From here on. */
    synchronized void begin(long now) {
        since = now;
        came = 0;
        longest = 0;
    }

    /** Waits a moment for frames that come again; what is silent still then is a gap, too. */
    long end() {
        long from = System.nanoTime();
        while (isSilent(from) && System.nanoTime() - from < PATIENCE) {
            LockSupport.parkNanos(GLANCE);
        }
        return told(System.nanoTime());
    }

    private synchronized boolean isSilent(long from) {
        return came >= TRAFFIC && since < from;
    }

    /** Nanoseconds, 0 where so few frames came that it tells nothing. */
    synchronized long told(long now) {
        return came < TRAFFIC ? 0 : Math.max(longest, now - since);
    }

    @Override
    public void close() {
        ends = true;
        LockSupport.unpark(thread);
    }
}
