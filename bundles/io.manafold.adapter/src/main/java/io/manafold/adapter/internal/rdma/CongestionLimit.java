package io.manafold.adapter.internal.rdma;

import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.gdma.message.RdmaDeviceCounter;
import io.manafold.roce.DcqcnSettings;
import io.manafold.roce.RateControl;

/**
 * How fast congestion lets a queue pair send, and the counters that tell of it. All but {@link #limit} belongs to the
 * agent.
 */
final class CongestionLimit {
    private final RcQueuePair pair;
    private final RateControl rate;
    /** When the next packet may leave; without an end if nothing holds it. */
    private long heldUntil = Long.MAX_VALUE;
    private volatile long limit;

    CongestionLimit(RcQueuePair pair) {
        this.pair = pair;
        rate = new RateControl(pair.engine().dcqcn());
    }

    void reset() {
        heldUntil = Long.MAX_VALUE;
        limit = 0;
    }

    void start() {
        rate.start(pair.engine().port().lineRate());
    }

    void settings(DcqcnSettings changed) {
        rate.settings(changed);
    }

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

    /** Whether the next packet has to wait; until when, {@link #heldUntil} says. */
    boolean holds(long now) {
        heldUntil = holdUntil(now);
        if (heldUntil - now > 0) {
            return true;
        }
        heldUntil = Long.MAX_VALUE;
        return false;
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

    long heldUntil() {
        return heldUntil;
    }

    /** A packet has left. */
    void sent(long now, int bytes) {
        if (!rate.isLimited()) {
            return;
        }
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

    /** To be looked at, from any thread. */
    RdmaQueuePair.Congestion status() {
        return new RdmaQueuePair.Congestion(rate.currentRate(), rate.isLimited(), rate.congested, rate.recovered,
                rate.increases);
    }
}
