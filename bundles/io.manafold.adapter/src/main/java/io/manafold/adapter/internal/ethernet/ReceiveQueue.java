package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
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
    private final MemoryKeys keys;
    private final int pd;
    private final String where;
    private final Rejections rejections;
    private final ReceiveWork work;

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
    /** What that stands for, {@code null} if all memory of the function by its own addresses. */
    private KeyedMemory keyed;
    /** Set when nothing of it is to be trusted any more, or it is destroyed. */
    volatile boolean ended;

    long packets;
    long bytes;
    long noRequest;
    long truncated;
    long errors;

    ReceiveQueue(PortDuty port, int slot, int id, QueueMemory ring, CompletionQueue completions, DmaTable memory,
            MemoryKeys keys, int pd, Rejections rejections) {
        this.slot = slot;
        this.id = id;
        this.ring = ring;
        this.mask = ring.bytes() - 1;
        this.completions = new ReceiveCompletions(id, completions);
        this.memory = new DmaCursor(memory);
        this.work = new ReceiveWork(this, ring, this.memory);
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
        work.target.clear();
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
            long dma = keyed == null ? address : keyed.translateWhole(address, length);
            long into = memory.known(dma, length, true);
            if (into == 0) {
                into = memory.pointer(dma, length, true);
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
     * Copies a frame into the next posted buffer. The driver is not told of it before {@link #publish}.
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
        ReceiveFault fault = isPlausible(available) ? work.read(position, available, length) : ReceiveFault.DOORBELL;
        if (fault != null) {
            return refuse(fault);
        }
        boolean fits = length <= work.capacity;
        if (fits) {
            work.target.fill(frames, frame, strip);
            placed.add(ReceiveCompletions.first(ReceiveCompletions.ONE, flags), length, hash & 0xffff_ffffL, position);
            placedWell++;
            placedBytes += length;
        } else {
            placed.add(ReceiveCompletions.first(ReceiveCompletions.TRUNCATED, flags), Math.min(length, 0xffff), 0,
                    position);
        }
        consumed += work.size;
        head = 0;
        return fits ? DELIVERED : TRUNCATED;
    }

    /**
     * Completes the frames of a batch; the queue ends if it cannot.
     *
     * @param together frames that may share a completion
     */
    void publish(int together) {
        noRequest += missed;
        boolean there;
        try {
            there = completions.received(placed, together);
            if (mayVanish()) {
                // an error that is this queue's comes here, also where only some of its memory is gone
                RawMemory.settle();
            }
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
            refuse(ReceiveFault.COMPLETIONS_GONE);
        }
    }

    /**
     * What the key that was allowed last stands for, {@code null} if all memory of the function by its own addresses.
     */
    KeyedMemory keyed() {
        return keyed;
    }

    /** Asks for a key once per batch. */
    boolean allows(int key) {
        if (goodKeyKnown && key == goodKey) {
            return true;
        }
        KeyedMemory found = keys.find(key, pd, true);
        if (found == null) {
            return false;
        }
        keyed = found.isWhole() ? null : found;
        goodKey = key;
        goodKeyKnown = true;
        return true;
    }

    private int refuse(ReceiveFault fault) {
        byte[] request = new byte[0];
        if (fault.isOfRequest()) {
            // what was read from vanished memory is no mistake of the driver's but that
            RawMemory.settle();
            long at = ring.at(consumed & mask);
            request = new byte[32];
            if (at != 0) {
                RawMemory.copy(at, request, 0, request.length);
            }
        }
        ended = true;
        errors++;
        rejections.note(where, request, fault.rule, fault.right, "the queue takes no more frames");
        return ENDED;
    }

    /** Whether memory that it has touched until now may vanish. */
    boolean mayVanish() {
        return memory.table().mayVanish();
    }

    /** Memory has vanished while frames were copied. Ends the queue if it was its own. */
    boolean isGuilty() {
        if (ended) {
            return false;
        }
        if (MemoryProbe.ring(ring, consumed & mask) && work.target.reachable(true)) {
            return false;
        }
        refuse(ReceiveFault.FILE_SHORTENED);
        return true;
    }
}
