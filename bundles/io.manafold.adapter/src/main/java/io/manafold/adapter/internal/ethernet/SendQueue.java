package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.adapter.internal.queue.PendingCompletions;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A send queue of a port. All but the doorbell belongs to the agent. */
public final class SendQueue {
    /** The second word of the plainest request, and where its piece is. */
    private static final int PLAIN = WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0);
    private static final int PIECE = WorkRequest.firstPiece(PLAIN);
    /** The bytes of a frame that are read, and what of the second eight are its sender's address and its type. */
    private static final int FIRST_WORDS = 16;
    private static final long TO_TYPE = 0xffff_ffff_ffffL;
    private static final VarHandle PRODUCED;

    static {
        try {
            PRODUCED = MethodHandles.lookup().findVarHandle(SendQueue.class, "produced", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final int id;
    final int slot;
    final QueueMemory ring;
    final int mask;
    final CompletionQueue completions;
    final DmaCursor memory;
    final int pd;
    final String where;
    final SendWork work = new SendWork();
    private final PortDuty port;
    private final MemoryKeys keys;

    /** Where the driver's last doorbell stands; written by any thread. */
    private int produced;
    /** As much of it as the agent has seen. */
    private int known;
    private int consumed;
    private int goodKey;
    private boolean goodKeyKnown;
    /** What that stands for, {@code null} if all memory of the function by its own addresses. */
    private KeyedMemory keyed;
    private long cycle;

    /** Whether the request at the head is taken apart and not yet complete: a large send under way. */
    boolean underWay;
    /** Whether the frames of the request at the head wait for the end of a pause. */
    boolean paused;
    /** Segments of it that have left. */
    int segmentsSent;
    /** What it may still send in its turn. */
    int credit;
    /** Set when nothing of it is to be trusted any more, or it is destroyed. */
    volatile boolean ended;
    /** Faults of memory in a row that no queue was found guilty of. */
    int strikes;

    /** Completions that wait for their burst to leave. */
    private final PendingCompletions waiting = new PendingCompletions(CompletionBatch.MOST);
    /**
     * Whether requests are being taken from the ring. What vanished memory raises may come between any two steps of
     * that, so they are undone as a whole, to where the two below say.
     */
    private boolean taking;
    private int takenFrom;
    private int completedBefore;

    long packets;
    long bytes;
    long requests;
    long errors;
    long segmentedRequests;
    long segmentedBytes;
    long checksums;
    long longForms;
    long shortForms;

    SendQueue(PortDuty port, int slot, int id, QueueMemory ring, CompletionQueue completions, DmaTable memory,
            MemoryKeys keys, int pd) {
        this.port = port;
        this.slot = slot;
        this.id = id;
        this.ring = ring;
        this.mask = ring.bytes() - 1;
        this.completions = completions;
        this.memory = new DmaCursor(memory);
        this.keys = keys;
        this.pd = pd;
        this.where = port.name() + " send queue " + slot;
    }

    /** Its id, as in completions. */
    public int id() {
        return id;
    }

    /** Its place among the send queues of the port. */
    public int slot() {
        return slot;
    }

    public CompletionQueue completions() {
        return completions;
    }

    /** The driver has written requests up to here: bytes ever produced, modulo 2^32. Any thread. */
    public void doorbell(int producedBytes) {
        PRODUCED.setRelease(this, producedBytes);
        port.ready(slot);
    }

    /** Bytes of requests that wait; not a multiple of a unit or more than the ring if the driver's doorbell lied. */
    int available() {
        int open = known - consumed;
        if (open == 0) {
            known = (int) PRODUCED.getAcquire(this);
            open = known - consumed;
        }
        return open;
    }

    /** Whether a number of waiting bytes can be true. */
    boolean isPlausible(int available) {
        return available >= 0 && available <= ring.bytes() && (available & 31) == 0;
    }

    /** Where the next request begins in the ring. */
    int position() {
        return consumed & mask;
    }

    /** The request at the head is done with. */
    void advance(int size) {
        consumed += size;
    }

    /** Units of requests that wait, as far as the driver's doorbell can be true. */
    int waiting() {
        int open = (int) PRODUCED.getAcquire(this) - consumed;
        return ended || !isPlausible(open) ? 0 : open / WorkRequest.UNIT;
    }

    int produced() {
        return known;
    }

    int consumed() {
        return consumed;
    }

    /**
     * Adds the frames of the plainest requests to a burst, as long as there are such: one unit, one piece in one
     * mapping, a frame to one station, nothing to be computed. Whatever looks otherwise is left for {@link SendWork},
     * every mistake too.
     *
     * @param most how many at most, up to 64
     * @param longest the longest frame
     * @return how many bytes they have
     */
    int takePlain(FrameBurst burst, int most, int longest, int vportOffset) {
        int available = available();
        if (!isPlausible(available) || vportOffset > 255) {
            return 0;
        }
        long usual = SendRequest.flags(0, completions.id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, id, vportOffset) << 32;
        int many = Math.min(available / WorkRequest.UNIT, most);
        int position = position();
        int taken = 0;
        int sum = 0;
        long wanted = 0;
        long at = 0;
        // no frame of this way begins so, it would be one to a group
        long firstBefore = 1;
        long nextBefore = 0;
        memory.renew();
        while (taken < many && sum < credit) {
            if (at == 0 || (position & QueueMemory.PAGE - 1) == 0) {
                at = ring.at(position);
                if (at == 0) {
                    break;
                }
            }
            long head = RawMemory.get64(at);
            long inline = RawMemory.get64(at + WorkRequest.INLINE);
            long address = RawMemory.get64(at + PIECE + WorkRequest.PIECE_ADDRESS);
            long rest = RawMemory.get64(at + PIECE + WorkRequest.PIECE_KEY);
            int length = (int) (rest >>> 32);
            long suppressed = inline & SendRequest.SUPPRESS_COMPLETION;
            if ((int) (head >>> 32) != PLAIN || (inline ^ suppressed) != usual || length < FIRST_WORDS
                    || length > longest || !allows((int) rest)) {
                break;
            }
            long dma = keyed == null ? address : keyed.translateWhole(address, length);
            long pointer = memory.known(dma, length, false);
            if (pointer == 0) {
                pointer = memory.pointer(dma, length, false);
            }
            if (pointer == 0) {
                break;
            }
            // in the burst before it is touched, so that it is found if its memory has vanished
            burst.addWhole(0, pointer, length);
            long first = RawMemory.get64(pointer);
            long next = RawMemory.get64(pointer + 8) & TO_TYPE;
            if ((first & 1) != 0) {
                burst.drop();
                break;
            }
            if (first == firstBefore && next == nextBefore) {
                burst.repeat();
            }
            firstBefore = first;
            nextBefore = next;
            if (suppressed == 0) {
                wanted |= 1L << taken;
            }
            sum += length;
            taken++;
            at += WorkRequest.UNIT;
            position = position + WorkRequest.UNIT & mask;
        }
        for (; wanted != 0; wanted &= wanted - 1) {
            int ahead = Long.numberOfTrailingZeros(wanted) * WorkRequest.UNIT;
            completed(CompletionBatch.GOOD, (consumed + ahead & mask) >>> 5);
        }
        consumed += taken * WorkRequest.UNIT;
        return sum;
    }

    /** Frames of {@link #takePlain} are on their way. */
    void sentPlain(int frames, int sum) {
        packets += frames;
        bytes += sum;
        requests += frames;
        shortForms += frames;
        credit -= sum;
        strikes = 0;
    }

    /**
     * What the key that was allowed last stands for, {@code null} if all memory of the function by its own addresses.
     */
    KeyedMemory keyed() {
        return keyed;
    }

    /** Asks for a key once per cycle. */
    boolean allows(int key) {
        if (goodKeyKnown && key == goodKey) {
            return true;
        }
        KeyedMemory found = keys.find(key, pd, false);
        if (found == null) {
            return false;
        }
        keyed = found.isWhole() ? null : found;
        goodKey = key;
        goodKeyKnown = true;
        return true;
    }

    /** Whether the cycle is a new one: keys may have been taken away since, and pointers are not good any more. */
    boolean newCycle(long now) {
        if (cycle == now) {
            return false;
        }
        cycle = now;
        goodKeyKnown = false;
        if (!underWay) {
            work.pieces.clear();
        }
        return true;
    }

    /** Requests are taken from here on, up to {@link #taken}. */
    void take() {
        rollBack();
        takenFrom = consumed;
        completedBefore = waiting.count();
        taking = true;
    }

    /** What was taken is in the burst, and accounted for. */
    void taken() {
        taking = false;
    }

    /** Undoes what was taken by halves: its requests are read once more, and no completion of them is left behind. */
    void rollBack() {
        if (taking) {
            taking = false;
            consumed = takenFrom;
            waiting.truncate(completedBefore);
            underWay = false;
            work.pieces.clear();
        }
    }

    /** Completions that wait. */
    int completed() {
        return waiting.count();
    }

    /** A request is over; its completion is written with the batch it belongs to. */
    void completed(int firstWord, int requestUnit) {
        // the request is at 8
        waiting.add(firstWord & 0xffff_ffffL, SendCompletion.request(0, requestUnit) & 0xffff_ffffL, 0, 0);
    }

    /** Writes the completions that wait, from one on; false if their memory is gone. */
    boolean writeCompletions(int from) {
        try {
            boolean there = completions.write(waiting, from, id, true);
            if (mayVanish()) {
                RawMemory.settle();
            }
            return there;
        } catch (InternalError gone) {
            return false;
        } finally {
            waiting.clear();
        }
    }

    /** Whether memory that it has touched until now may vanish. */
    boolean mayVanish() {
        return memory.table().mayVanish();
    }

    /** Whether the kernel still has memory behind what the agent touches in this cycle. */
    boolean isReachable(long now) {
        return MemoryProbe.ring(ring, position()) && (cycle != now || work.pieces.reachable(false));
    }
}
