package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.Pool;
import io.manafold.uring.BufferRing;

/** A pool whose free buffers are all with the kernel, which picks those that it fills. */
final class UringPool extends Pool {
    private final UringQueues queues;
    private final BufferRing ring;
    private final long address;
    /** Buffers in the order in which the kernel was given them, and where in it each was last. */
    private final int[] order;
    private final int[] places;
    private int given;

    UringPool(UringQueues queues, HeldRegion region, int bufferBytes, int buffers, int group) {
        super(queues, region, bufferBytes, buffers);
        if (buffers > BufferRing.MOST) {
            throw new Refusal(Errno.EINVAL, "A pool of the transport uring has " + BufferRing.MOST
                    + " buffers at most, not " + buffers + "; make several, or larger buffers.");
        }
        this.queues = queues;
        address = region.address();
        int entries = buffers == 1 ? 1 : Integer.highestOneBit(buffers - 1) << 1;
        ring = new BufferRing(queues.kernel(), entries, group);
        order = new int[entries];
        places = new int[buffers];
        for (int i = 0; i < buffers; i++) {
            give(i);
        }
        ring.publish();
    }

    int group() {
        return ring.group();
    }

    private void give(int buffer) {
        order[given & order.length - 1] = buffer;
        places[buffer] = given;
        given++;
        ring.add(address + offset(buffer), bufferBytes(), buffer);
    }

    /** Where a buffer, which the kernel has, is in the order in which it was given them. */
    int place(int buffer) {
        return places[buffer];
    }

    /** The buffer that the kernel was given there. */
    int at(int place) {
        return order[place & order.length - 1];
    }

    /** The kernel has filled a buffer: it is with the program, or on its way there. */
    void filled() {
        // which one take answers does not matter: the kernel has chosen
        take();
    }

    @Override
    protected void home(int buffer) {
        give(buffer);
        ring.publish();
        super.home(buffer);
    }

    @Override
    protected void ended() {
        leave();
    }

    /** What the kernel took for nothing is given to it again. */
    void refill(int buffer) {
        give(buffer);
        ring.publish();
    }

    /** The ring was closed before. */
    void abandon() {
        ring.abandon();
    }

    /** Takes it from the ring. */
    void leave() {
        if (queues.forget(this)) {
            ring.close();
        }
    }
}
