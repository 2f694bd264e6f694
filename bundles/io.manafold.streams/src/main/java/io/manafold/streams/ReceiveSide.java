package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Region;

/** What an endpoint receives: into ranges that are posted, or into a pool. For the thread that serves its queues. */
public final class ReceiveSide {
    /** Of the notes: posted by the channel view, which hears of it instead of the program. */
    private static final int OF_CHANNEL = 1;

    private final StreamEndpoint endpoint;
    private final CompletionRing ring;
    private final ReceiveQueue queue;
    private Pool pool;
    private long poolTag;
    private boolean ended;

    ReceiveSide(StreamEndpoint endpoint, CompletionRing ring, int limit) {
        this.endpoint = endpoint;
        this.ring = ring;
        queue = new ReceiveQueue(limit);
    }

    /** What is posted. */
    public ReceiveQueue queue() {
        return queue;
    }

    /** What it is armed with, {@code null} if it is not. */
    public Pool pool() {
        return pool;
    }

    /** Whether the peer sends no more. */
    public boolean isEnded() {
        return ended;
    }

    /** Whether there is anything that data could be put into. */
    public boolean isWanted() {
        return pool != null || !queue.isEmpty();
    }

    int room() {
        return Math.min(queue.room(), Math.max(0, ring.room()));
    }

    // ---- posting

    void post(int key, long offset, int length, long tag, boolean ofChannel) {
        endpoint.checkUsable();
        if (pool != null) {
            throw new Refusal(Errno.EBUSY, "The endpoint " + endpoint.name()
                    + " receives into a pool; cancel that before receives are posted.");
        }
        if (queue.room() == 0) {
            throw new Refusal(Errno.ENOBUFS, "The receive queue of " + endpoint.name() + " is full with "
                    + queue.count() + " receives; poll completions first, or connect with a plan for more.");
        }
        if (!ofChannel && ring.room() < 1) {
            throw SendSide.noCompletions(endpoint, ring);
        }
        HeldRegion region = endpoint.regions().use(key, offset, length, Region.RECEIVE);
        queue.add(tag, region, offset, length, ofChannel ? OF_CHANNEL : 0, System.nanoTime());
        if (!ofChannel) {
            ring.reserve(1);
        }
        endpoint.counts().pinned += length;
        endpoint.begins();
    }

    void arm(Pool wanted, long tag) {
        endpoint.checkUsable();
        if (pool != null || !queue.isEmpty()) {
            throw new Refusal(Errno.EBUSY, "The endpoint " + endpoint.name()
                    + (pool != null ? " receives into a pool already."
                    : " has receives posted; cancel them before it receives into a pool."));
        }
        if (ring.room() < 1) {
            throw SendSide.noCompletions(endpoint, ring);
        }
        wanted.arm();
        // of the end, whichever it is
        ring.reserve(1);
        pool = wanted;
        poolTag = tag;
        endpoint.begins();
    }

    // ---- what the transport says

    /**
     * Bytes have come into the oldest posted receives, one after the other.
     *
     * @param calls of the kernel that it took
     * @param filled over how many receives they are spread
     */
    public void received(long bytes, int calls, int filled, String because) {
        long now = System.nanoTime();
        long left = bytes;
        while (left > 0) {
            long part = Math.min(left, queue.length(0));
            left -= part;
            complete(part, 0, 0, filled, calls, Paths.COPIED, null, because, now);
        }
    }

    /**
     * Bytes have come into a buffer of the pool, which is lent with this.
     *
     * @param offset in the region
     * @param filled over how many buffers the operation was spread
     */
    public void delivered(int buffer, long offset, int bytes, int filled, int calls, int path, String kernel,
            String because, long posted) {
        Counts counts = endpoint.counts();
        counts.receivedBytes += bytes;
        counts.receivedTransfers++;
        if (path == Paths.AREA) {
            counts.area++;
        } else {
            counts.pooled++;
        }
        pool.lend(buffer);
        long now = System.nanoTime();
        endpoint.history().add(Operation.RECEIVE, bytes, path, kernel, because, false, filled, calls, 0, posted,
                now, now, 0);
        ring.add(endpoint, Operation.RECEIVE, poolTag, Completions.POOLED | Completions.FREE | Completions.MORE,
                0, bytes);
        ring.placeOfLast(pool.region().key(), offset, buffer);
        ring.poolOfLast(pool);
        endpoint.heardByView();
    }

    /** The peer sends no more. */
    public void end() {
        ended = true;
        endOf(0, null);
        endpoint.phaseChanged();
        endpoint.heardByView();
    }

    /** All that is posted or armed comes to nothing. */
    void fail(int errno, String because) {
        endOf(errno, because);
        endpoint.heardByView();
    }

    private void endOf(int errno, String because) {
        int flag = errno == 0 ? Completions.END : 0;
        long now = System.nanoTime();
        while (!queue.isEmpty()) {
            complete(0, errno, flag, 1, 0, Paths.COPIED, null, because, now);
        }
        if (pool != null) {
            pool.disarm();
            pool = null;
            if (errno != 0) {
                endpoint.counts().errors++;
            }
            ring.unreserve(1);
            ring.add(endpoint, Operation.RECEIVE, poolTag, Completions.FREE | flag, errno, 0);
        }
    }

    /** The end of the stream, for what is posted after it. */
    public void endAgain() {
        endOf(0, null);
    }

    private void complete(long bytes, int errno, int flag, int filled, int calls, int path, String kernel,
            String because, long now) {
        Counts counts = endpoint.counts();
        counts.pinned -= queue.length(0);
        counts.receivedBytes += bytes;
        counts.receivedTransfers++;
        if (errno != 0) {
            counts.errors++;
        }
        endpoint.history().add(Operation.RECEIVE, bytes, path, kernel, because, false, filled, calls,
                queue.length(0), queue.postedNanosOfOldest(), now, now, errno);
        if ((queue.noteOfOldest() & OF_CHANNEL) != 0) {
            endpoint.view().received((int) bytes, errno);
        } else {
            ring.unreserve(1);
            ring.add(endpoint, Operation.RECEIVE, queue.tagOfOldest(), Completions.FREE | flag, errno, bytes);
            ring.placeOfLast(queue.region(0).key(), queue.offset(0), -1);
        }
        queue.free();
        endpoint.roomCame();
    }

    /** How many the program has posted or armed. */
    int outstanding() {
        int count = pool == null ? 0 : 1;
        for (int i = 0; i < queue.count(); i++) {
            count += (queue.note(i) & OF_CHANNEL) == 0 ? 1 : 0;
        }
        return count;
    }

    int inFlight() {
        return queue.count();
    }
}
