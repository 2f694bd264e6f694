package io.manafold.testkit;

import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.RcSendRing;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/** The sending side of a {@link RcPair}: its ring, and what completions have told. */
final class RcSends {
    private static final int PSN_MASK = 0xff_ffff;
    /** The shortest request. */
    private static final int LEAST = 64;

    private final int mtu;
    private final RcSendRing ring;
    private boolean armsByHand;
    private int acknowledgements;
    private int lastAcknowledged;
    private int errors;
    private int lastError;
    private int errorPsn;

    RcSends(DmaPiece memory, DmaPiece landingMemory, int bytes, int mtu, DoorbellPage page, CreateRcQp.Result made) {
        this.mtu = mtu;
        ring = new RcSendRing(memory, landingMemory, bytes, bytes / LEAST, page, made);
    }

    /** Counts all from the beginning, as the device does after a reset. */
    void begin() {
        ring.begin();
        acknowledgements = 0;
        errors = 0;
        lastError = 0;
    }

    void start(int firstPsn) {
        ring.start(firstPsn, mtu);
        if (!armsByHand) {
            arm(firstPsn & PSN_MASK);
        }
    }

    void armByHand() {
        armsByHand = true;
    }

    void arm(int packet) {
        ring.arm(packet);
    }

    boolean post(int operation, int flags, PieceList pieces, long remoteAddress, int remoteKey, int immediate) {
        if (!ring.hasRoom(operation, pieces.count())) {
            return false;
        }
        ring.begin(operation, flags, pieces.count(), pieces.total(), remoteAddress, remoteKey, immediate);
        for (int i = 0; i < pieces.count(); i++) {
            ring.piece(i, pieces.address(i), pieces.key(i), pieces.length(i));
        }
        ring.commit(0);
        return true;
    }

    /** Takes a completion that says how far the peer has acknowledged. */
    void acknowledged(long entry) {
        acknowledgements++;
        lastAcknowledged = RawMemory.get32(entry + RdmaCompletion.PSN) & PSN_MASK;
        retire(lastAcknowledged);
        if (!armsByHand) {
            ring.armNext(lastAcknowledged);
        }
    }

    /** Takes an error; what was before it is complete. */
    void failed(long entry) {
        errors++;
        lastError = RdmaCompletion.error(RawMemory.get32(entry + RdmaCompletion.FIRST));
        errorPsn = RawMemory.get32(entry + RdmaCompletion.PSN) & PSN_MASK;
        retire(errorPsn - 1 & PSN_MASK);
    }

    private void retire(int packet) {
        while (ring.isDone(packet)) {
            ring.retire();
        }
    }

    RcSendRing ring() {
        return ring;
    }

    int acknowledgements() {
        return acknowledgements;
    }

    int lastAcknowledged() {
        return lastAcknowledged;
    }

    int errors() {
        return errors;
    }

    int lastError() {
        return lastError;
    }

    int errorPsn() {
        return errorPsn;
    }
}
