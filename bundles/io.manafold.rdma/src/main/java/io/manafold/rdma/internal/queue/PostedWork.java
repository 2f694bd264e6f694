package io.manafold.rdma.internal.queue;

import io.manafold.gdma.driver.WorkQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The requests of a work queue that are under way, in their order. One thread posts, another may take completions;
 * neither waits for the other, and nothing is allocated. What is under way is remembered outside of the memory that the
 * device writes.
 */
final class PostedWork {
    private static final VarHandle POSTED = handle("posted");
    private static final VarHandle COMPLETED = handle("completed");

    private final WorkQueue queue;
    private final long[] ids;
    private final int[] sizes;
    private final long[] lengths;
    private final boolean[] silent;
    private final int mask;
    private final int limit;

    /** Of the thread that posts: how far room was made. */
    private int reclaimed;
    /** Written by the thread that posts. */
    private int posted;
    /** Written by the thread that takes completions. */
    private int completed;
    private int oldest;

    /** @param limit how many requests may be under way */
    PostedWork(WorkQueue queue, int limit) {
        this.queue = queue;
        this.limit = limit;
        int slots = Integer.highestOneBit(Math.max(1, 2 * limit - 1));
        mask = slots - 1;
        ids = new long[slots];
        sizes = new int[slots];
        lengths = new long[slots];
        silent = new boolean[slots];
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(PostedWork.class, field, int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    // ---- the thread that posts

    /** Where requests are written. */
    WorkQueue queue() {
        return queue;
    }

    /** Whether there is room for a request of so many bytes. */
    boolean hasRoom(int bytes) {
        int done = (int) COMPLETED.getAcquire(this);
        while (reclaimed != done) {
            queue.complete(sizes[reclaimed++ & mask]);
        }
        return posted - reclaimed < limit && queue.free() >= bytes;
    }

    /**
     * Ends the request that was written last; the device learns of it when the queue is rung.
     *
     * @param length of its memory in bytes
     * @param isSilent whether it completes with a later one, unless it fails
     */
    void commit(long id, long length, boolean isSilent) {
        int slot = posted & mask;
        sizes[slot] = queue.commit();
        ids[slot] = id;
        lengths[slot] = length;
        silent[slot] = isSilent;
        POSTED.setRelease(this, posted + 1);
    }

    boolean isUnused() {
        return (int) POSTED.getAcquire(this) == 0;
    }

    // ---- the thread that takes completions

    /** Whether something is under way. */
    boolean hasOldest() {
        return completed != (int) POSTED.getAcquire(this);
    }

    /** Where the oldest request lies in the ring. */
    int place() {
        return oldest & queue.bytes() - 1;
    }

    /** What the oldest request is called. */
    long id() {
        return ids[completed & mask];
    }

    /** How many bytes the memory of the oldest request has. */
    long length() {
        return lengths[completed & mask];
    }

    boolean isSilent() {
        return silent[completed & mask];
    }

    /** The oldest request is complete. */
    void retire() {
        oldest += sizes[completed & mask];
        COMPLETED.setRelease(this, completed + 1);
    }
}
