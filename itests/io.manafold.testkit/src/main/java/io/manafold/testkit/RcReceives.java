package io.manafold.testkit;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/** The receiving side of a {@link RcPair}: receives that wait, and what the last of them has got. */
final class RcReceives {
    private final DmaPiece memory;
    private final int bytes;
    private final DoorbellPage page;
    private final int number;
    private final int[] sizes;
    private WorkQueue queue;
    private int posted;
    private int received;
    private int oldest;
    private int misplaced;
    private int errors;
    private int lastError;
    private int type;
    private int length;
    private int immediate;

    RcReceives(DmaPiece memory, int bytes, DoorbellPage page, int number) {
        this.memory = memory;
        this.bytes = bytes;
        this.page = page;
        this.number = number;
        sizes = new int[bytes / WorkRequest.UNIT];
        begin();
    }

    /** Counts all from the beginning, as the device does after a reset. */
    void begin() {
        queue = new WorkQueue(memory, bytes, Doorbell.RECEIVE, page, number);
        posted = 0;
        received = 0;
        oldest = 0;
        misplaced = 0;
        errors = 0;
        lastError = 0;
    }

    boolean post(PieceList pieces) {
        if (queue.free() < WorkRequest.size(pieces.count(), WorkRequest.INLINE_SHORT)) {
            return false;
        }
        queue.begin(0, RdmaReceiveRequest.receive(pieces.count()));
        queue.put32(WorkRequest.INLINE, 0);
        queue.put32(WorkRequest.INLINE + 4, 0);
        pieces.writeTo(queue);
        sizes[posted++ & sizes.length - 1] = queue.commit();
        return true;
    }

    void ring() {
        queue.ring();
    }

    /** Takes a completion; one that does not name the oldest receive is what a driver would drop. */
    void taken(long entry) {
        type = RdmaCompletion.type(RawMemory.get32(entry + RdmaCompletion.FIRST));
        length = RawMemory.get32(entry + RdmaCompletion.LENGTH);
        immediate = RawMemory.get32(entry + RdmaCompletion.IMMEDIATE);
        if (RawMemory.get32(entry + RdmaCompletion.REQUEST_OFFSET) != oldest) {
            misplaced++;
        }
        int size = sizes[received++ & sizes.length - 1];
        oldest += size;
        queue.complete(size);
    }

    void failed(long entry) {
        errors++;
        lastError = RdmaCompletion.error(RawMemory.get32(entry + RdmaCompletion.FIRST));
    }

    int posted() {
        return posted;
    }

    int received() {
        return received;
    }

    int misplaced() {
        return misplaced;
    }

    int errors() {
        return errors;
    }

    int lastError() {
        return lastError;
    }

    int type() {
        return type;
    }

    int length() {
        return length;
    }

    int immediate() {
        return immediate;
    }

    WorkQueue queue() {
        return queue;
    }
}
