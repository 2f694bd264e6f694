package io.manafold.pmd.internal.queue;

import io.manafold.api.device.Bar;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;

/** A queue whose device is the test: it completes whatever is wanted, asked for or not. */
public final class LyingQueue implements Bar, AutoCloseable {
    static final int ID = 7;
    static final int SLOTS = 64;
    private static final int RING = 8192;

    public final DirectQueue direct;
    private final MemoryBlock ring;
    private final MemoryBlock completions;
    private final long pointer;
    private final boolean sends;
    private int index = SLOTS;
    int doorbells;
    int produced;

    public LyingQueue(SharedBlocks memory, int type) {
        sends = type == QueueType.SEND;
        ring = memory.make("ring", RING);
        completions = memory.make("completions", SLOTS * CompletionEntry.SIZE);
        pointer = completions.segment().address();
        DoorbellPage page = DoorbellPage.of(this);
        DmaPiece work = new DmaPiece(ring.segment().address(), 0, RING);
        DmaPiece entries = new DmaPiece(pointer, 0, SLOTS * CompletionEntry.SIZE);
        direct = new DirectQueue(type, new WorkQueue(work, RING, sends ? Doorbell.SEND : Doorbell.RECEIVE, page, ID),
                new CompletionQueue(entries, SLOTS * CompletionEntry.SIZE, page, 9), page, 0);
    }

    /** Where the next completion goes. */
    long entry() {
        return pointer + (long) (index & SLOTS - 1) * CompletionEntry.SIZE;
    }

    /** Has the entry be there. */
    public void publish(int workQueue) {
        publish(workQueue, 0);
    }

    /** The same with owner bits of a round of the ring that was or will be. */
    void publish(int workQueue, int rounds) {
        int last = CompletionEntry.last(workQueue, sends, index + rounds * SLOTS, SLOTS);
        RawMemory.putRelease32(entry() + CompletionEntry.LAST, last);
        index++;
    }

    void sent(int type, int unit) {
        RawMemory.put32(entry() + SendCompletion.FIRST, CompletionEntry.first(type, 0));
        RawMemory.put32(entry() + SendCompletion.REQUEST, SendCompletion.request(0, unit));
        publish(ID);
    }

    void received(int type, int flags, int... lengths) {
        RawMemory.put32(entry() + ReceiveCompletion.FIRST, CompletionEntry.first(type, 0));
        RawMemory.put32(entry() + ReceiveCompletion.FLAGS, flags);
        for (int k = 0; k < ReceiveCompletion.MAX_PACKETS; k++) {
            RawMemory.put16(entry() + ReceiveCompletion.lengthAt(k), k < lengths.length ? lengths[k] : 0);
        }
        publish(ID);
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public long size() {
        return RawMemory.PAGE;
    }

    @Override
    public boolean is64Bit() {
        return true;
    }

    @Override
    public boolean isPrefetchable() {
        return false;
    }

    @Override
    public int read32(long offset) {
        return 0;
    }

    @Override
    public long read64(long offset) {
        return 0;
    }

    @Override
    public void write32(long offset, int value) {
        throw new AssertionError("doorbells have 64 bits");
    }

    @Override
    public void write64(long offset, long value) {
        if (offset != Doorbell.COMPLETION) {
            doorbells++;
            produced = (int) (value >>> 32);
        }
    }

    @Override
    public void close() {
        ring.close();
        completions.close();
    }
}
