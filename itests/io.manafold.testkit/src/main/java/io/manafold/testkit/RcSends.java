package io.manafold.testkit;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.RollbackTrailer;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/** The sending side of a {@link RcPair}: requests under way, and the packets whose acknowledgement was asked for. */
final class RcSends {
    private static final int PSN_MASK = 0xff_ffff;

    private final DmaPiece memory;
    private final DmaPiece landingMemory;
    private final int bytes;
    private final int mtu;
    private final DoorbellPage page;
    private final CreateRcQp.Result made;
    private final long trailer;
    /** Of each request under way: its last packet, its bytes in both rings, whether a completion is wanted. */
    private final int[] endPsns;
    private final int[] sizes;
    private final int[] landingSizes;
    private final boolean[] signaled;
    private WorkQueue queue;
    private WorkQueue landings;
    private int posted;
    private int completed;
    private int armedUpTo;
    private int psn;
    private int sequence;
    private boolean armsByHand;
    private int acknowledgements;
    private int lastAcknowledged;
    private int errors;
    private int lastError;
    private int errorPsn;

    RcSends(DmaPiece memory, DmaPiece landingMemory, int bytes, int mtu, DoorbellPage page, CreateRcQp.Result made) {
        this.memory = memory;
        this.landingMemory = landingMemory;
        this.bytes = bytes;
        this.mtu = mtu;
        this.page = page;
        this.made = made;
        trailer = memory.pointer() + bytes;
        int slots = bytes / (2 * WorkRequest.UNIT);
        endPsns = new int[slots];
        sizes = new int[slots];
        landingSizes = new int[slots];
        signaled = new boolean[slots];
        begin();
    }

    /** Writes what has to be behind the ring before the device is told of it. */
    static void prepare(DmaPiece memory, int bytes) {
        long at = memory.pointer() + bytes;
        RawMemory.put32(at + RollbackTrailer.SIGNATURE, RollbackTrailer.MAGIC);
        RawMemory.put32(at + RollbackTrailer.LENGTH, RollbackTrailer.SIZE);
    }

    /** Counts all from the beginning, as the device does after a reset. */
    void begin() {
        queue = new WorkQueue(memory, bytes, Doorbell.SEND, page, made.sendRequester());
        landings = new WorkQueue(landingMemory, RcSettings.FIXED_RING, Doorbell.RECEIVE, page, made.receiveRequester());
        RawMemory.put64(trailer + RollbackTrailer.LEFT, 0);
        posted = 0;
        completed = 0;
        armedUpTo = 0;
        acknowledgements = 0;
        errors = 0;
        lastError = 0;
    }

    void start(int firstPsn) {
        psn = firstPsn & PSN_MASK;
        sequence = 1;
        if (!armsByHand) {
            arm(psn);
        }
    }

    void armByHand() {
        armsByHand = true;
    }

    void arm(int packet) {
        page.ring(Doorbell.ACKNOWLEDGED, Doorbell.acknowledged(made.receiveRequester(), packet));
    }

    void ring() {
        queue.ring();
    }

    boolean post(int operation, int flags, PieceList pieces, long remoteAddress, int remoteKey, int immediate) {
        boolean read = operation == RdmaRequest.READ;
        int inline = RdmaRequest.inlineBytes(operation);
        int listed = read ? 1 : Math.max(1, pieces.count());
        int padding = RdmaRequest.padding(listed, inline);
        if (posted - completed == endPsns.length || queue.free() < WorkRequest.size(listed + padding, inline)
                || read && landings.free() < WorkRequest.size(pieces.count(), WorkRequest.INLINE_SHORT)) {
            return false;
        }
        int slot = posted & endPsns.length - 1;
        int length = pieces.total();
        landingSizes[slot] = read ? land(pieces) : 0;
        RawMemory.put32(trailer + RollbackTrailer.RIGHT, queue.produced() / WorkRequest.UNIT);
        queue.begin(padding, RdmaRequest.word1(operation, listed + padding, mtu));
        queue.put32(RdmaRequest.CONTROL, RdmaRequest.control(operation, flags, psn));
        queue.put32(RdmaRequest.SEQUENCE, sequence & PSN_MASK);
        boolean remote = operation >= RdmaRequest.WRITE;
        queue.put32(RdmaRequest.REMOTE_HIGH, remote ? (int) (remoteAddress >>> 32) : immediate);
        queue.put32(RdmaRequest.REMOTE_LOW, remote ? (int) remoteAddress : 0);
        queue.put32(RdmaRequest.REMOTE_KEY, remote ? remoteKey : 0);
        queue.put32(RdmaRequest.LENGTH, remote ? length : 0);
        if (inline == WorkRequest.INLINE_WIDE) {
            queue.put32(RdmaRequest.WIDE_IMMEDIATE, immediate);
            queue.put32(RdmaRequest.WIDE_IMMEDIATE + 4, 0);
            queue.put32(RdmaRequest.WIDE_IMMEDIATE + 8, 0);
            queue.put32(RdmaRequest.WIDE_IMMEDIATE + 12, 0);
        }
        if (read || pieces.count() == 0) {
            queue.piece(0, RdmaRequest.NO_PIECE, 0, 0);
        } else {
            pieces.writeTo(queue);
        }
        if (padding != 0) {
            queue.piece(listed, 0, 0, 0);
        }
        sizes[slot] = queue.commit();
        psn = psn + RdmaRequest.packets(length, mtu) & PSN_MASK;
        sequence++;
        endPsns[slot] = psn - 1 & PSN_MASK;
        signaled[slot] = (flags & RdmaRequest.SIGNALED) != 0;
        posted++;
        return true;
    }

    private int land(PieceList pieces) {
        landings.begin(0, RdmaReceiveRequest.landing(pieces.count()));
        landings.put32(RdmaReceiveRequest.PSN, psn);
        landings.put32(RdmaReceiveRequest.PSN_RANGE, 0);
        pieces.writeTo(landings);
        int size = landings.commit();
        landings.ring();
        return size;
    }

    /** Takes a completion that says how far the peer has acknowledged. */
    void acknowledged(long entry) {
        acknowledgements++;
        lastAcknowledged = RawMemory.get32(entry + RdmaCompletion.PSN) & PSN_MASK;
        retire(lastAcknowledged);
        if (!armsByHand) {
            arm(nextArm());
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
        while (completed != posted && distance(endPsns[completed & endPsns.length - 1], packet) >= 0) {
            int slot = completed++ & endPsns.length - 1;
            queue.complete(sizes[slot]);
            landings.complete(landingSizes[slot]);
            RawMemory.put32(trailer + RollbackTrailer.LEFT,
                    RawMemory.get32(trailer + RollbackTrailer.LEFT) + sizes[slot] / WorkRequest.UNIT);
        }
    }

    /** The last packet of the next request that wants a completion; without one, the packet that comes next. */
    private int nextArm() {
        if (armedUpTo - completed < 0) {
            armedUpTo = completed;
        }
        while (armedUpTo != posted) {
            int slot = armedUpTo++ & endPsns.length - 1;
            if (signaled[slot]) {
                return endPsns[slot];
            }
        }
        return lastAcknowledged + 1 & PSN_MASK;
    }

    private static int distance(int from, int to) {
        return to - from << 8 >> 8;
    }

    int posted() {
        return posted;
    }

    int completed() {
        return completed;
    }

    int nextPsn() {
        return psn;
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

    WorkQueue queue() {
        return queue;
    }

    WorkQueue landings() {
        return landings;
    }
}
