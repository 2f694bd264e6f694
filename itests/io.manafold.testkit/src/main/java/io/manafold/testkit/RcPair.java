package io.manafold.testkit;

import io.manafold.gdma.Gid;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.RollbackTrailer;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.driver.RcSendRing;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.CreateRcQp;
import io.manafold.gdma.message.DestroyRcQp;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.util.List;

/**
 * A reliable connection as the user's library of the real stack drives it: requests into the ring, one doorbell for a
 * list, and a doorbell that asks when a packet is acknowledged. For one thread; nothing is allocated for a request or a
 * completion.
 */
public final class RcPair implements AutoCloseable, RdmaQueue.Taker {
    private static final int POLL = 64;
    private static final int HOP_LIMIT = 64;
    private static final int ROCE_PORT = 4791;

    private final RdmaSession session;
    private final RdmaQueue sendCompletions;
    private final RdmaQueue receiveCompletions;
    private final RcSettings settings;
    private final List<DmaPiece> memory;
    private final CreateRcQp.Result made;
    private final RcSends sends;
    private final RcReceives receives;
    private final PieceList one = new PieceList();

    /** Rung on the device's own page. */
    public RcPair(RdmaSession session, ProtectionDomain domain, RdmaQueue sendCompletions, RdmaQueue receiveCompletions,
            RcSettings settings) {
        this(session, domain, sendCompletions, receiveCompletions, settings, session.page());
    }

    /** Makes the queue pair, which is not connected then. */
    public RcPair(RdmaSession session, ProtectionDomain domain, RdmaQueue sendCompletions, RdmaQueue receiveCompletions,
            RcSettings settings, DoorbellPage page) {
        this.session = session;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.settings = settings;
        int sendBytes = settings.sendBytes() + RollbackTrailer.SIZE;
        DmaPiece sendMemory = session.allocate(sendBytes);
        DmaPiece responderMemory = session.allocate(RcSendRing.FIXED_RING);
        DmaPiece landingMemory = session.allocate(RcSendRing.FIXED_RING);
        DmaPiece receiveMemory = session.allocate(settings.receiveBytes());
        memory = List.of(sendMemory, responderMemory, landingMemory, receiveMemory);
        RcSendRing.prepare(sendMemory, settings.sendBytes());
        try {
            made = session.call(new CreateRcQp(session.adapter(), domain.handle(), sendCompletions.handle(),
                    receiveCompletions.handle(), region(sendMemory, sendBytes),
                    region(responderMemory, RcSendRing.FIXED_RING), 0, region(landingMemory, RcSendRing.FIXED_RING),
                    region(receiveMemory, settings.receiveBytes()), CreateRcQp.NO_MEMORY_MANAGEMENT, page.number(), 0,
                    0, 1, 1));
        } catch (RuntimeException refused) {
            memory.forEach(session::free);
            throw refused;
        }
        sends = new RcSends(sendMemory, landingMemory, settings.sendBytes(), settings.mtu(), page, made);
        receives = new RcReceives(receiveMemory, settings.receiveBytes(), page, made.receiveResponder());
    }

    private long region(DmaPiece piece, long bytes) {
        return session.client().function().createRegion(piece, bytes);
    }

    // ---- states

    /** What the peer has to know. */
    public RcAddress address(Gid gid, int firstPsn) {
        return new RcAddress(number(), firstPsn & 0xff_ffff, gid, session.mac());
    }

    /** Brings the queue pair through all states to where it sends. */
    public void connect(RcAddress own, RcAddress peer) {
        initialize();
        listen(own, peer);
        start(own.psn());
    }

    /** From reset: receives may be posted. */
    public void initialize() {
        change(QpState.INIT, QpAttribute.PARTITION | QpAttribute.PORT | QpAttribute.ACCESS, 0, 0, 0,
                SetQpState.Path.NONE);
    }

    /** Packets of the peer are taken. */
    public void listen(RcAddress own, RcAddress peer) {
        int family = own.gid().family();
        SetQpState.Path path = new SetQpState.Path(own.gid(), peer.gid(), own.mac(), peer.mac(), family, family,
                HOP_LIMIT, 0, 0xc000 | own.number() & 0x3fff, ROCE_PORT, 0);
        change(QpState.READY_TO_RECEIVE, QpAttribute.PATH | QpAttribute.MTU | QpAttribute.PEER | QpAttribute.RECEIVE_PSN
                | QpAttribute.INBOUND_READS | QpAttribute.RNR_TIMER, peer.psn(), 0, peer.number(), path);
    }

    /** Requests are carried out, the first of them with this packet. */
    public void start(int firstPsn) {
        change(QpState.READY_TO_SEND, QpAttribute.ACK_TIMEOUT | QpAttribute.RETRIES | QpAttribute.RNR_RETRIES
                | QpAttribute.SEND_PSN | QpAttribute.OUTBOUND_READS, 0, firstPsn & 0xff_ffff, 0, SetQpState.Path.NONE);
        sends.start(firstPsn);
    }

    /** As if it had just been made. */
    public void reset() {
        change(QpState.RESET, 0, 0, 0, 0, SetQpState.Path.NONE);
        sends.begin();
        receives.begin();
    }

    /** Nothing is carried out any more. */
    public void fail() {
        change(QpState.ERROR, 0, 0, 0, 0, SetQpState.Path.NONE);
    }

    /**
     * Asks for a state, in which the queue pair may be or not.
     *
     * @param attributes of {@link QpAttribute}, besides the state
     */
    public void change(QpState state, long attributes, int receivePsn, int sendPsn, int peer, SetQpState.Path path) {
        session.call(new SetQpState(session.adapter(), made.handle(), attributes | QpAttribute.STATE, state.ordinal(),
                SetQpState.mtuCode(settings.mtu()), receivePsn, sendPsn, peer, settings.reads(), settings.retries(),
                settings.rnrRetries(), settings.rnrTimer(), 0, path, 0, settings.access(), settings.ackTimeout(),
                settings.reads()));
    }

    // ---- requests

    /** Sends. Returns false if there is no room; poll then. Goes out with {@link #ring}, as all requests do. */
    public boolean send(long address, int key, int length) {
        return post(RdmaRequest.SEND, RdmaRequest.SIGNALED, one.clear().add(address, key, length), 0, 0, 0);
    }

    /** Writes into memory of the peer. */
    public boolean write(long address, int key, int length, long remoteAddress, int remoteKey) {
        return post(RdmaRequest.WRITE, RdmaRequest.SIGNALED, one.clear().add(address, key, length), remoteAddress,
                remoteKey, 0);
    }

    /** Reads memory of the peer. */
    public boolean read(long address, int key, int length, long remoteAddress, int remoteKey) {
        return post(RdmaRequest.READ, RdmaRequest.SIGNALED, one.clear().add(address, key, length), remoteAddress,
                remoteKey, 0);
    }

    /**
     * Posts any request.
     *
     * @param operation of {@link RdmaRequest}
     * @param flags of {@link RdmaRequest}
     * @param immediate of operations with one; of a send with invalidate the key that the peer loses
     */
    public boolean post(int operation, int flags, PieceList pieces, long remoteAddress, int remoteKey, int immediate) {
        return sends.post(operation, flags, pieces, remoteAddress, remoteKey, immediate);
    }

    /** Tells the device of all requests that were posted since. */
    public void ring() {
        sends.ring().ring();
    }

    /** Posts a receive; it is there with {@link #ringReceives}. Returns false if there is no room. */
    public boolean receive(long address, int key, int length) {
        return receives.post(one.clear().add(address, key, length));
    }

    /** Posts a receive of several pieces. */
    public boolean receive(PieceList pieces) {
        return receives.post(pieces);
    }

    /** Tells the device of all receives that were posted since. */
    public void ringReceives() {
        receives.ring().ring();
    }

    /** Asks to be told once this packet is acknowledged, or a later one. */
    public void arm(int psn) {
        sends.arm(psn);
    }

    /** From now on only {@link #arm} asks for completions of sends. */
    public void armByHand() {
        sends.armByHand();
    }

    // ---- completions

    /** Takes completions of both sides, if this is the only one that uses the queues. Returns how many there were. */
    public int poll() {
        int count = sendCompletions.poll(this, POLL);
        return receiveCompletions == sendCompletions ? count : count + receiveCompletions.poll(this, POLL);
    }

    /** Takes a completion that names one of its queues. */
    @Override
    public void completion(long entry, int workQueue, boolean sendSide) {
        int type = RdmaCompletion.type(RawMemory.get32(entry + RdmaCompletion.FIRST));
        if (type == RdmaCompletion.ACKNOWLEDGED) {
            sends.acknowledged(entry);
        } else if (type != RdmaCompletion.ERROR) {
            receives.taken(entry);
        } else if (sendSide || workQueue == made.receiveRequester()) {
            sends.failed(entry);
        } else {
            receives.failed(entry);
        }
    }

    /** Requests posted and not complete. */
    public int outstanding() {
        return sends.ring().posted() - sends.ring().completed();
    }

    /** Requests that are complete. */
    public int completed() {
        return sends.ring().completed();
    }

    /** The number of the packet that the next request begins with. */
    public int nextPsn() {
        return sends.ring().nextPsn();
    }

    /** Completions that told of acknowledgements. */
    public int acknowledgements() {
        return sends.acknowledgements();
    }

    /** What the last of these told. */
    public int lastAcknowledged() {
        return sends.lastAcknowledged();
    }

    /** Errors of the sending side since the last reset. */
    public int sendErrors() {
        return sends.errors();
    }

    /** The last of these, of {@link io.manafold.gdma.VendorError}. */
    public int sendError() {
        return sends.lastError();
    }

    /** The packet that it names. */
    public int sendErrorPsn() {
        return sends.errorPsn();
    }

    /** Receives that are complete. */
    public int received() {
        return receives.ring().completed();
    }

    /** Receives that wait for a message. */
    public int waiting() {
        return receives.ring().posted() - receives.ring().completed();
    }

    /** Completions of receives that did not name the oldest one. */
    public int misplaced() {
        return receives.misplaced();
    }

    /** Errors of the receiving side since the last reset. */
    public int receiveErrors() {
        return receives.errors();
    }

    public int receiveError() {
        return receives.lastError();
    }

    /** How the last message came, of {@link RdmaCompletion}. */
    public int receivedType() {
        return receives.type();
    }

    public int receivedLength() {
        return receives.length();
    }

    public int receivedImmediate() {
        return receives.immediate();
    }

    // ---- what it is made of

    /** Its number in packets, which is that of the ring of receives. */
    public int number() {
        return made.receiveResponder();
    }

    /** Its handle and the numbers of its rings. */
    public CreateRcQp.Result made() {
        return made;
    }

    /** The ring of requests, for those who write something else into it. */
    public WorkQueue sendRing() {
        return sends.ring().queue();
    }

    /** The ring of places that reads land in. */
    public WorkQueue landingRing() {
        return sends.ring().landings();
    }

    /** The ring of receives. */
    public WorkQueue receiveRing() {
        return receives.ring().queue();
    }

    /** Ends it and gives its memory back. */
    @Override
    public void close() {
        try {
            session.call(new DestroyRcQp(session.adapter(), made.handle()));
        } finally {
            memory.forEach(session::free);
        }
    }
}
