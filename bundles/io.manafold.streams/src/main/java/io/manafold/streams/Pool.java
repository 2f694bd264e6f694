package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;

/**
 * Buffers of equal size in a region, each free, being filled, or lent as often as it was delivered. Its own use keeps
 * the region's block. For the thread that serves its queues.
 */
public class Pool implements ReceivePool {
    private final StreamQueues queues;
    private final HeldRegion region;
    private final int bufferBytes;
    private final int[] lent;
    /** In the order in which they came back, so that they go on lying one after the other in memory. */
    private final int[] free;
    private int firstFree;
    private int freeCount;
    private int armed;
    private boolean closed;

    /** @param region in use already, for the pool */
    protected Pool(StreamQueues queues, HeldRegion region, int bufferBytes, int buffers) {
        this.queues = queues;
        this.region = region;
        this.bufferBytes = bufferBytes;
        lent = new int[buffers];
        free = new int[buffers];
        for (int i = 0; i < buffers; i++) {
            free[i] = i;
        }
        freeCount = buffers;
    }

    @Override
    public final HeldRegion region() {
        return region;
    }

    @Override
    public final int bufferBytes() {
        return bufferBytes;
    }

    @Override
    public final int buffers() {
        return lent.length;
    }

    @Override
    public final int free() {
        return freeCount;
    }

    final StreamQueues queues() {
        return queues;
    }

    /** Where a buffer begins in the region. */
    public final long offset(int buffer) {
        return (long) buffer * bufferBytes;
    }

    /** Takes a free buffer; there is one. */
    public final int take() {
        int buffer = free[firstFree];
        firstFree = firstFree + 1 == free.length ? 0 : firstFree + 1;
        freeCount--;
        return buffer;
    }

    /** The one that {@link #take} would give after so many others. */
    public final int peek(int after) {
        return free[(firstFree + after) % free.length];
    }

    /** A buffer that was taken and not filled is free again. */
    public final void untake(int buffer) {
        free[(firstFree + freeCount++) % free.length] = buffer;
    }

    /** One more delivery out of it. */
    public final void lend(int buffer) {
        lent[buffer]++;
    }

    @Override
    public final void giveBack(int buffer) {
        queues.enter();
        try {
            taken(buffer);
        } finally {
            queues.leave();
        }
    }

    /** As {@link #giveBack}, inside. */
    final void taken(int buffer) {
        if (buffer < 0 || buffer >= lent.length || lent[buffer] == 0) {
            throw new Refusal(Errno.EINVAL, "Buffer " + buffer
                    + " is not lent: give each delivery back once, by the number that its completion has.");
        }
        lent[buffer]--;
        // once it has ended, what a transport had of its buffers is gone
        if (lent[buffer] == 0 && !closed) {
            home(buffer);
        }
    }

    /** The last delivery of a buffer has come back. */
    protected void home(int buffer) {
        untake(buffer);
        queues.retry();
    }

    /** How many deliveries of a buffer are out. */
    protected final int lent(int buffer) {
        return lent[buffer];
    }

    final void arm() {
        if (closed) {
            throw new Refusal(Errno.EBADF, "The pool is closed; make another.");
        }
        armed++;
    }

    final void disarm() {
        armed--;
    }

    @Override
    public final void close() {
        queues.enter();
        try {
            if (closed) {
                return;
            }
            if (armed > 0) {
                throw new Refusal(Errno.EBUSY, "The pool is in use by " + armed
                        + " endpoints; cancel their receives or close them first.");
            }
            end();
        } finally {
            queues.leave();
        }
    }

    final void end() {
        if (!closed) {
            closed = true;
            queues.forget(this);
            ended();
            region.giveBack();
        }
    }

    /** What a transport does at the end of one. */
    protected void ended() {
        // nothing of the kernel's is behind it
    }

    static void check(Region region, int bufferBytes, int buffers) {
        if (bufferBytes < 64 || buffers < 1 || (long) bufferBytes * buffers > region.length()) {
            throw new Refusal(Errno.EINVAL, "A region of " + region.length() + " bytes does not divide into " + buffers
                    + " buffers of " + bufferBytes + " bytes; a buffer has at least 64.");
        }
    }
}
