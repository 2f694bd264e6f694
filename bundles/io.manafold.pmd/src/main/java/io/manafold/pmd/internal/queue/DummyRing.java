package io.manafold.pmd.internal.queue;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/** A queue in memory that no device knows: who uses it writes the completions, too. */
final class DummyRing implements AutoCloseable {
    static final int DESCRIPTORS = 128;
    private static final int ID = 1;
    private static final int ENTRIES = 256;
    private static final int RING = DESCRIPTORS * WorkRequest.UNIT;

    final DirectQueue direct;
    private final boolean sends;
    private final MemoryBlock ring;
    private final MemoryBlock completions;
    private int index = ENTRIES;

    /** @throws io.manafold.api.refusal.Refusal as memory is refused */
    DummyRing(MemorySource memory, int type) {
        sends = type == QueueType.SEND;
        ring = memory.make("dry ring", RING);
        try {
            completions = memory.make("completions of a dry ring", ENTRIES * CompletionEntry.SIZE);
        } catch (RuntimeException refused) {
            ring.close();
            throw refused;
        }
        DoorbellPage page = DoorbellPage.of(new DummyRegisters());
        DmaPiece work = new DmaPiece(ring.segment().address(), 0, RING);
        DmaPiece entries = new DmaPiece(completions.segment().address(), 0, ENTRIES * CompletionEntry.SIZE);
        direct = new DirectQueue(type, new WorkQueue(work, RING, sends ? Doorbell.SEND : Doorbell.RECEIVE, page, ID),
                new CompletionQueue(entries, ENTRIES * CompletionEntry.SIZE, page, ID), page, 0);
    }

    private long entry() {
        return completions.segment().address() + (long) (index & ENTRIES - 1) * CompletionEntry.SIZE;
    }

    private void publish() {
        RawMemory.putRelease32(entry() + CompletionEntry.LAST, CompletionEntry.last(ID, sends, index, ENTRIES));
        index++;
    }

    /** The request at a unit, and those before it, have been sent. */
    void sent(int unit) {
        RawMemory.put32(entry() + SendCompletion.FIRST, CompletionEntry.first(SendCompletion.OK, 0));
        RawMemory.put32(entry() + SendCompletion.REQUEST, SendCompletion.request(0, unit & DESCRIPTORS - 1));
        publish();
    }

    /** As many packets of a length have come as one completion can tell of. */
    void received(int length) {
        RawMemory.put32(entry() + ReceiveCompletion.FIRST, CompletionEntry.first(ReceiveCompletion.COALESCED, 0));
        RawMemory.put32(entry() + ReceiveCompletion.FLAGS, 0);
        for (int part = 0; part < ReceiveCompletion.MAX_PACKETS; part++) {
            RawMemory.put16(entry() + ReceiveCompletion.lengthAt(part), length);
        }
        publish();
    }

    @Override
    public void close() {
        ring.close();
        completions.close();
    }
}
