package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.RawMemory;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.Pool;
import io.manafold.uring.ReceiveArea;

/**
 * A pool whose buffers are pages of an area of the ring, which the kernel fills by itself. It keeps its region's block
 * until the ring is closed, because the kernel does not forget an area before.
 */
final class UringArea extends Pool {
    static final int PAGE = RawMemory.PAGE;

    private final ReceiveArea area;
    private final HeldRegion region;
    /** Pieces of each page that the kernel has given out. */
    private final int[] pieces;
    private boolean ended;

    UringArea(UringQueues queues, HeldRegion region, int buffers) {
        super(queues, region, PAGE, buffers);
        this.region = region;
        pieces = new int[buffers];
        if (!region.pin()) {
            throw new Refusal(Errno.EFAULT, "The region of an area is closed.");
        }
        try {
            area = new ReceiveArea(queues.kernel(), region.address(), buffers);
        } catch (RuntimeException refused) {
            region.unpin();
            throw refused;
        }
    }

    /** Whether a pool of these sizes can be one. */
    static boolean fits(HeldRegion region, int bufferBytes, int buffers) {
        return bufferBytes == PAGE && (region.address() & PAGE - 1) == 0 && buffers <= ReceiveArea.MOST;
    }

    int id() {
        return area.id();
    }

    /** The buffer of what came, −1 if the kernel names none. */
    int buffer(long place, int bytes) {
        return area.page(place, bytes);
    }

    /** The kernel has put a piece into a buffer. */
    void filled(int buffer) {
        if (pieces[buffer]++ == 0) {
            // which one take answers does not matter: the kernel has chosen
            take();
        }
    }

    @Override
    protected void home(int buffer) {
        for (; pieces[buffer] > 0; pieces[buffer]--) {
            area.giveBack(buffer);
        }
        super.home(buffer);
    }

    /** What the kernel took for nothing is given to it again. */
    void refill(int buffer) {
        area.giveBack(buffer);
    }

    /** Has the kernel see what was given back. */
    void show() {
        if (!ended && area.waiting() > 0) {
            area.flush();
        }
    }

    @Override
    protected void ended() {
        ended = true;
    }

    /** The ring was closed, and with it the kernel lets go. */
    void abandon() {
        area.close();
        region.unpin();
    }
}
