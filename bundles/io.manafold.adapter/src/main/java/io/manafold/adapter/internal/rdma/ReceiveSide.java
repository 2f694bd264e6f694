package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.api.adapter.RdmaTrace.Kind;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.RdmaDeviceCounter;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.RawMemory;
import io.manafold.roce.CnpPacer;
import io.manafold.roce.DcqcnParameter;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;
import io.manafold.roce.Psn;
import io.manafold.roce.Responder;
import io.manafold.roce.Syndrome;

/** The receiving side of a reliable connection: it carries the peer's requests out and answers them. */
final class ReceiveSide {
    /** Reads that are answered at a time. */
    static final int MOST_READS = 32;
    private final RcQueuePair pair;
    private final RequestRing ring;
    private final Responder responder = new Responder(MOST_READS);
    private final ElementList elements = new ElementList();
    private final CnpPacer pacer = new CnpPacer(0);
    /** The memory that the packet at hand names. */
    private KeyedMemory region;
    private final MemoryKeyCache named = new MemoryKeyCache();
    /** What is read of, which requests that are carried out meanwhile need not name. */
    private final MemoryKeyCache read = new MemoryKeyCache();
    /** Of the receive under way: its size in the ring, 0 if there is none. */
    private int size;
    private boolean told;
    private boolean owesNotification;

    ReceiveSide(RcQueuePair pair, RequestRing ring) {
        this.pair = pair;
        this.ring = ring;
    }

    void ring(int produced) {
        ring.ring(produced);
    }

    boolean isThere() {
        return ring.isThere();
    }

    void reset() {
        ring.reset();
        responder.reset();
        size = 0;
        told = false;
        owesNotification = false;
    }

    void start(QpSettings with) {
        responder.start(with.receivePsn(), with.mtu(), with.inboundReads());
    }

    /** To be looked at, from any thread. */
    int expectedPsn() {
        return responder.expectedPsn();
    }

    boolean hasAnswer() {
        return responder.hasAnswer() || owesNotification;
    }

    /** Whether the peer is still to be told that its request was refused. */
    boolean isRefusing() {
        return responder.isBroken() && responder.hasAnswer();
    }

    /** A packet came over a place that is congested: its sender is told, but not too often. */
    void congestion(long now) {
        pair.engine().counters().count(RdmaDeviceCounter.RECEIVED_ECNS);
        pacer.spacing(pair.engine().dcqcn().get(DcqcnParameter.CNP_SPACING) * 1000L);
        owesNotification |= pacer.isDue(now);
    }

    // ---- requests of the peer

    void receive(Packet packet, ReceivedFrame arrival, long now) {
        RdmaCounters counters = pair.engine().counters();
        long duplicates = responder.duplicates;
        long outOfSequence = responder.outOfSequence;
        int verdict = responder.judge(now, packet);
        if (responder.duplicates != duplicates) {
            counters.count(RdmaCounter.RESPONDER_DUP_REQUEST);
            counters.count(RdmaCounter.DUP_RX_REQUESTS);
            pair.trace().peer(Kind.PEER_AGAIN, now, packet.psn, 0);
        }
        if (responder.outOfSequence != outOfSequence) {
            counters.count(RdmaCounter.RESPONDER_OOS);
            pair.trace().peer(Kind.PEER_GAP, now, packet.psn, responder.expectedPsn());
        }
        switch (verdict) {
            case Responder.SEND -> send(packet, arrival, now);
            case Responder.WRITE -> write(packet, arrival, now);
            case Responder.READ, Responder.REPEAT_READ -> read(packet, verdict == Responder.READ);
            case Responder.INVALID -> {
                counters.count(RdmaCounter.NAK_INV_REQ);
                explain(VendorError.PEER_REQUEST_INVALID, packet.psn, null);
                pair.failReceive(VendorError.PEER_REQUEST_INVALID, packet.psn, packet.opcode);
            }
            default -> { }
        }
    }

    private void send(Packet packet, ReceivedFrame arrival, long now) {
        if (Opcode.isFirst(packet.opcode) && !open(now)) {
            return;
        }
        int offset = responder.messageOffset();
        if (offset + (long) packet.payloadBytes > elements.total()) {
            pair.engine().counters().count(RdmaCounter.RESPONDER_LOCAL_LEN_ERROR);
            pair.engine().counters().count(RdmaCounter.NAK_INV_REQ);
            refuse(Syndrome.NAK_INVALID, VendorError.MESSAGE_TOO_LONG, packet, null);
            return;
        }
        MemoryAccess access = pair.engine().access();
        access.clear();
        AccessFault fault = elements.add(access, pair.keys, pair.pd, offset, packet.payloadBytes,
                MemoryKeys.LOCAL_WRITE);
        if (fault != null) {
            pair.engine().counters().count(RdmaCounter.RESPONDER_LOCAL_QP_ERROR);
            pair.engine().counters().count(RdmaCounter.NAK_OPP_ERROR);
            refuse(Syndrome.NAK_OPERATIONAL, Faults.ofReceive(fault), packet, elements.refused());
            return;
        }
        arrival.payloadTo(access, packet.payloadBytes);
        if (Opcode.isLast(packet.opcode)) {
            pair.engine().counters().count(RdmaCounter.RX_SEND_REQUESTS);
            complete(packet, Opcode.hasImmediate(packet.opcode) ? RdmaCompletion.SEND_WITH_IMMEDIATE
                    : Opcode.hasInvalidate(packet.opcode) ? RdmaCompletion.SEND_WITH_INVALIDATE : RdmaCompletion.SEND,
                    offset + packet.payloadBytes);
        }
        responder.executed(packet);
    }

    private void write(Packet packet, ReceivedFrame arrival, long now) {
        if (Opcode.isFirst(packet.opcode)) {
            AccessFault fault = remote(packet, SetQpState.REMOTE_WRITE, MemoryKeys.REMOTE_WRITE);
            if (fault != null) {
                pair.engine().counters().count(RdmaCounter.NAK_ACCESS_ERROR);
                pair.engine().counters().count(RdmaCounter.RESPONDER_REM_ACCESS_ERROR);
                refuse(Syndrome.NAK_ACCESS, Faults.ofRemote(fault), packet, named(packet));
                return;
            }
        }
        boolean last = Opcode.isLast(packet.opcode);
        if (last && Opcode.hasImmediate(packet.opcode) && !open(now)) {
            return;
        }
        if (packet.payloadBytes > 0) {
            MemoryAccess access = pair.engine().access();
            access.clear();
            long address = responder.writeAddress() + responder.messageOffset();
            AccessFault fault = Opcode.isFirst(packet.opcode) && packet.payloadBytes <= packet.dmaLength
                    ? access.add(region, address, packet.payloadBytes, MemoryKeys.REMOTE_WRITE)
                    : access.add(named, pair.keys, pair.pd, responder.writeKey(), address, packet.payloadBytes,
                            MemoryKeys.REMOTE_WRITE);
            if (fault != null) {
                pair.engine().counters().count(RdmaCounter.NAK_ACCESS_ERROR);
                refuse(Syndrome.NAK_ACCESS, Faults.ofRemote(fault), packet, ElementList.describe(packet.payloadBytes,
                        address, responder.writeKey()));
                return;
            }
            arrival.payloadTo(access, packet.payloadBytes);
        }
        if (last) {
            pair.engine().counters().count(RdmaCounter.RX_WRITE_REQUESTS);
            if (Opcode.hasImmediate(packet.opcode)) {
                complete(packet, RdmaCompletion.WRITE_WITH_IMMEDIATE, responder.messageOffset() + packet.payloadBytes);
            }
        }
        responder.executed(packet);
    }

    private void read(Packet packet, boolean first) {
        AccessFault fault = remote(packet, SetQpState.REMOTE_READ, MemoryKeys.REMOTE_READ);
        if (fault != null) {
            pair.engine().counters().count(RdmaCounter.NAK_ACCESS_ERROR);
            pair.engine().counters().count(RdmaCounter.RESPONDER_REM_ACCESS_ERROR);
            refuse(Syndrome.NAK_ACCESS, Faults.ofRemote(fault), packet, named(packet));
            return;
        }
        if (first) {
            pair.engine().counters().count(RdmaCounter.RX_READ_REQUESTS);
        }
        responder.acceptRead(packet);
    }

    /** Whether the peer may do something with all of the memory it names, which {@link #region} is then. */
    private AccessFault remote(Packet packet, int right, int keyRight) {
        if (!pair.settings().allows(right)) {
            return AccessFault.NO_RIGHT;
        }
        if (packet.dmaLength == 0) {
            return null;
        }
        region = named.find(pair.keys, pair.pd, packet.remoteKey, keyRight);
        return MemoryAccess.check(region, pair.keys, pair.pd, packet.remoteKey, packet.remoteAddress,
                packet.dmaLength & 0xffff_ffffL);
    }

    /** The memory that the peer names. */
    private static String named(Packet packet) {
        return ElementList.describe(packet.dmaLength, packet.remoteAddress, packet.remoteKey);
    }

    /** @param memory what it was about, or {@code null} */
    private void refuse(int syndrome, VendorError error, Packet packet, String memory) {
        responder.refuse(syndrome);
        explain(error, packet.psn, memory);
        pair.failReceive(error, packet.psn, packet.opcode);
    }

    private void explain(VendorError error, int psn, String memory) {
        explain(error, error.rule(), error.right(), psn, memory);
    }

    /** Shows the receive that a packet of the peer would have had, if there is one. */
    private void explain(VendorError error, String rule, String right, int psn, String memory) {
        pair.trace().refused(System.nanoTime(), psn & Psn.MASK, error.code(), memory);
        boolean posted = ring.available() != 0;
        String receive = posted ? ", receive at 0x%x of its ring".formatted(ring.offset(ring.position())) : "";
        pair.engine().rejections().note("%s, packet with PSN %d%s%s".formatted(pair.where, psn, memory == null ? ""
                : ", " + memory, receive), posted ? ring.excerpt(ring.position(), pair.engine().scratch())
                : new byte[0], rule, right, (posted ? "the receive completed with error 0x"
                + Integer.toHexString(error.code()) + ", " : "")
                + "the peer is told so, the queue pair takes no more requests");
    }

    /** Opens the oldest receive; if there is none the peer is told to come again. */
    private boolean open(long now) {
        int available = ring.available();
        if (available == 0) {
            pair.engine().counters().count(RdmaCounter.RESPONDER_RNR_NAK);
            responder.notReady(now, pair.settings().rnrTimer());
            pair.trace().peer(Kind.PEER_NOT_READY, now, responder.expectedPsn(), 0);
            return false;
        }
        long at = pair.engine().scratch().address();
        RingRule broken = RingRule.DOORBELL;
        if (ring.isPlausible(available)) {
            size = ring.copy(ring.position(), available, at);
            int word1 = size > 0 ? RawMemory.get32(at + WorkRequest.WORD1) : 0;
            if (size > 0 && elements.read(at, WorkRequest.firstPiece(word1), WorkRequest.pieces(word1))) {
                return true;
            }
            broken = size > 0 ? RingRule.RECEIVE_PIECES : size == RequestRing.GONE ? RingRule.RECEIVE_GONE
                    : RingRule.RECEIVE_SIZE;
        }
        size = 0;
        pair.engine().counters().count(RdmaCounter.RESPONDER_MALFORMED_WQE);
        pair.engine().counters().count(RdmaCounter.NAK_OPP_ERROR);
        responder.refuse(Syndrome.NAK_OPERATIONAL);
        explain(VendorError.RECEIVE_MALFORMED, broken.rule(), broken.right(), responder.expectedPsn(), null);
        pair.failReceive(VendorError.RECEIVE_MALFORMED, responder.expectedPsn(), 0);
        return false;
    }

    private void complete(Packet packet, int type, int length) {
        int word = Opcode.hasImmediate(packet.opcode) ? packet.immediate
                : Opcode.hasInvalidate(packet.opcode) ? packet.invalidatedKey : 0;
        pair.receiveCompletions.write(pair, Entries.pair(RdmaCompletion.first(type, 0), length),
                Entries.pair(packet.psn, word), ring.position() & 0xffff_ffffL, pair.number, false);
        ring.consume(size);
        size = 0;
    }

    // ---- answers

    /** Sends answers until so many packets have left in this cycle; whether there are more. */
    boolean answer(SendBatch out, int most) {
        Packet packet = out.packet();
        Path path = pair.settings().path();
        while (out.frames() < most && !out.isFull()) {
            if (owesNotification) {
                owesNotification = false;
                path.address(packet, pair.engine().mac());
                Notifications.write(packet, pair.engine().dcqcn().get(DcqcnParameter.CNP_DSCP));
                pair.engine().counters().count(RdmaDeviceCounter.SENT_CNPS);
                out.send();
                continue;
            }
            if (!responder.next(packet)) {
                return false;
            }
            path.address(packet, pair.engine().mac());
            if (packet.payloadBytes > 0) {
                MemoryAccess access = pair.engine().access();
                access.clear();
                AccessFault fault = access.add(read, pair.keys, pair.pd, responder.readKey(), responder.readAddress(),
                        packet.payloadBytes, MemoryKeys.REMOTE_READ);
                if (fault != null) {
                    pair.engine().counters().count(RdmaCounter.NAK_INV_READ);
                    responder.refuse(Syndrome.NAK_ACCESS);
                    explain(Faults.ofRemote(fault), packet.psn, ElementList.describe(packet.payloadBytes,
                            responder.readAddress(), responder.readKey()));
                    pair.failReceive(Faults.ofRemote(fault), packet.psn, packet.opcode);
                    continue;
                }
            }
            out.send(pair.engine().access());
        }
        return hasAnswer();
    }

    // ---- errors

    /**
     * Tells of an error, once until the next reset and only if there is a receive that can have it.
     *
     * @return whether one has been told of
     */
    boolean tellError(VendorError error, int psn, int opcode) {
        if (told || ring.available() == 0) {
            return told;
        }
        told = true;
        int progress = RdmaCompletion.word(responder.msn(), 0);
        pair.receiveCompletions.write(pair,
                Entries.pair(RdmaCompletion.first(RdmaCompletion.ERROR, error.code()), progress), Entries
                .pair(RdmaCompletion.word(psn, opcode), responder.msn()), responder.expectedPsn(), pair.number, false);
        return true;
    }

    void flush() {
        tellError(VendorError.FLUSHED, responder.expectedPsn(), 0);
    }
}
