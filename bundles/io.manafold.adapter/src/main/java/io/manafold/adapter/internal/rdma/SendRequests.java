package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.memory.RawMemory;
import io.manafold.roce.Operation;
import io.manafold.roce.Psn;
import io.manafold.roce.Requester;

/**
 * The driver's requests as its two rings have them: the ring of requests, and that of landings, where the data of reads
 * goes to. Each is checked once and handed to the {@link Requester}; where its data lies is looked up again for each
 * packet, since keys may be taken away meanwhile. All but the doorbells belongs to the agent.
 */
final class SendRequests {
    /** As long as any message may be. */
    private static final int LONGEST = 1 << 24;

    private final RcQueuePair pair;
    private final RequestRing ring;
    private final RequestRing landings;
    private final Requester requester;
    private final ElementList elements = new ElementList();
    /**
     * Whose elements are in {@link #elements}: a position in a ring, and whether that is the one of landings; −1 for
     * none.
     */
    private long loaded = -1;
    private boolean loadedLanding;
    private int sequence;
    /** What is wrong with the oldest request that was not taken, told when those before it are complete. */
    private VendorError pending;
    /** Which rule of the ring that breaks, or {@code null} if the error says enough. */
    private RingRule broken;
    /** The piece of a request that its key does not allow, for people to look at; {@code null} if it is none. */
    private String refused;

    SendRequests(RcQueuePair pair, RequestRing ring, RequestRing landings, Requester requester) {
        this.pair = pair;
        this.ring = ring;
        this.landings = landings;
        this.requester = requester;
    }

    // ---- any thread

    /** The driver's doorbell. */
    void ring(int produced) {
        if (produced != ring.produced()) {
            pair.trace().rung();
        }
        ring.ring(produced);
    }

    /** The driver's doorbell for landings. */
    void ringLandings(int produced) {
        landings.ring(produced);
    }

    // ---- agent

    boolean isThere() {
        return ring.isThere() && landings.isThere();
    }

    void reset() {
        ring.reset();
        landings.reset();
        loaded = -1;
        sequence = 0;
        pending = null;
        broken = null;
        refused = null;
    }

    void start() {
        sequence = 1;
    }

    /** Whether there are requests that were not taken. */
    boolean isWaiting() {
        return ring.available() != 0;
    }

    /** What is wrong with the oldest request that was not taken, or {@code null}. */
    VendorError pending() {
        return pending;
    }

    /** Which rule of the ring that breaks, or {@code null} if the error says enough. */
    RingRule broken() {
        return broken;
    }

    private VendorError breaks(RingRule rule) {
        broken = rule;
        return VendorError.WRONG_SEQUENCE;
    }

    /** The memory of a request that was refused, for people to look at, or {@code null}. */
    String refused() {
        return refused;
    }

    void refused(AccessFault fault) {
        refused = fault == AccessFault.UNREACHABLE ? null : elements.refused();
    }

    /** A turn begins: keys may have been taken away since the last one. */
    void forget() {
        elements.forget();
    }

    /**
     * Takes the next request that the driver has rung for, if it can be under way; not sooner, so that it is read only
     * once.
     */
    void fetch(long now) {
        int available = ring.available();
        if (pending != null || requester.isFull() || available == 0) {
            return;
        }
        if (!ring.isPlausible(available)) {
            pending = breaks(RingRule.DOORBELL);
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
        if (RdmaRequest.psn(control) != requester.nextPsn()) {
            return breaks(RingRule.PACKET_NUMBER);
        }
        if (RdmaRequest.number(RawMemory.get32(at + RdmaRequest.SEQUENCE)) != (sequence & Psn.MASK)) {
            return breaks(RingRule.REQUEST_NUMBER);
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
        pair.trace().taken(now, ring.position(), ring.produced(), kind, requester.nextPsn(),
                Psn.packets((int) length, pair.settings().mtu()), (int) length);
        requester.post(kind, (int) length, RdmaRequest.isSolicited(control), RdmaRequest.isFenced(control),
                address, key, immediate, context);
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

    /** Takes the place over that a read's data goes to: the oldest of its ring that is not taken. */
    private VendorError takeLanding(int psn, long length) {
        int available = landings.available();
        if (available == 0 || !landings.isPlausible(available)) {
            return breaks(available == 0 ? RingRule.LANDING_MISSING : RingRule.LANDING_DOORBELL);
        }
        long at = pair.engine().scratch().address();
        int size = landings.copy(landings.position(), available, at);
        if (size < 0) {
            return size == RequestRing.GONE ? VendorError.REQUEST_NOT_READ : VendorError.REQUEST_SIZE;
        }
        if (RdmaReceiveRequest.psn(RawMemory.get32(at + RdmaReceiveRequest.PSN)) != psn) {
            return breaks(RingRule.LANDING_NUMBER);
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

    private VendorError check(int right) {
        AccessFault fault = elements.check(pair.keys, pair.pd, right);
        if (fault == null) {
            return null;
        }
        pair.engine().counters().count(RdmaCounter.REQUESTOR_LOCAL_PROT_ERROR);
        refused = elements.refused();
        return Faults.ofSend(fault);
    }

    // ---- the memory of the request at hand

    /** Finds so many bytes that a packet of the current request carries; what is wrong with them, or {@code null}. */
    AccessFault find(int length) {
        return add(false, length, MemoryKeys.LOCAL_READ);
    }

    /** Finds where so many bytes go to that were read; what is wrong with the place, or {@code null}. */
    AccessFault findLanding(int length) {
        return add(true, length, MemoryKeys.LOCAL_WRITE);
    }

    private AccessFault add(boolean landing, int length, int right) {
        if (!load(requester.context(), landing)) {
            return AccessFault.UNREACHABLE;
        }
        MemoryAccess access = pair.engine().access();
        access.clear();
        return elements.add(access, pair.keys, pair.pd, requester.offset(), length, right);
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

    // ---- for people to look at

    /**
     * The ring and the place of the request that failed: the oldest under way, or if there is none the one that was not
     * taken.
     */
    String failedPlace() {
        return "%s at 0x%x of its ring".formatted(isLandingFailed() ? "read into the request" : "request",
                failedRing().offset(failedPosition()));
    }

    /** The bytes of the request that failed; what was read before is no longer at hand then. */
    byte[] failedExcerpt() {
        loaded = -1;
        return failedRing().excerpt(failedPosition(), pair.engine().scratch());
    }

    private boolean isLandingFailed() {
        return requester.outstanding() > 0 && requester.isOldestRead();
    }

    private RequestRing failedRing() {
        return isLandingFailed() ? landings : ring;
    }

    private int failedPosition() {
        return requester.outstanding() > 0 ? (int) requester.oldestContext() : ring.position();
    }
}
