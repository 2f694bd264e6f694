package io.manafold.adapter.internal.rdma;

import io.manafold.api.adapter.RdmaTrace.Kind;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;
import io.manafold.roce.Psn;
import io.manafold.roce.Requester;
import io.manafold.roce.Syndrome;
import io.manafold.roce.Timers;

/** The sending side of a reliable connection: the driver's requests become packets, the peer's answers completions. */
final class SendSide {
    /** Requests that are under way at a time. */
    private static final int IN_FLIGHT = 64;

    private final RcQueuePair pair;
    private final Trace trace;
    private final Requester requester = new Requester(IN_FLIGHT);
    private final SendRequests requests;
    private final ArmedPsns armed = new ArmedPsns();
    private final CongestionLimit congestion;
    /** What is wrong with memory of a request that is under way, told when those before it are complete. */
    private AccessFault withheld;
    private boolean told;

    SendSide(RcQueuePair pair, RequestRing ring, RequestRing landings) {
        this.pair = pair;
        this.trace = pair.trace();
        requests = new SendRequests(pair, ring, landings, requester);
        congestion = new CongestionLimit(pair);
    }

    SendRequests requests() {
        return requests;
    }

    CongestionLimit congestion() {
        return congestion;
    }

    void arm(int psn) {
        armed.add(psn);
    }

    void reset() {
        requests.reset();
        requester.reset();
        trace.reset();
        armed.clear();
        congestion.reset();
        withheld = null;
        told = false;
    }

    void start(QpSettings with) {
        long timeout = with.ackTimeout() == 0 ? 0 : Math.max(pair.engine().leastTimeout(),
                Timers.acknowledgeNanos(with.ackTimeout()));
        requester.start(with.sendPsn(), with.mtu(), with.retries(), with.rnrRetries(), timeout, with.outboundReads());
        congestion.start();
        requests.start();
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

    // ---- agent

    boolean hasWork() {
        return requester.hasUnsent() || requests.isWaiting() || requests.pending() != null;
    }

    long deadline() {
        return Math.min(requester.deadline(), congestion.heldUntil());
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

    /**
     * Sends until so many packets have left in this cycle; whether it could go on.
     *
     * @param takes whether it begins with requests that it has not begun with; others are carried out to their end
     */
    boolean send(SendBatch out, int most, long now, boolean takes) {
        requests.forget();
        progress(now);
        Packet packet = out.packet();
        while (out.frames() < most && !out.isFull()) {
            if (congestion.holds(now)) {
                return false;
            }
            if (!requester.hasUnsent()) {
                if (takes) {
                    requests.fetch(now);
                }
                if (requests.pending() != null && requester.outstanding() == 0) {
                    pair.failSend(requests.pending(), requester.nextPsn(), 0);
                    return false;
                }
            }
            long again = requester.retransmitted;
            if (!requester.next(now, packet)) {
                return false;
            }
            pair.settings().path().address(packet, pair.engine().mac());
            if (packet.payloadBytes > 0) {
                AccessFault fault = requests.find(packet.payloadBytes);
                if (fault != null) {
                    requester.withhold();
                    withheld = fault;
                    progress(now);
                    return false;
                }
            }
            out.send(pair.engine().access());
            trace.sent(now, requester.place(), packet.psn, requester.retransmitted != again);
            congestion.sent(now, packet.frameBytes());
        }
        return true;
    }

    private void failLocally(AccessFault fault) {
        pair.engine().counters().count(RdmaCounter.REQUESTOR_LOCAL_PROT_ERROR);
        requester.fail(Requester.LOCAL);
        requests.refused(fault);
        pair.failSend(Faults.ofSend(fault), requester.failedPsn(), 0);
    }

    // ---- answers

    void receive(Packet packet, ReceivedFrame arrival, long now) {
        RdmaCounters counters = pair.engine().counters();
        long rnr = requester.rnrNaks;
        long sequenceNaks = requester.sequenceNaks;
        long implied = requester.impliedNaks;
        long mismatches = requester.readMismatches;
        int failed = requester.failure();
        if (Opcode.isReadResponse(packet.opcode)) {
            requests.forget();
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

    private AccessFault place(int length, ReceivedFrame arrival) {
        AccessFault fault = requests.findLanding(length);
        if (fault == null) {
            arrival.payloadTo(pair.engine().access(), length);
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
            pair.sendCompletions.write(pair, Entries.pair(RdmaCompletion.first(RdmaCompletion.ACKNOWLEDGED, 0),
                    progress), requester.acknowledged(), 0, pair.number + RcQueuePair.RECEIVE_REQUESTER, false);
            trace.told(now);
        }
    }

    // ---- errors

    private boolean isOutstanding() {
        return requester.outstanding() > 0 || requests.isWaiting();
    }

    /** Tells of an error, once until the next reset and only if there is a request that can have it. */
    void tellError(VendorError error, int psn, int opcode) {
        if (told || !isOutstanding()) {
            return;
        }
        told = true;
        trace.failed(System.nanoTime(), psn & Psn.MASK, error.code(), requests.refused() == null ? denied(error)
                : requests.refused());
        if (error != VendorError.FLUSHED) {
            // before the driver knows, so that the explanation is there when an administrator asks
            explain(error, psn);
        }
        int progress = RdmaCompletion.word(requester.lastMsn(), 0);
        pair.sendCompletions.write(pair, Entries.pair(RdmaCompletion.first(RdmaCompletion.ERROR, error.code()),
                progress), RdmaCompletion.word(psn, opcode) & 0xffff_ffffL, 0, pair.number, true);
    }

    /** The memory that the peer does not allow, or {@code null}. */
    private String denied(VendorError error) {
        return error != VendorError.REMOTE_ACCESS_DENIED || requester.outstanding() == 0 ? null
                : ElementList.describe(requester.oldestLength(), requester.oldestAddress(), requester.oldestKey());
    }

    /** Shows the request that failed: the oldest under way, or if there is none the one that was not taken. */
    private void explain(VendorError error, int psn) {
        String refused = requests.refused();
        String where = "%s, %s, PSN %d%s".formatted(pair.where, requests.failedPlace(), psn, refused == null ? "" : ", "
                + refused);
        RingRule broken = error == VendorError.WRONG_SEQUENCE ? requests.broken() : null;
        pair.engine().rejections().note(where, requests.failedExcerpt(), broken == null ? error.rule() : broken.rule(),
                broken == null ? error.right() : broken.right(),
                "the request completed with error 0x" + Integer.toHexString(error.code())
                + ", those behind it are flushed");
    }

    void flush() {
        tellError(VendorError.FLUSHED, Psn.add(requester.acknowledged(), 1), 0);
    }
}
