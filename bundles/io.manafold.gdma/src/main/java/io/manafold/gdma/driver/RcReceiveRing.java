package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaPiece;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The receives of a reliable connection: the ring, and a queue of what waits for messages. One thread posts, another
 * may take completions; neither waits for the other, and nothing is allocated.
 */
public final class RcReceiveRing {
    private static final VarHandle POSTED = handle("posted");
    private static final VarHandle COMPLETED = handle("completed");

    private final DmaPiece memory;
    private final int bytes;
    private final DoorbellPage page;
    private final int number;
    private final long[] ids;
    private final int[] sizes;
    private final long[] lengths;
    private final int mask;
    private final int limit;

    // of the thread that posts
    private WorkQueue queue;
    private int reclaimed;
    private long length;

    /** Written by the thread that posts. */
    private int posted;
    /** Written by the thread that takes completions. */
    private int completed;
    private int oldest;

    /**
     * Over memory.
     *
     * @param bytes of the ring, a power of two
     * @param limit how many receives may wait
     */
    public RcReceiveRing(DmaPiece memory, int bytes, int limit, DoorbellPage page, int number) {
        this.memory = memory;
        this.bytes = bytes;
        this.page = page;
        this.number = number;
        this.limit = limit;
        int slots = Integer.highestOneBit(Math.max(1, 2 * limit - 1));
        mask = slots - 1;
        ids = new long[slots];
        sizes = new int[slots];
        lengths = new long[slots];
        begin();
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(RcReceiveRing.class, field, int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Counts all from the beginning, as the device does after a reset; neither thread is at work. */
    public void begin() {
        queue = new WorkQueue(memory, bytes, Doorbell.RECEIVE, page, number);
        reclaimed = 0;
        oldest = 0;
        COMPLETED.setVolatile(this, 0);
        POSTED.setVolatile(this, 0);
    }

    // ---- the thread that posts

    /** Whether there is room for a receive. */
    public boolean hasRoom(int pieces) {
        int done = (int) COMPLETED.getAcquire(this);
        while (reclaimed != done) {
            queue.complete(sizes[reclaimed++ & mask]);
        }
        return posted - reclaimed < limit && queue.free() >= WorkRequest.size(pieces, WorkRequest.INLINE_SHORT);
    }

    /**
     * Begins a receive, for which there is room; its pieces follow.
     *
     * @param bytesInAll of all pieces
     */
    public void begin(int pieces, long bytesInAll) {
        length = bytesInAll;
        queue.begin(0, RdmaReceiveRequest.receive(pieces));
        queue.put32(WorkRequest.INLINE, 0);
        queue.put32(WorkRequest.INLINE + 4, 0);
    }

    /** Writes a piece of the receive, counted from 0. */
    public void piece(int index, long address, int key, int pieceLength) {
        queue.piece(index, address, key, pieceLength);
    }

    /** Ends the receive; the device learns of it with {@link #ring}. */
    public void commit(long id) {
        int slot = posted & mask;
        sizes[slot] = queue.commit();
        ids[slot] = id;
        lengths[slot] = length;
        POSTED.setRelease(this, posted + 1);
    }

    /** Tells the device of all receives that were committed since. */
    public void ring() {
        queue.ring();
    }

    // ---- the thread that takes completions

    /** Whether a receive waits. */
    public boolean hasOldest() {
        return completed != (int) POSTED.getAcquire(this);
    }

    /** Whether a completion names the oldest receive, as it must. */
    public boolean isOldest(int requestOffset) {
        return hasOldest() && requestOffset == oldest;
    }

    /** What the oldest receive is called. */
    public long id() {
        return ids[completed & mask];
    }

    /** How many bytes the oldest receive has room for. */
    public long length() {
        return lengths[completed & mask];
    }

    /** The oldest receive is complete. */
    public void retire() {
        oldest += sizes[completed & mask];
        COMPLETED.setRelease(this, completed + 1);
    }

    /** Receives that are complete, modulo 2^32. */
    public int completed() {
        return (int) COMPLETED.getAcquire(this);
    }

    /** Receives that were posted, modulo 2^32. */
    public int posted() {
        return (int) POSTED.getAcquire(this);
    }

    /** The ring, for those who write something else into it. */
    public WorkQueue queue() {
        return queue;
    }
}
