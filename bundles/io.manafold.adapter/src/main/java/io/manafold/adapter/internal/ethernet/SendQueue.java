package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.KeyCheck;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.SendCompletion;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A send queue of a port. All but the doorbell belongs to the agent. */
public final class SendQueue {
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
    private final EthernetPort port;
    private final KeyCheck keys;

    /** Where the driver's last doorbell stands; written by any thread. */
    private int produced;
    /** As much of it as the agent has seen. */
    private int known;
    private int consumed;
    private int goodKey;
    private boolean goodKeyKnown;
    private long cycle;

    /** Whether the request at the head is taken apart and not yet complete: a large send under way. */
    boolean underWay;
    /** Segments of it that have left. */
    int segmentsSent;
    /** What it may still send in its turn. */
    int credit;
    /** Set when nothing of it is to be trusted any more, or it is destroyed. */
    volatile boolean ended;
    /** Faults of memory in a row that nobody was found guilty of. */
    int strikes;

    /** Completions that wait for their burst to leave: first words, and where the requests begin. */
    private final int[] first = new int[CompletionBatch.MOST];
    private final int[] unit = new int[CompletionBatch.MOST];
    private int waiting;

    long packets;
    long bytes;
    long requests;
    long errors;
    long segmentedRequests;
    long segmentedBytes;
    long checksums;
    long longForms;
    long shortForms;

    SendQueue(EthernetPort port, int slot, int id, QueueMemory ring, CompletionQueue completions, DmaTable memory,
            KeyCheck keys, int pd) {
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

    int produced() {
        return known;
    }

    int consumed() {
        return consumed;
    }

    /** Asks for a key once per cycle. */
    boolean allows(int key) {
        if (goodKeyKnown && key == goodKey) {
            return true;
        }
        if (!keys.allows(key, pd, false)) {
            return false;
        }
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
        return true;
    }

    /** A request is over; its completion is written with the batch it belongs to. */
    void completed(int firstWord, int requestUnit) {
        first[waiting] = firstWord;
        unit[waiting++] = requestUnit;
    }

    /** Writes the completions that wait, from one on; false if their memory is gone. */
    boolean writeCompletions(int from) {
        int count = waiting;
        waiting = 0;
        try {
            for (int i = from; i < count; i++) {
                // the request is at 8
                long request = SendCompletion.request(0, unit[i]) & 0xffff_ffffL;
                if (!completions.write(first[i] & 0xffff_ffffL, request, 0, 0, id, true)) {
                    return false;
                }
            }
            RawMemory.settle();
            return true;
        } catch (InternalError gone) {
            return false;
        }
    }

    /** Whether the kernel still has memory behind what the agent touches in this cycle. */
    boolean isReachable(long now) {
        return MemoryProbe.ring(ring, position()) && (cycle != now || work.pieces.reachable(false));
    }
}
