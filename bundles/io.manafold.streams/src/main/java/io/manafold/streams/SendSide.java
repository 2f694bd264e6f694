package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Pieces;
import io.manafold.api.sockets.Region;

/**
 * What an endpoint sends: what is posted, what the transport has taken, and what comes of it. For the thread that
 * serves its queues.
 */
public final class SendSide {
    /** Of the notes: posted by the channel view, which hears of it instead of the program. */
    private static final int OF_CHANNEL = 1;
    /** Of the notes: its memory is free, and it waits for older ones. */
    private static final int FREED = 1 << 1;

    private final StreamEndpoint endpoint;
    private final CompletionRing ring;
    private final SendQueue queue;
    private final int completionsOfOne;
    private boolean finishPosted;
    private boolean finished;
    private long finishTag;

    /** @param zeroCopy whether one send can have two completions */
    SendSide(StreamEndpoint endpoint, CompletionRing ring, int limit, int pieces, boolean zeroCopy) {
        this.endpoint = endpoint;
        this.ring = ring;
        queue = new SendQueue(limit, pieces);
        completionsOfOne = zeroCopy ? 2 : 1;
    }

    /** What is next. */
    public SendQueue queue() {
        return queue;
    }

    /** Whether the end of the stream is to leave after what is posted, and has not. */
    public boolean isFinishDue() {
        return finishPosted && !finished && queue.isAllAccepted();
    }

    /** Whether the program has told it to finish. */
    public boolean isFinished() {
        return finishPosted;
    }

    int room() {
        return Math.min(queue.room(), Math.max(0, ring.room() / completionsOfOne));
    }

    // ---- posting

    void post(int key, long offset, int length, long tag, boolean ofChannel) {
        checkPostable(ofChannel);
        queue.piece(used(key, offset, length), offset, length);
        add(tag, length, ofChannel);
    }

    void post(Pieces pieces, long tag) {
        checkPostable(false);
        int count = pieces.count();
        if (count < 1 || count > queue.mostPieces()) {
            throw new Refusal(Errno.EINVAL, "A send on " + endpoint.name() + " has 1 to " + queue.mostPieces()
                    + " pieces, not " + count + "; connect with a plan for more.");
        }
        long total = 0;
        try {
            for (int i = 0; i < count; i++) {
                queue.piece(used(pieces.key(i), pieces.offset(i), pieces.length(i)), pieces.offset(i),
                        pieces.length(i));
                total += pieces.length(i);
            }
        } catch (Refusal refused) {
            queue.forgetPieces();
            throw refused;
        }
        add(tag, total, false);
    }

    private HeldRegion used(int key, long offset, int length) {
        HeldRegion region = endpoint.regions().use(key, offset, length, Region.SEND);
        try {
            endpoint.checkSend(region);
        } catch (Refusal refused) {
            region.giveBack();
            throw refused;
        }
        return region;
    }

    private void add(long tag, long total, boolean ofChannel) {
        queue.add(tag, total, ofChannel ? OF_CHANNEL : 0, System.nanoTime());
        if (!ofChannel) {
            ring.reserve(completionsOfOne);
        }
        endpoint.counts().pinned += total;
        endpoint.begins();
    }

    /** @param ofChannel it has no completion that needs room */
    private void checkPostable(boolean ofChannel) {
        endpoint.checkUsable();
        if (finishPosted) {
            throw new Refusal(Errno.EPIPE, "The endpoint " + endpoint.name()
                    + " sends no more: it was told to finish.");
        }
        if (queue.room() == 0) {
            throw new Refusal(Errno.ENOBUFS, "The send queue of " + endpoint.name() + " is full with " + queue.count()
                    + " sends; poll completions first, or connect with a plan for more.");
        }
        if (!ofChannel && ring.room() < completionsOfOne) {
            throw noCompletions(endpoint, ring);
        }
    }

    static Refusal noCompletions(StreamEndpoint endpoint, CompletionRing ring) {
        return new Refusal(Errno.ENOBUFS, "The " + ring.limit() + " completions that the queues of " + endpoint.name()
                + " hold are there or promised; poll first, or make queues for more.");
    }

    void finish(long tag) {
        endpoint.checkUsable();
        if (finishPosted) {
            throw new Refusal(Errno.EPIPE, "The endpoint " + endpoint.name() + " was told to finish before.");
        }
        finishPosted = true;
        finishTag = tag;
        endpoint.begins();
    }

    // ---- what the transport says

    /**
     * An operation has taken bytes, of one send or of several.
     *
     * @param gathered how many sends were in the operation
     * @param calls of the kernel that it took
     * @param path of {@link Paths}, where {@code free}
     * @param kernel its own word of the path, where {@code free}
     * @param free whether the memory may change already
     */
    public void sent(long bytes, int gathered, int calls, int path, String kernel, String because, boolean inferred,
            boolean free) {
        long now = System.nanoTime();
        endpoint.counts().sentBytes += bytes;
        long left = bytes;
        while (left > 0 && !queue.isAllAccepted()) {
            left -= queue.take(left);
            if (!queue.isTaken()) {
                queue.called(calls);
                break;
            }
            long place = queue.accept(now, gathered, calls);
            if (free) {
                complete(place, Completions.ACCEPTED | Completions.FREE, 0, path, kernel, because, inferred, now);
            } else {
                if ((queue.note(place) & OF_CHANNEL) == 0) {
                    ring.unreserve(1);
                    ring.add(endpoint, Operation.SEND, queue.tag(place), Completions.ACCEPTED, 0, queue.taken(place));
                }
            }
        }
        freeOldest();
    }

    /** The memory of one that was taken before is free, at last. */
    public void freed(long place, int path, String kernel, String because, boolean inferred) {
        freed(place, path, kernel, because, inferred, 0);
    }

    /** The same, of one whose bytes may not have arrived if there is an errno. */
    public void freed(long place, int path, String kernel, String because, boolean inferred, int errno) {
        complete(place, Completions.FREE, errno, path, kernel, because, inferred, System.nanoTime());
        freeOldest();
    }

    /** All that the transport has not taken does not go: it is broken, or closed. */
    void fail(int errno, String because) {
        long now = System.nanoTime();
        while (!queue.isAllAccepted()) {
            long place = queue.accept(0, 1, 0);
            complete(place, Completions.ACCEPTED | Completions.FREE, errno, Paths.COPIED, null, because, false, now);
        }
        freeOldest();
        if (finishPosted && !finished) {
            finishDone(errno);
        }
    }

    /**
     * The same of what nothing has gone of.
     *
     * @param busy how many of the oldest the transport is at
     */
    int cancel(int busy) {
        if (queue.isAllAccepted()) {
            return 0;
        }
        long first = queue.accepted() + Math.max(busy, queue.taken(queue.accepted()) > 0 ? 1 : 0);
        long now = System.nanoTime();
        int cancelled = 0;
        for (long place = first; place < queue.tail(); place++) {
            complete(place, Completions.ACCEPTED | Completions.FREE, Errno.ECANCELED.number(), Paths.COPIED, null,
                    "taken back", false, now);
            cancelled += (queue.note(place) & OF_CHANNEL) == 0 ? 1 : 0;
        }
        queue.truncate(first);
        endpoint.roomCame();
        return cancelled;
    }

    /** The end of the stream has left. */
    public void finishDone(int errno) {
        finished = true;
        ring.add(endpoint, Operation.FINISH, finishTag, 0, errno, 0);
        endpoint.phaseChanged();
    }

    private void complete(long place, int flags, int errno, int path, String kernel, String because, boolean inferred,
            long now) {
        Counts counts = endpoint.counts();
        counts.sentTransfers++;
        counts.pinned -= queue.total(place);
        if (errno != 0) {
            counts.errors++;
        } else if (path == Paths.ZERO_COPY) {
            counts.zeroCopy++;
        } else if (kernel == null) {
            counts.unreported++;
        } else {
            counts.copied++;
        }
        endpoint.history().add(Operation.SEND, queue.taken(place), path, kernel, because, inferred,
                queue.gathered(place), queue.calls(place), queue.total(place), queue.postedNanos(place),
                queue.acceptedNanos(place), now, errno);
        int note = queue.note(place);
        queue.note(place, note | FREED);
        if ((note & OF_CHANNEL) != 0) {
            endpoint.view().sent(queue.taken(place), errno);
        } else {
            ring.unreserve((flags & Completions.ACCEPTED) != 0 ? completionsOfOne : completionsOfOne - 1);
            ring.add(endpoint, Operation.SEND, queue.tag(place), flags, errno, queue.taken(place));
        }
    }

    private void freeOldest() {
        boolean isFreed = false;
        while (queue.head() != queue.accepted() && (queue.note(queue.head()) & FREED) != 0) {
            queue.free();
            isFreed = true;
        }
        if (isFreed) {
            endpoint.roomCame();
        }
    }

    int inFlight() {
        return queue.count();
    }
}
