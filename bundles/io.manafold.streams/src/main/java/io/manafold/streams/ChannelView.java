package io.manafold.streams;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Region;
import io.manafold.memory.Locks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection as a channel. What goes through it is copied into a buffer of its own, posted like everything else, and
 * so keeps its place between what the program posts. The thread that serves the queues turns them while it waits;
 * others wait until that thread has done it.
 */
final class ChannelView implements ByteChannel {
    private static final int HALF = 32 << 10;
    private static final int UNKNOWN = Integer.MIN_VALUE;
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final StreamEndpoint endpoint;
    private final StreamQueues queues;
    private final MemoryBlock block;
    private final HeldRegion region;
    private final MemorySegment outgoing;
    private final MemorySegment incoming;
    private final ReentrantLock writing = Locks.named("writing of a channel");
    private final ReentrantLock reading = Locks.named("reading of a channel");
    /** Guarded by this: what came of the operation that is out, bytes or the negative error. */
    private int written = UNKNOWN;
    private int read = UNKNOWN;
    /** A write that was interrupted may be on its way still: what it handed over leaves. */
    private boolean isWriteOut;
    private boolean isReadOut;
    private boolean isDeliveryAwaited;
    /** Of the serving thread: what waits until the program's own work leaves room in a queue. */
    private int unposted;
    private int posted;
    private boolean isRoomToReadAwaited;
    private int wanted;
    /** Of what came in: a read that was interrupted left it. */
    private int left;
    private int leftFrom;
    private boolean closed;
    /** Why what was written last could not be posted. */
    private String refusal;

    ChannelView(StreamEndpoint endpoint) {
        this.endpoint = endpoint;
        queues = endpoint.streamQueues();
        block = queues.context().memory().make("channel of " + endpoint.name(), 2L * HALF);
        try {
            region = queues.context().table().register(block, 0, 2L * HALF, Region.SEND | Region.RECEIVE);
        } catch (RuntimeException refused) {
            block.close();
            throw refused;
        }
        outgoing = block.segment().asSlice(0, HALF);
        incoming = block.segment().asSlice(HALF, HALF);
    }

    // ---- for programs

    @Override
    public int write(ByteBuffer from) throws IOException {
        writing.lock();
        try {
            int total = 0;
            boolean isLate;
            synchronized (this) {
                isLate = isWriteOut;
            }
            if (isLate) {
                await(true);
            }
            while (from.hasRemaining()) {
                int length = Math.min(from.remaining(), HALF);
                synchronized (this) {
                    checkOpen();
                    written = UNKNOWN;
                    refusal = null;
                    isWriteOut = true;
                    outgoing.asSlice(0, length).copyFrom(MemorySegment.ofBuffer(from).asSlice(0, length));
                }
                start(() -> post(length));
                int done = awaitWritten(from, total, length);
                if (done < 0) {
                    throw broken(-done, refusal());
                }
                from.position(from.position() + done);
                total += done;
            }
            return total;
        } finally {
            writing.unlock();
        }
    }

    private int awaitWritten(ByteBuffer from, int total, int length) throws InterruptedIOException {
        try {
            return await(true);
        } catch (InterruptedIOException interrupted) {
            from.position(from.position() + length);
            interrupted.bytesTransferred = total + length;
            throw interrupted;
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        reading.lock();
        try {
            if (!to.hasRemaining()) {
                return 0;
            }
            while (true) {
                int length = Math.min(to.remaining(), HALF);
                boolean isNew;
                synchronized (this) {
                    checkOpen();
                    if (left > 0) {
                        return take(to);
                    }
                    isNew = !isReadOut;
                    if (isNew) {
                        read = UNKNOWN;
                        isReadOut = true;
                        wanted = length;
                    }
                }
                if (isNew) {
                    start(this::look);
                }
                int came = await(false);
                if (came < 0) {
                    throw broken(-came, null);
                }
                synchronized (this) {
                    checkOpen();
                    if (came == 0) {
                        return -1;
                    }
                    left = came;
                    leftFrom = 0;
                    return take(to);
                }
            }
        } finally {
            reading.unlock();
        }
    }

    private int take(ByteBuffer to) {
        int length = Math.min(left, to.remaining());
        MemorySegment.ofBuffer(to).asSlice(0, length).copyFrom(incoming.asSlice(leftFrom, length));
        to.position(to.position() + length);
        left -= length;
        leftFrom += length;
        return length;
    }

    @Override
    public boolean isOpen() {
        synchronized (this) {
            return !closed;
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    private synchronized String refusal() {
        return refusal;
    }

    /** @param because what is known of it, where the endpoint goes on; or {@code null} */
    private IOException broken(int errno, String because) {
        if (errno == Errno.EBADF.number() || errno == Errno.ECANCELED.number()) {
            return new ClosedChannelException();
        }
        String failure = endpoint.failure();
        return new IOException(failure != null ? failure : because != null ? because : "The endpoint "
                + endpoint.name() + " does not do that: error " + errno + ".");
    }

    // ---- waiting

    private void start(Runnable what) {
        queues.run(() -> {
            what.run();
            queues.begin();
        });
    }

    /** @param ofWrite which of the two operations */
    private int await(boolean ofWrite) throws InterruptedIOException {
        if (queues.isOwn()) {
            return turn(ofWrite);
        }
        synchronized (this) {
            while (result(ofWrite) == UNKNOWN) {
                try {
                    wait();
                } catch (InterruptedException _) {
                    throw interrupted();
                }
            }
            return taken(ofWrite);
        }
    }

    private int turn(boolean ofWrite) throws InterruptedIOException {
        long nanos = 0;
        while (true) {
            synchronized (this) {
                if (result(ofWrite) != UNKNOWN) {
                    return taken(ofWrite);
                }
            }
            if (Thread.interrupted()) {
                throw interrupted();
            }
            queues.enter();
            try {
                queues.turn(nanos);
            } finally {
                queues.leave();
            }
            nanos = TURN_NANOS;
        }
    }

    private int result(boolean ofWrite) {
        return ofWrite ? written : read;
    }

    private int taken(boolean ofWrite) {
        int result = result(ofWrite);
        if (ofWrite) {
            isWriteOut = false;
        } else {
            isReadOut = false;
        }
        return result;
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while the connection was waited for");
    }

    // ---- inside

    private void post(int length) {
        try {
            if (endpoint.sends().queue().room() == 0) {
                unposted = length;
            } else {
                posted = length;
                endpoint.sends().post(region.key(), 0, length, 0, true);
            }
        } catch (Refusal refused) {
            synchronized (this) {
                refusal = refused.getMessage();
            }
            sent(0, refused.errno().number());
        }
    }

    /** Takes what a pool has not lent, or has something received. */
    private void look() {
        synchronized (this) {
            // a read that crosses the end has its answer from there, and nothing to put bytes into
            if (closed) {
                return;
            }
        }
        ReceiveSide receives = endpoint.receives();
        long place = queues.ring().oldestPooled(endpoint);
        if (place >= 0) {
            received(pooled(place), 0);
        } else if (receives.isEnded() && receives.queue().isEmpty()) {
            received(0, 0);
        } else if (receives.pool() != null) {
            isDeliveryAwaited = true;
        } else {
            try {
                if (receives.queue().room() == 0) {
                    isRoomToReadAwaited = true;
                } else {
                    receives.post(region.key(), HALF, wanted, 0, true);
                }
            } catch (Refusal refused) {
                received(0, refused.errno().number());
            }
        }
    }

    private int pooled(long place) {
        CompletionRing ring = queues.ring();
        // not the one that is armed now, which may be another
        Pool pool = ring.pool(place);
        int length = Math.min(wanted, ring.length(place));
        HeldRegion from = pool.region();
        synchronized (this) {
            MemorySegment.copy(from.block().segment(), from.offset() + ring.offset(place), incoming, 0, length);
        }
        int buffer = ring.buffer(place);
        boolean isAll = length == ring.length(place);
        ring.consume(place, length);
        if (isAll) {
            pool.taken(buffer);
        }
        return length;
    }

    /** Something came into the pool, or nothing will any more. */
    void heard() {
        if (isDeliveryAwaited) {
            isDeliveryAwaited = false;
            look();
        }
    }

    /** A place in the queue of sends, or of receives, is free again. */
    void roomCame() {
        if (unposted > 0 || isRoomToReadAwaited) {
            queues.run(this::postAgain);
        }
    }

    private void postAgain() {
        int length = unposted;
        unposted = 0;
        if (length > 0) {
            post(length);
        }
        if (isRoomToReadAwaited) {
            isRoomToReadAwaited = false;
            look();
        }
        queues.begin();
    }

    void sent(long bytes, int errno) {
        if (isTakenBack(errno) && bytes == 0) {
            unposted = posted;
            queues.run(this::postAgain);
            return;
        }
        synchronized (this) {
            written = errno == 0 ? (int) bytes : -errno;
            notifyAll();
        }
    }

    void received(int bytes, int errno) {
        if (isTakenBack(errno)) {
            isRoomToReadAwaited = true;
            queues.run(this::postAgain);
            return;
        }
        synchronized (this) {
            read = errno == 0 ? bytes : -errno;
            notifyAll();
        }
    }

    /**
     * Whether the program has taken back what is its own, and with it, because it is one queue, what is the channel's:
     * that is posted again.
     */
    private boolean isTakenBack(int errno) {
        return errno == Errno.ECANCELED.number() && endpoint.isUsable();
    }

    /** The endpoint is closed. */
    void closed() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (written == UNKNOWN) {
                written = -Errno.EBADF.number();
            }
            if (read == UNKNOWN) {
                read = -Errno.EBADF.number();
            }
            notifyAll();
            region.close();
            block.close();
        }
    }
}
