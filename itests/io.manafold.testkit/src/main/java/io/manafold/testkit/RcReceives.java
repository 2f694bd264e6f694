package io.manafold.testkit;

import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.RcReceiveRing;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/** The receiving side of a {@link RcPair}: its ring, and what the last receive has got. */
final class RcReceives {
    private final RcReceiveRing ring;
    private int misplaced;
    private int errors;
    private int lastError;
    private int type;
    private int length;
    private int immediate;

    RcReceives(DmaPiece memory, int bytes, DoorbellPage page, int number) {
        ring = new RcReceiveRing(memory, bytes, bytes / WorkRequest.UNIT, page, number);
    }

    /** Counts all from the beginning, as the device does after a reset. */
    void begin() {
        ring.begin();
        misplaced = 0;
        errors = 0;
        lastError = 0;
    }

    boolean post(PieceList pieces) {
        if (!ring.hasRoom(pieces.count())) {
            return false;
        }
        ring.begin(pieces.count(), pieces.total());
        for (int i = 0; i < pieces.count(); i++) {
            ring.piece(i, pieces.address(i), pieces.key(i), pieces.length(i));
        }
        ring.commit(0);
        return true;
    }

    /** Takes a completion; one that does not name the oldest receive is what a driver would drop. */
    void taken(long entry) {
        type = RdmaCompletion.type(RawMemory.get32(entry + RdmaCompletion.FIRST));
        length = RawMemory.get32(entry + RdmaCompletion.LENGTH);
        immediate = RawMemory.get32(entry + RdmaCompletion.IMMEDIATE);
        if (!ring.isOldest(RawMemory.get32(entry + RdmaCompletion.REQUEST_OFFSET))) {
            misplaced++;
        }
        ring.retire();
    }

    void failed(long entry) {
        errors++;
        lastError = RdmaCompletion.error(RawMemory.get32(entry + RdmaCompletion.FIRST));
    }

    RcReceiveRing ring() {
        return ring;
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
}
