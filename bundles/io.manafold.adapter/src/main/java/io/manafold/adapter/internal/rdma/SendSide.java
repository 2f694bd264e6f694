package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaTrace.Kind;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.RdmaDeviceCounter;
import io.manafold.memory.RawMemory;
import io.manafold.roce.DcqcnSettings;
import io.manafold.roce.Opcode;
import io.manafold.roce.Operation;
import io.manafold.roce.Packet;
import io.manafold.roce.Psn;
import io.manafold.roce.RateControl;
import io.manafold.roce.Requester;
import io.manafold.roce.Syndrome;
import io.manafold.roce.Timers;

/** The sending side of a reliable connection: the driver's requests become packets, the peer's answers completions. */
final class SendSide {
    /** Requests that are under way at a time. */
    private static final int IN_FLIGHT = 64;
    /** As long as any message may be. */
    static final int LONGEST = 1 << 24;
    /** A guest whose virtual processor waits for its turn, or a virtual machine that collects garbage, is no lost packet. */
    private static final long LEAST_TIMEOUT_NANOS = 50_000_000;

    private final RcQueuePair pair;
    private final Trace trace;
    private final RequestRing ring;
    private final RequestRing landings;
    private final Requester requester = new Requester(IN_FLIGHT);
    private final ArmedPsns armed = new ArmedPsns();
    private final ElementList elements = new ElementList();
    private final RateControl rate;
    /** Whose elements are in {@link #elements}: a position in a ring, and whether that is the one of landings; −1 for none. */
    private long loaded = -1;
    private boolean loadedLanding;
    private int sequence;
    /** What is wrong with the oldest request that was not taken, told when those before it are complete. */
    private VendorError pending;
    /** What is wrong with memory of a request that is under way, told when those before it are complete. */
    private AccessFault withheld;
    private boolean told;
    /** The piece of a request that its key does not allow, for people to look at; {@code null} if it is none. */
    private String refused;
    /** When congestion lets the next packet leave; without an end if it does not hold any. */
    private long heldUntil = Long.MAX_VALUE;
    private volatile long limit;

    SendSide(RcQueuePair pair, RequestRing ring, RequestRing landings) {
        this.pair = pair;
        this.trace = pair.trace();
        this.ring = ring;
        this.landings = landings;
        this.rate = new RateControl(pair.engine().dcqcn());
    }

    void ring(int produced) {
        if (produced != ring.produced()) {
            trace.rung();
        }
        ring.ring(produced);
    }

    void ringLandings(int produced) {
        landings.ring(produced);
    }

    boolean isThere() {
        return ring.isThere() && landings.isThere();
    }

    void arm(int psn) {
        armed.add(psn);
    }

    void reset() {
        ring.reset();
        landings.reset();
        requester.reset();
        trace.reset();
        armed.clear();
        heldUntil = Long.MAX_VALUE;
        limit = 0;
        loaded = -1;
        sequence = 0;
        pending = null;
        withheld = null;
        told = false;
        refused = null;
    }

    void start(QpSettings with) {
        long timeout = with.ackTimeout() == 0 ? 0 : Math.max(LEAST_TIMEOUT_NANOS, Timers.acknowledgeNanos(with.ackTimeout()));
        requester.start(with.sendPsn(), with.mtu(), with.retries(), with.rnrRetries(), timeout, with.outboundReads());
        rate.start(pair.engine().port().lineRate());
        sequence = 1;
    }

    void dcqcn(DcqcnSettings changed) {
        rate.settings(changed);
    }

    // ---- to be looked at, from any thread

    int nextPsn() {
        return requester.nextPsn();
    }

    int acknowledged() {
        return requester.acknowledged();
    }

    int inFlight() {
        return requester.outstanding();
    }

    RdmaQueuePair.Congestion congestion() {
        return new RdmaQueuePair.Congestion(rate.currentRate(), rate.isLimited(), rate.congested, rate.recovered, rate.increases);
    }

    // ---- agent

    boolean hasWork() {
        return requester.hasUnsent() || ring.available() != 0 || pending != null;
    }

    long deadline() {
        return Math.min(requester.deadline(), heldUntil);
    }

    void expire(long now) {
        long before = requester.timeouts;
        requester.expire(now);
        if (requester.timeouts != before) {
            pair.engine().counters().add(RdmaCounter.REQUESTER_TIMEOUT, requester.timeouts - before);
            trace.happened(Kind.UNANSWERED, now, Psn.add(requester.acknowledged(), 1), 0);
        }
        progress(now);
    }

    // ---- congestion

    /** The peer has seen packets that were marked. */
    void congested(long now) {
        long before = rate.congested;
        rate.congested(now);
        if (rate.congested != before) {
            pair.engine().counters().count(RdmaCounter.NUM_QPS_CONGESTED);
            pair.engine().counters().count(RdmaDeviceCounter.QP_CONGESTED_EVENTS);
        }
        limit = rate.currentRate();
    }

    private long holdUntil(long now) {
        if (!rate.isLimited()) {
            return now;
        }
        long increases = rate.increases;
        long recovered = rate.recovered;
        long until = rate.holdUntil(now);
        count(increases, recovered);
        return rate.isLimited() ? until : now;
    }

    private void sent(long now, int bytes) {
        long increases = rate.increases;
        long recovered = rate.recovered;
        rate.sent(now, bytes);
        count(increases, recovered);
    }

    private void count(long increases, long recovered) {
        if (rate.increases != increases) {
            RdmaCounters counters = pair.engine().counters();
            counters.add(RdmaCounter.RATE_INC_EVENTS, rate.increases - increases);
            counters.add(RdmaDeviceCounter.RATE_INC_EVENTS, rate.increases - increases);
            counters.add(RdmaCounter.NUM_QPS_RECOVERED, rate.recovered - recovered);
            counters.add(RdmaDeviceCounter.QP_RECOVERED_EVENTS, rate.recovered - recovered);
            limit = rate.isLimited() ? rate.currentRate() : 0;
        }
    }

    /** Bits a second that congestion leaves, 0 if there is no limit. Any thread. */
    long limit() {
        return limit;
    }

    /** Sends until so many packets have left in this cycle; whether it could go on. */
    boolean send(Departures out, int most, long now) {
        elements.forget();
        progress(now);
        Packet packet = out.packet();
        while (out.frames() < most && !out.isFull()) {
            heldUntil = holdUntil(now);
            if (heldUntil - now > 0) {
                return false;
            }
            heldUntil = Long.MAX_VALUE;
            if (!requester.hasUnsent()) {
                fetch(now);
                if (pending != null && requester.outstanding() == 0) {
                    pair.failSend(pending, requester.nextPsn(), 0);
                    return false;
                }
            }
            long again = requester.retransmitted;
            if (!requester.next(now, packet)) {
                return false;
            }
            pair.settings().path().address(packet, pair.engine().mac());
            if (packet.payloadBytes > 0) {
                AccessFault fault = find(packet.payloadBytes);
                if (fault != null) {
                    requester.withhold();
                    withheld = fault;
                    progress(now);
                    return false;
                }
            }
            out.send(pair.engine().access());
            trace.sent(now, requester.place(), packet.psn, requester.retransmitted != again);
            if (rate.isLimited()) {
                sent(now, packet.frameBytes());
            }
        }
        return true;
    }

    private void failLocally(AccessFault fault) {
        pair.engine().counters().count(RdmaCounter.REQUESTOR_LOCAL_PROT_ERROR);
        requester.fail(Requester.LOCAL);
        refused = fault == AccessFault.UNREACHABLE ? null : elements.refused();
        pair.failSend(Faults.ofSend(fault), requester.failedPsn(), 0);
    }

    // ---- requests

    /** Takes the next request that the driver has rung for, if it can be under way; not sooner, so that it is read only once. */
    private void fetch(long now) {
        int available = ring.available();
        if (pending != null || requester.isFull() || available == 0) {
            return;
        }
        if (!ring.isPlausible(available)) {
            pending = VendorError.WRONG_SEQUENCE;
            return;
        }
        long at = pair.engine().scratch().address();
        int size = ring.copy(ring.position(), available, at);
        pending = size == RequestRing.GONE ? VendorError.REQUEST_NOT_READ
                : size == RequestRing.MALFORMED ? VendorError.REQUEST_SIZE : take(at, now);
        if (pending == null) {
            ring.consume(size);
        }
    }

    /** Takes a request over; what is wrong with it, or {@code null}. */
    private VendorError take(long at, long now) {
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        int control = RawMemory.get32(at + RdmaRequest.CONTROL);
        int operation = RdmaRequest.operation(control);
        int kind = kind(operation);
        if (kind < 0) {
            return VendorError.OPERATION_UNSUPPORTED;
        }
        if (WorkRequest.inlineBytes(word1) != RdmaRequest.inlineBytes(operation) || !readElements(at)) {
            return VendorError.REQUEST_FIELD;
        }
        if (RdmaRequest.psn(control) != requester.nextPsn()
                || RdmaRequest.number(RawMemory.get32(at + RdmaRequest.SEQUENCE)) != (sequence & Psn.MASK)) {
            return VendorError.WRONG_SEQUENCE;
        }
        boolean remote = operation == RdmaRequest.WRITE || operation == RdmaRequest.WRITE_WITH_IMMEDIATE
                || operation == RdmaRequest.READ;
        long stated = RawMemory.getUnsigned32(at + RdmaRequest.LENGTH);
        long length = operation == RdmaRequest.READ ? stated : elements.total();
        if (length > LONGEST || remote && length != stated) {
            return VendorError.REQUEST_LENGTH;
        }
        int word = RawMemory.get32(at + RdmaRequest.IMMEDIATE);
        long address = remote ? RdmaRequest.remoteAddress(word, RawMemory.get32(at + RdmaRequest.REMOTE_LOW)) : 0;
        int key = remote ? RawMemory.get32(at + RdmaRequest.REMOTE_KEY) : 0;
        int immediate = remote ? RawMemory.get32(at + RdmaRequest.WIDE_IMMEDIATE) : word;
        boolean landing = operation == RdmaRequest.READ;
        long context = (landing ? landings : ring).position() & 0xffff_ffffL;
        VendorError wrong = landing ? takeLanding(RdmaRequest.psn(control), length) : check(MemoryKeys.LOCAL_READ);
        if (wrong != null) {
            return wrong;
        }
        loaded = context;
        loadedLanding = landing;
        trace.taken(now, ring.position(), ring.produced(), kind, requester.nextPsn(), Psn.packets((int) length, pair.settings().mtu()),
                (int) length);
        requester.post(kind, (int) length, RdmaRequest.isSolicited(control), RdmaRequest.isFenced(control), address, key,
                immediate, context);
        sequence++;
        return null;
    }

    private static int kind(int operation) {
        return switch (operation) {
            case RdmaRequest.SEND -> Operation.SEND;
            case RdmaRequest.SEND_WITH_IMMEDIATE -> Operation.SEND_IMMEDIATE;
            case RdmaRequest.SEND_WITH_INVALIDATE -> Operation.SEND_INVALIDATE;
            case RdmaRequest.WRITE -> Operation.WRITE;
            case RdmaRequest.WRITE_WITH_IMMEDIATE -> Operation.WRITE_IMMEDIATE;
            case RdmaRequest.READ -> Operation.READ;
            default -> -1;
        };
    }

    /** Reads the elements of the copy of a request of the send ring; false if there can be no such. */
    private boolean readElements(long at) {
        loaded = -1;
        int word0 = RawMemory.get32(at + WorkRequest.WORD0);
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        return elements.read(at, WorkRequest.firstPiece(word1), RdmaRequest.pieces(word0, word1));
    }

    /** The same for the ring of landings. */
    private boolean readLanding(long at) {
        loaded = -1;
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        return elements.read(at, WorkRequest.firstPiece(word1), WorkRequest.pieces(word1));
    }

    private VendorError check(int right) {
        AccessFault fault = elements.check(pair.keys, pair.pd, right);
        if (fault == null) {
            return null;
        }
        pair.engine().counters().count(RdmaCounter.REQUESTOR_LOCAL_PROT_ERROR);
        refused = elements.refused();
        return Faults.ofSend(fault);
    }

    /** Takes the place over that a read's data goes to: the oldest of its ring that is not taken. */
    private VendorError takeLanding(int psn, long length) {
        int available = landings.available();
        if (available == 0 || !landings.isPlausible(available)) {
            return VendorError.WRONG_SEQUENCE;
        }
        long at = pair.engine().scratch().address();
        int size = landings.copy(landings.position(), available, at);
        if (size < 0) {
            return size == RequestRing.GONE ? VendorError.REQUEST_NOT_READ : VendorError.REQUEST_SIZE;
        }
        if (RdmaReceiveRequest.psn(RawMemory.get32(at + RdmaReceiveRequest.PSN)) != psn) {
            return VendorError.WRONG_SEQUENCE;
        }
        if (!readLanding(at) || elements.total() < length) {
            return VendorError.READ_LENGTH;
        }
        VendorError wrong = check(MemoryKeys.LOCAL_WRITE);
        if (wrong == null) {
            landings.consume(size);
        }
        return wrong;
    }

    /** Has the elements of a request at hand again, which the driver may have changed since. */
    private boolean load(long position, boolean landing) {
        if (loaded == position && loadedLanding == landing) {
            return true;
        }
        long at = pair.engine().scratch().address();
        boolean read = landing ? landings.copy((int) position, WorkRequest.MAX_RECEIVE, at) > 0 && readLanding(at)
                : ring.copy((int) position, WorkRequest.MAX_SEND, at) > 0 && readElements(at);
        loaded = read ? position : -1;
        loadedLanding = landing;
        return read;
    }

    /** Finds what the packet carries. */
    private AccessFault find(int length) {
        if (!load(requester.context(), false)) {
            return AccessFault.UNREACHABLE;
        }
        MemoryAccess access = pair.engine().access();
        access.clear();
        return elements.add(access, pair.keys, pair.pd, requester.offset(), length, MemoryKeys.LOCAL_READ);
    }

    // ---- answers

    void receive(Packet packet, Arrival arrival, long now) {
        RdmaCounters counters = pair.engine().counters();
        long rnr = requester.rnrNaks;
        long sequenceNaks = requester.sequenceNaks;
        long implied = requester.impliedNaks;
        long mismatches = requester.readMismatches;
        int failed = requester.failure();
        if (Opcode.isReadResponse(packet.opcode)) {
            elements.forget();
            if (requester.readResponse(now, packet)) {
                AccessFault fault = place(packet.payloadBytes, arrival);
                if (fault != null) {
                    trace.acknowledged(now, requester.outstanding(), packet.psn, requester.lastMsn());
                    failLocally(fault);
                    return;
                }
                requester.placed(now);
            }
        } else {
            requester.acknowledge(now, packet.psn, packet.syndrome, packet.msn);
        }
        trace.acknowledged(now, requester.outstanding(), packet.psn, requester.lastMsn());
        if (requester.rnrNaks != rnr) {
            counters.count(RdmaCounter.REQUESTER_RNR_NAK);
            trace.happened(Kind.NAK_NOT_READY, now, packet.psn,
                    (int) (Timers.rnrNanos(Syndrome.timerCode(packet.syndrome)) / 1000));
        }
        if (requester.sequenceNaks != sequenceNaks) {
            counters.count(RdmaCounter.REQUESTER_OOS_NAK);
            trace.happened(Kind.NAK_SEQUENCE, now, packet.psn, 0);
        }
        if (requester.impliedNaks != implied) {
            counters.count(RdmaCounter.REQUESTER_IMPLICIT_NAK);
            trace.happened(Kind.DATA_MISSING, now, Psn.add(requester.acknowledged(), 1), 0);
        }
        if (requester.isRefused() && failed == 0) {
            trace.happened(Kind.NAK_REFUSED, now, packet.psn, packet.syndrome);
        }
        counters.add(RdmaCounter.REQUESTER_READRESP_PSN_MISMATCH, requester.readMismatches - mismatches);
        progress(now);
    }

    private AccessFault place(int length, Arrival arrival) {
        if (!load(requester.context(), true)) {
            return AccessFault.UNREACHABLE;
        }
        MemoryAccess access = pair.engine().access();
        access.clear();
        AccessFault fault = elements.add(access, pair.keys, pair.pd, requester.offset(), length, MemoryKeys.LOCAL_WRITE);
        if (fault == null) {
            arrival.payloadTo(access, length);
        }
        return fault;
    }

    /** Tells the driver of what was acknowledged, or that no more will be. */
    private void progress(long now) {
        int failure = requester.failure();
        if (failure != 0) {
            RdmaCounters counters = pair.engine().counters();
            if (failure == Requester.RETRIES) {
                counters.count(RdmaCounter.REQUESTER_RETRIES_EXCEEDED);
            } else if (failure == Requester.RNR_RETRIES) {
                counters.count(RdmaCounter.REQUESTER_RNR_NAK_RETRIES_EXCEEDED);
            }
            pair.failSend(Faults.ofRequester(failure), requester.failedPsn(), 0);
            return;
        }
        if (withheld != null && requester.isStuck()) {
            // those before it have come to their end as if nothing was wrong
            failLocally(withheld);
            return;
        }
        if (!armed.isEmpty() && armed.take(requester.acknowledged())) {
            int progress = RdmaCompletion.word(requester.lastMsn(), RdmaCompletion.NO_CREDIT_LIMIT);
            pair.sendCompletions.write(pair.engine(), Entries.pair(RdmaCompletion.first(RdmaCompletion.ACKNOWLEDGED, 0), progress),
                    requester.acknowledged(), 0, pair.number + RcQueuePair.RECEIVE_REQUESTER, false);
            trace.told(now);
        }
    }

    // ---- errors

    private boolean isOutstanding() {
        return requester.outstanding() > 0 || ring.available() != 0;
    }

    /** Tells of an error, once until the next reset and only if there is a request that can have it. */
    void tellError(VendorError error, int psn, int opcode) {
        if (told || !isOutstanding()) {
            return;
        }
        told = true;
        trace.failed(System.nanoTime(), psn & Psn.MASK, error.code(), refused == null ? denied(error) : refused);
        if (error != VendorError.FLUSHED) {
            // before the driver knows, so that the explanation is there when an administrator asks
            explain(error, psn);
        }
        int progress = RdmaCompletion.word(requester.lastMsn(), 0);
        pair.sendCompletions.write(pair.engine(), Entries.pair(RdmaCompletion.first(RdmaCompletion.ERROR, error.code()), progress),
                RdmaCompletion.word(psn, opcode) & 0xffff_ffffL, 0, pair.number, true);
    }

    /** The memory that the peer does not allow, or {@code null}. */
    private String denied(VendorError error) {
        return error != VendorError.REMOTE_ACCESS_DENIED || requester.outstanding() == 0 ? null
                : ElementList.describe(requester.oldestLength(), requester.oldestAddress(), requester.oldestKey());
    }

    /** Shows the request that failed: the oldest under way, or if there is none the one that was not taken. */
    private void explain(VendorError error, int psn) {
        boolean taken = requester.outstanding() > 0;
        boolean landing = taken && requester.isOldestRead();
        RequestRing failed = landing ? landings : ring;
        int position = taken ? (int) requester.oldestContext() : ring.position();
        String where = "%s, %s at 0x%x of its ring, PSN %d%s".formatted(pair.where, landing ? "read into the request" : "request",
                failed.offset(position), psn, refused == null ? "" : ", " + refused);
        pair.engine().rejections().note(where, failed.excerpt(position, pair.engine().scratch()), error.rule(), error.right(),
                "the request completed with error 0x" + Integer.toHexString(error.code()) + ", those behind it are flushed");
        loaded = -1;
    }

    void flush() {
        tellError(VendorError.FLUSHED, Psn.add(requester.acknowledged(), 1), 0);
    }
}
