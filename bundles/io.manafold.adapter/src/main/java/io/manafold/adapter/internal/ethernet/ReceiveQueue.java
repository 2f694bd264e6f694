package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.KeyCheck;
import io.manafold.adapter.internal.queue.PendingCompletions;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.fabric.Frames;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A receive queue of a port. All but the doorbell belongs to the agent. */
public final class ReceiveQueue {
    /** What became of a frame: it lies in a posted buffer. */
    static final int DELIVERED = 0;
    /** No buffer was posted. */
    static final int NO_REQUEST = 1;
    /** The posted buffer was too small. */
    static final int TRUNCATED = 2;
    /** The queue takes nothing any more. */
    static final int ENDED = 3;

    /** Of a request's second word what says how long it is; the plainest request; where its piece is. */
    private static final int SHAPE = 0x7ff;
    private static final int PLAIN = WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0);
    private static final int PIECE = WorkRequest.firstPiece(PLAIN);

    private static final VarHandle PRODUCED;

    static {
        try {
            PRODUCED = MethodHandles.lookup().findVarHandle(ReceiveQueue.class, "produced", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final int id;
    final int slot;
    final ReceiveCompletions completions;
    private final QueueMemory ring;
    private final int mask;
    private final DmaCursor memory;
    private final KeyCheck keys;
    private final int pd;
    private final String where;
    private final Rejections rejections;
    private final Pieces target = new Pieces();

    /** Of frames that are placed and not published yet. */
    private final PendingCompletions placed = new PendingCompletions(Receiver.BATCH);
    private int placedWell;
    private long placedBytes;
    private int missed;
    private int batchBegin;
    /** Where the request at the head lies, 0 if that has to be looked up. */
    private long head;

    /** Where the driver's last doorbell stands; written by any thread. */
    private int produced;
    private int known;
    private int consumed;
    private int goodKey;
    private boolean goodKeyKnown;
    private int capacity;
    /** Set when nothing of it is to be trusted any more, or it is destroyed. */
    volatile boolean ended;

    long packets;
    long bytes;
    long noRequest;
    long truncated;
    long errors;

    ReceiveQueue(EthernetPort port, int slot, int id, QueueMemory ring, CompletionQueue completions, DmaTable memory,
            KeyCheck keys, int pd, Rejections rejections) {
        this.slot = slot;
        this.id = id;
        this.ring = ring;
        this.mask = ring.bytes() - 1;
        this.completions = new ReceiveCompletions(id, completions);
        this.memory = new DmaCursor(memory);
        this.keys = keys;
        this.pd = pd;
        this.rejections = rejections;
        this.where = port.name() + " receive queue " + slot;
    }

    /** Its id, as in completions. */
    public int id() {
        return id;
    }

    public CompletionQueue completions() {
        return completions.queue();
    }

    /** The driver has posted buffers up to here: bytes ever produced, modulo 2^32. Any thread. */
    public void doorbell(int producedBytes) {
        PRODUCED.setRelease(this, producedBytes);
    }

    int produced() {
        return known;
    }

    int consumed() {
        return consumed;
    }

    /** A new batch of frames: keys may have been taken away since the last. */
    void newBatch() {
        goodKeyKnown = false;
        batchBegin = consumed;
        begin();
        target.clear();
        head = 0;
        memory.renew();
    }

    /** Nothing of the batch has happened. */
    void rollBack() {
        consumed = batchBegin;
        begin();
    }

    private void begin() {
        placed.clear();
        placedWell = 0;
        placedBytes = 0;
        missed = 0;
    }

    /**
     * Copies frames in one piece each into the next posted buffers, as long as those are of the plainest kind: requests
     * of one unit with one piece that lies in one mapping and is large enough. Everything else is left for {@link
     * #place}, mistakes too.
     *
     * @return how many frames were placed
     */
    int placePlain(Frames frames, int from, int most, int flags, int hash) {
        int many = Math.min(requests(), most);
        long first = ReceiveCompletions.first(ReceiveCompletions.ONE, flags);
        int position = consumed & mask;
        long at = head;
        long sum = 0;
        int count = 0;
        while (count < many) {
            if (at == 0 || (position & QueueMemory.PAGE - 1) == 0) {
                at = ring.at(position);
                if (at == 0) {
                    break;
                }
            }
            int length = frames.length(from + count);
            int shape = RawMemory.get32(at + WorkRequest.WORD1) & SHAPE;
            long address = RawMemory.get64(at + PIECE + WorkRequest.PIECE_ADDRESS);
            long rest = RawMemory.get64(at + PIECE + WorkRequest.PIECE_KEY);
            if (shape != PLAIN || rest >>> 32 < length || !allows((int) rest)) {
                break;
            }
            long into = memory.known(address, length, true);
            if (into == 0) {
                into = memory.pointer(address, length, true);
            }
            if (into == 0) {
                break;
            }
            RawMemory.copy(frames.whole(from + count), into, length);
            placed.add(first, length, hash & 0xffff_ffffL, position);
            sum += length;
            count++;
            at += WorkRequest.UNIT;
            position = position + WorkRequest.UNIT & mask;
        }
        head = at;
        consumed += count * WorkRequest.UNIT;
        placedWell += count;
        placedBytes += sum;
        return count;
    }

    /** Bytes of the frames placed and not published yet. */
    long placedBytes() {
        return placedBytes;
    }

    /** Units that are posted; 0 if that cannot be believed. */
    private int requests() {
        int available = known - consumed;
        if (available == 0) {
            known = (int) PRODUCED.getAcquire(this);
            available = known - consumed;
        }
        return isPlausible(available) ? available / WorkRequest.UNIT : 0;
    }

    private boolean isPlausible(int available) {
        return available >= 0 && available <= ring.bytes() && (available & 31) == 0;
    }

    /**
     * Copies a frame into the next posted buffer. Nobody is told of it before {@link #publish}.
     *
     * @param strip whether the outer tag stays behind
     * @param flags of its completion
     */
    int place(Frames frames, int frame, boolean strip, int flags, int hash) {
        int available = known - consumed;
        if (available == 0) {
            known = (int) PRODUCED.getAcquire(this);
            available = known - consumed;
            if (available == 0) {
                missed++;
                return NO_REQUEST;
            }
        }
        int length = frames.length(frame) - (strip ? 4 : 0);
        int position = consumed & mask;
        int size = open(position, available, length);
        if (size < 0) {
            return ENDED;
        }
        boolean fits = length <= capacity;
        if (fits) {
            target.fill(frames, frame, strip);
        }
        if (fits) {
            placed.add(ReceiveCompletions.first(ReceiveCompletions.ONE, flags), length, hash & 0xffff_ffffL, position);
            placedWell++;
            placedBytes += length;
        } else {
            placed.add(ReceiveCompletions.first(ReceiveCompletions.TRUNCATED, flags), Math.min(length, 0xffff), 0,
                    position);
        }
        consumed += size;
        head = 0;
        return fits ? DELIVERED : TRUNCATED;
    }

    /** Completes the frames of a batch; the queue ends if it cannot. */
    void publish(boolean coalesce) {
        noRequest += missed;
        boolean there;
        try {
            there = completions.received(placed, coalesce);
            if (there) {
                completions.flush();
            }
        } catch (InternalError gone) {
            there = false;
        }
        if (there) {
            packets += placedWell;
            truncated += placed.count() - placedWell;
            bytes += placedBytes;
        } else if (!ended) {
            end("the memory of a completion queue stays reachable as long as the queue lives",
                    "destroy the queue before its memory is unmapped");
        }
    }

    /** Takes the request at the head apart, as far as so many bytes need it; its size, −1 if the queue has ended. */
    private int open(int position, int available, int need) {
        if (!isPlausible(available)) {
            return refuse(
                    "a receive queue's doorbell gives a position at most the ring's size ahead, a multiple of 32",
                    "ring with the sum of the sizes of all requests ever written");
        }
        long at = ring.at(position);
        if (at == 0) {
            return ringGone();
        }
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        int entries = WorkRequest.pieces(word1);
        if (entries == 0 || entries > WorkRequest.MAX_RECEIVE_PIECES || !WorkRequest.isInlineValid(word1)) {
            return refuse("a receive request has 1 to 15 pieces behind 8 or 24 inline bytes",
                    "put the number of pieces into bits 7 to 0 of the second word and 2 into bits 10 to 8");
        }
        int size = WorkRequest.size(word1);
        if (size > available) {
            return refuse("a receive request ends before the position that the doorbell gave",
                    "write the whole request, then ring with the position behind it");
        }
        int first = WorkRequest.firstPiece(word1);
        return entries == 1 && size == WorkRequest.UNIT ? openOne(at + first, need, size)
                : openSeveral(at, position, first, entries, need, size);
    }

    /** One piece behind the short inline part, by far the usual: a request of one unit, which no page border cuts. */
    private int openOne(long at, int need, int size) {
        long address = RawMemory.get64(at + WorkRequest.PIECE_ADDRESS);
        long rest = RawMemory.get64(at + WorkRequest.PIECE_KEY);
        if (!allows((int) rest)) {
            return refuseKey();
        }
        long room = rest >>> 32;
        int part = (int) Math.min(room, need);
        target.clear();
        if (part > 0 && !target.add(memory, address, part, true)) {
            return refuseRange();
        }
        capacity = (int) Math.min(room, Integer.MAX_VALUE);
        return size;
    }

    private int openSeveral(long start, int position, int first, int entries, int need, int size) {
        long at = start + first;
        int offset = position + first;
        target.clear();
        long room = 0;
        int missing = need;
        for (int i = 0; i < entries; i++) {
            if ((offset & QueueMemory.PAGE - 1) == 0) {
                offset &= mask;
                at = ring.at(offset);
                if (at == 0) {
                    return ringGone();
                }
            }
            long address = RawMemory.get64(at + WorkRequest.PIECE_ADDRESS);
            long rest = RawMemory.get64(at + WorkRequest.PIECE_KEY);
            at += WorkRequest.PIECE;
            offset += WorkRequest.PIECE;
            long length = rest >>> 32;
            if (!allows((int) rest)) {
                return refuseKey();
            }
            room += length;
            int part = (int) Math.min(length, missing);
            if (part > 0 && !target.add(memory, address, part, true)) {
                return refuseRange();
            }
            missing -= part;
        }
        capacity = (int) Math.min(room, Integer.MAX_VALUE);
        return size;
    }

    private int refuseKey() {
        return refuse("the memory key of each piece is valid for writing in the queue's protection domain",
                "use the key that REGISTER_DEVICE answered");
    }

    private int refuseRange() {
        return refuse("each piece of a receive request lies in memory that the function may write",
                "map the memory before it is posted and keep it mapped until the queue is destroyed");
    }

    private boolean allows(int key) {
        if (goodKeyKnown && key == goodKey) {
            return true;
        }
        if (!keys.allows(key, pd, true)) {
            return false;
        }
        goodKey = key;
        goodKeyKnown = true;
        return true;
    }

    private int ringGone() {
        end("the memory of a receive queue stays reachable as long as the queue lives",
                "destroy the queue before its memory is unmapped");
        return -1;
    }

    private int refuse(String rule, String right) {
        RawMemory.settle();
        byte[] request = new byte[32];
        long at = ring.at(consumed & mask);
        if (at != 0) {
            RawMemory.copy(at, request, 0, request.length);
        }
        note(request, rule, right);
        return -1;
    }

    private int end(String rule, String right) {
        note(new byte[0], rule, right);
        return ENDED;
    }

    private void note(byte[] request, String rule, String right) {
        ended = true;
        errors++;
        rejections.note(where, request, rule, right, "the queue takes no more frames");
    }

    /** Memory has vanished while frames were copied. Ends the queue if it was its own. */
    boolean isGuilty() {
        if (ended) {
            return false;
        }
        if (MemoryProbe.ring(ring, consumed & mask) && target.reachable(true)) {
            return false;
        }
        end("the file behind memory that a queue uses keeps its length", "destroy the queue, then shorten the file");
        return true;
    }
}
