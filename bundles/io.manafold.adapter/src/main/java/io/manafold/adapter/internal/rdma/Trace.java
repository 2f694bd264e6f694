package io.manafold.adapter.internal.rdma;

import io.manafold.api.adapter.RdmaTrace.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What has become of the last requests of a queue pair, and of packets that did not go as they should. Its agent
 * writes, with no allocation but for errors; any thread reads at any time, and never holds the agent up.
 */
public final class Trace {
    private static final VarHandle RUNG;

    static {
        try {
            RUNG = MethodHandles.lookup().findVarHandle(Trace.class, "rungAt", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final TracedRequests requests = new TracedRequests();
    private final TracedAnswers answers = new TracedAnswers();
    private final TracedEvents events = new TracedEvents();

    /** When the first doorbell was rung that the agent has not seen; 0 for none. */
    private long rungAt;
    /** The driver's position that the agent has seen, and when that doorbell was rung. */
    private int seen;
    private long doorbell;
    /** Requests taken and acknowledged, since the queue pair was made. */
    private long taken;
    private long acknowledged;

    TracedRequests requests() {
        return requests;
    }

    TracedAnswers answers() {
        return answers;
    }

    TracedEvents events() {
        return events;
    }

    /** Whether nothing has happened yet; for its agent, or when that has done with it. */
    boolean isEmpty() {
        return taken == 0 && events.isEmpty();
    }

    // ---- any thread

    /** A doorbell; the clock is read for the first one only that the agent has not seen. */
    void rung() {
        if ((long) RUNG.getOpaque(this) == 0) {
            RUNG.setOpaque(this, System.nanoTime());
        }
    }

    // ---- agent

    /** All that is under way is forgotten by the queue pair, and stays in here as it is. */
    void reset() {
        acknowledged = taken;
        answers.reset();
        seen = 0;
        RUNG.setOpaque(this, 0L);
    }

    /**
     * A request was taken from the ring.
     *
     * @param position in the ring, as doorbells count
     * @param produced the position that the driver had rung for by then
     */
    void taken(long now, int position, int produced, int operation, int psn, int packets, int length) {
        if (seen - position <= 0) {
            seen = produced;
            long rung = (long) RUNG.getOpaque(this);
            RUNG.setOpaque(this, 0L);
            // a doorbell may have been rung after the time of this cycle was taken
            doorbell = rung == 0 || rung - now > 0 ? now : rung;
        }
        requests.begin(++taken, doorbell, now, operation, psn, packets, length, position);
    }

    /**
     * A packet has left.
     *
     * @param place how many requests that are under way come before its own
     * @param again whether it had left before
     */
    void sent(long now, int place, int psn, boolean again) {
        long number = acknowledged + 1 + place;
        if (again) {
            events.run(Kind.SENT_AGAIN, now, number, psn, 0);
        } else {
            requests.sent(number, now);
        }
    }

    /**
     * The peer has answered.
     *
     * @param outstanding requests that are still under way
     */
    void acknowledged(long now, int outstanding, int psn, int msn) {
        long to = taken - outstanding;
        if (acknowledged < to) {
            answers.add(acknowledged + 1, to, now, psn, msn);
            acknowledged = to;
        }
    }

    /** The driver was told of all that is acknowledged. */
    void told(long now) {
        answers.told(now);
    }

    /** Something happened to the oldest request under way. */
    void happened(Kind kind, long now, int psn, int detail) {
        events.add(kind, now, acknowledged + 1, psn, detail, null);
    }

    /**
     * The driver was told of an error of the oldest request under way, or of the next one if there is none.
     *
     * @param note what of the request was wrong, or {@code null}
     */
    void failed(long now, int psn, int code, String note) {
        events.add(Kind.FAILED, now, acknowledged + 1, psn, code, note);
    }

    /** Something happened to a packet of the peer, and perhaps to those that followed it. */
    void peer(Kind kind, long now, int psn, int detail) {
        events.run(kind, now, 0, psn, detail);
    }

    /** A packet of the peer was refused. */
    void refused(long now, int psn, int code, String note) {
        events.add(Kind.PEER_REFUSED, now, 0, psn, code, note);
    }
}
