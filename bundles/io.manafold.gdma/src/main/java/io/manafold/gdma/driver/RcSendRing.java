package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.RollbackTrailer;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The requests of a reliable connection: the ring, the places that its reads land in, and a queue of what is under way.
 * One thread posts, another may take completions; neither waits for the other, and nothing is allocated.
 *
 * <pre>{@code
 * if (ring.hasRoom(operation, 1)) {
 *     ring.begin(operation, RdmaRequest.SIGNALED, 1, length, 0, 0, 0);
 *     ring.piece(0, address, key, length);
 *     ring.commit(id);
 *     ring.ring();
 * }
 * …
 * if (ring.wasPosted(packet)) {
 *     while (ring.isDone(packet)) {
 *         … ring.id() …
 *         ring.retire();
 *     }
 *     ring.armNext(packet);
 * }
 * }</pre>
 */
public final class RcSendRing {
    /** Bytes of the ring of places that reads land in, and of the responder's, which never vary. */
    public static final int FIXED_RING = 4096;
    private static final int PSN_MASK = 0xff_ffff;
    /** Numbers of packets that are so far apart say no more which is the later one. */
    private static final int HALF = 1 << 23;
    private static final int LONGEST_MESSAGE = 1 << 24;
    private static final VarHandle POSTED = handle("posted");
    private static final VarHandle COMPLETED = handle("completed");

    private final DmaPiece memory;
    private final DmaPiece landingMemory;
    private final int bytes;
    private final DoorbellPage page;
    private final CreateRcQp.Result made;
    private final long trailer;
    /** Of each request under way: what it is called, its last packet, its bytes in both rings, what it is. */
    private final long[] ids;
    private final int[] endPsns;
    private final int[] sizes;
    private final int[] landingSizes;
    private final int[] lengths;
    private final int[] controls;
    private final int mask;
    private final int limit;

    // of the thread that posts
    private WorkQueue queue;
    private WorkQueue landings;
    /** Whether a read was committed of which the device has not been told. */
    private boolean landed;
    private int mtu;
    /** Packets that may be under way before a request, whose own may be as many as those of the longest message. */
    private int mostPackets;
    private int psn;
    private int sequence;
    private int reclaimed;
    private int control;
    private int length;
    private int listed;
    private int padding;
    private int landing;

    /** Written by the thread that posts. */
    private int posted;
    /** Written by the thread that takes completions. */
    private int completed;
    private int armedUpTo;

    /**
     * Over memory that was {@link #prepare}d.
     *
     * @param bytes of the ring, a power of two; the trailer is behind it
     * @param landingMemory {@link #FIXED_RING} bytes
     * @param limit how many requests may be under way
     */
    public RcSendRing(DmaPiece memory, DmaPiece landingMemory, int bytes, int limit, DoorbellPage page,
            CreateRcQp.Result made) {
        this.memory = memory;
        this.landingMemory = landingMemory;
        this.bytes = bytes;
        this.page = page;
        this.made = made;
        this.limit = limit;
        trailer = memory.pointer() + bytes;
        int slots = Integer.highestOneBit(Math.max(1, 2 * limit - 1));
        mask = slots - 1;
        ids = new long[slots];
        endPsns = new int[slots];
        sizes = new int[slots];
        landingSizes = new int[slots];
        lengths = new int[slots];
        controls = new int[slots];
        begin();
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(RcSendRing.class, field, int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Writes what has to be behind the ring before the device is told of it. */
    public static void prepare(DmaPiece memory, int bytes) {
        long at = memory.pointer() + bytes;
        RawMemory.put32(at + RollbackTrailer.SIGNATURE, RollbackTrailer.MAGIC);
        RawMemory.put32(at + RollbackTrailer.LENGTH, RollbackTrailer.SIZE);
    }

    // ---- states; neither thread is at work

    /** Counts all from the beginning, as the device does after a reset. */
    public void begin() {
        queue = new WorkQueue(memory, bytes, Doorbell.SEND, page, made.sendRequester());
        landings = new WorkQueue(landingMemory, FIXED_RING, Doorbell.RECEIVE, page, made.receiveRequester());
        landed = false;
        RawMemory.put64(trailer + RollbackTrailer.LEFT, 0);
        armedUpTo = 0;
        reclaimed = 0;
        COMPLETED.setVolatile(this, 0);
        POSTED.setVolatile(this, 0);
    }

    /** The queue pair has become ready to send; what it sends first is to be armed for. */
    public void start(int firstPsn, int pathMtu) {
        mtu = pathMtu;
        mostPackets = HALF - 1 - RdmaRequest.packets(LONGEST_MESSAGE, mtu);
        psn = firstPsn & PSN_MASK;
        sequence = 1;
        endPsns[mask] = psn - 1 & PSN_MASK;
    }

    // ---- the thread that posts

    /**
     * Whether there is room for a request.
     *
     * @param operation of {@link RdmaRequest}
     */
    public boolean hasRoom(int operation, int pieces) {
        reclaim();
        boolean read = operation == RdmaRequest.READ;
        int inline = RdmaRequest.inlineBytes(operation);
        int list = read ? 1 : Math.max(1, pieces);
        return posted - reclaimed < limit
                && (psn - 1 - endPsns[reclaimed - 1 & mask] & PSN_MASK) <= mostPackets
                && queue.free() >= WorkRequest.size(list + RdmaRequest.padding(list, inline), inline)
                && (!read || landings.free() >= WorkRequest.size(pieces, WorkRequest.INLINE_SHORT));
    }

    /** What has been completed makes room. */
    private void reclaim() {
        int done = (int) COMPLETED.getAcquire(this);
        while (reclaimed != done) {
            int slot = reclaimed++ & mask;
            queue.complete(sizes[slot]);
            landings.complete(landingSizes[slot]);
        }
    }

    /**
     * Begins a request, for which there is room; its pieces follow.
     *
     * @param operation of {@link RdmaRequest}
     * @param flags of {@link RdmaRequest}
     * @param bytesInAll of all pieces
     * @param immediate of operations with one; of a send with invalidate the key that the peer loses
     */
    public void begin(int operation, int flags, int pieces, int bytesInAll, long remoteAddress, int remoteKey,
            int immediate) {
        boolean read = operation == RdmaRequest.READ;
        boolean remote = operation >= RdmaRequest.WRITE;
        int inline = RdmaRequest.inlineBytes(operation);
        listed = read ? 1 : Math.max(1, pieces);
        padding = RdmaRequest.padding(listed, inline);
        control = RdmaRequest.control(operation, flags, psn);
        length = bytesInAll;
        landing = read ? 1 : 0;
        RawMemory.put32(trailer + RollbackTrailer.RIGHT, queue.produced() / WorkRequest.UNIT);
        queue.begin(padding, RdmaRequest.word1(operation, listed + padding, mtu));
        queue.put32(RdmaRequest.CONTROL, control);
        queue.put32(RdmaRequest.SEQUENCE, sequence & PSN_MASK);
        queue.put32(RdmaRequest.REMOTE_HIGH, remote ? (int) (remoteAddress >>> 32) : immediate);
        queue.put32(RdmaRequest.REMOTE_LOW, remote ? (int) remoteAddress : 0);
        queue.put32(RdmaRequest.REMOTE_KEY, remote ? remoteKey : 0);
        queue.put32(RdmaRequest.LENGTH, remote ? bytesInAll : 0);
        if (inline == WorkRequest.INLINE_WIDE) {
            queue.put32(RdmaRequest.WIDE_IMMEDIATE, immediate);
            queue.put32(RdmaRequest.WIDE_IMMEDIATE + 4, 0);
            queue.put32(RdmaRequest.WIDE_IMMEDIATE + 8, 0);
            queue.put32(RdmaRequest.WIDE_IMMEDIATE + 12, 0);
        }
        if (read || pieces == 0) {
            queue.piece(0, RdmaRequest.NO_PIECE, 0, 0);
        }
        if (padding != 0) {
            queue.piece(listed, 0, 0, 0);
        }
        if (read) {
            landings.begin(0, RdmaReceiveRequest.landing(pieces));
            landings.put32(RdmaReceiveRequest.PSN, psn);
            landings.put32(RdmaReceiveRequest.PSN_RANGE, 0);
        }
    }

    /** Writes a piece of the request, counted from 0: where the data comes from, or where a read puts it. */
    public void piece(int index, long address, int key, int pieceLength) {
        (landing == 0 ? queue : landings).piece(index, address, key, pieceLength);
    }

    /** Ends the request; the device learns of it with {@link #ring}. */
    public void commit(long id) {
        int slot = posted & mask;
        landingSizes[slot] = 0;
        if (landing != 0) {
            landingSizes[slot] = landings.commit();
            landed = true;
        }
        sizes[slot] = queue.commit();
        psn = psn + RdmaRequest.packets(length, mtu) & PSN_MASK;
        sequence++;
        ids[slot] = id;
        lengths[slot] = length;
        controls[slot] = control;
        endPsns[slot] = psn - 1 & PSN_MASK;
        POSTED.setRelease(this, posted + 1);
    }

    /** Tells the device of all requests that were committed since, and before of where the reads among them land. */
    public void ring() {
        if (landed) {
            landed = false;
            landings.ring();
        }
        queue.ring();
    }

    /** The number of the packet that the next request begins with. */
    public int nextPsn() {
        return psn;
    }

    // ---- the thread that takes completions

    /** Whether a packet is of a request that has been posted since the start; a device may not speak of others. */
    public boolean wasPosted(int packet) {
        int now = (int) POSTED.getAcquire(this);
        return distance(packet, endPsns[now - 1 & mask]) >= 0;
    }

    /** Whether the oldest request ends with this packet or before it. */
    public boolean isDone(int packet) {
        return hasOldest() && distance(endPsns[completed & mask], packet) >= 0;
    }

    /** Whether a request is under way. */
    public boolean hasOldest() {
        return completed != (int) POSTED.getAcquire(this);
    }

    /** What the oldest request is called. */
    public long id() {
        return ids[completed & mask];
    }

    /** The operation of the oldest request. */
    public int operation() {
        return RdmaRequest.operation(controls[completed & mask]);
    }

    /** The bytes of the oldest request. */
    public int length() {
        return lengths[completed & mask];
    }

    /** Whether a completion of the oldest request is wanted. */
    public boolean isSignaled() {
        return RdmaRequest.isSignaled(controls[completed & mask]);
    }

    /** The oldest request is complete. */
    public void retire() {
        RawMemory.put32(trailer + RollbackTrailer.LEFT,
                RawMemory.get32(trailer + RollbackTrailer.LEFT) + sizes[completed & mask] / WorkRequest.UNIT);
        drop();
    }

    /** The oldest request has come to nothing; no memory of the ring is touched. */
    public void drop() {
        COMPLETED.setRelease(this, completed + 1);
    }

    /**
     * Asks for the next completion, all that this packet ends being retired: with the last packet of the next request
     * that wants one; without one, with the packet that comes next.
     */
    public void armNext(int acknowledged) {
        int now = (int) POSTED.getAcquire(this);
        if (armedUpTo - completed < 0) {
            armedUpTo = completed;
        }
        while (armedUpTo != now) {
            int slot = armedUpTo++ & mask;
            if (RdmaRequest.isSignaled(controls[slot])) {
                arm(endPsns[slot]);
                return;
            }
        }
        arm(acknowledged + 1 & PSN_MASK);
    }

    /** Asks to be told once this packet is acknowledged, or a later one. */
    public void arm(int packet) {
        page.ring(Doorbell.ACKNOWLEDGED, Doorbell.acknowledged(made.receiveRequester(), packet));
    }

    /** Requests that are complete, modulo 2^32. */
    public int completed() {
        return (int) COMPLETED.getAcquire(this);
    }

    /** Requests that were posted, modulo 2^32. */
    public int posted() {
        return (int) POSTED.getAcquire(this);
    }

    /** The ring, for those who write something else into it. */
    public WorkQueue queue() {
        return queue;
    }

    /** The ring of places that reads land in. */
    public WorkQueue landings() {
        return landings;
    }

    private static int distance(int from, int to) {
        return to - from << 8 >> 8;
    }
}
