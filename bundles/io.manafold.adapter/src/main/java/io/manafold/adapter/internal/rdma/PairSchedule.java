package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.ethernet.PortPauses;
import io.manafold.packet.PauseFrame;

/**
 * Which queue pair has its turn next. Those whose class of packets the link has asked to pause wait beside the others
 * until that is over. Belongs to the port's agent, but for doorbells.
 */
final class PairSchedule {
    private final RdmaEngine engine;
    private final PortPauses pauses;
    private final ReadySet ready = new ReadySet();
    private final RoundRobinList next = new RoundRobinList();
    /** Queue pairs that have something to do, but whose class of frames the link has asked to pause. */
    private final RoundRobinList[] paused = new RoundRobinList[PauseFrame.CLASSES];
    /** The classes of those, a bit each; one that has lost its last queue pair stays until its pause is over. */
    private int waiting;

    PairSchedule(RdmaEngine engine, PortPauses pauses) {
        this.engine = engine;
        this.pauses = pauses;
        for (int of = 0; of < paused.length; of++) {
            paused[of] = new RoundRobinList();
        }
    }

    /** A doorbell of a queue pair was rung; false if it was before. Any thread. */
    boolean ring(QueuePair pair) {
        return ready.add(pair);
    }

    /** A queue pair has something to do. */
    void add(QueuePair pair) {
        next.add(pair);
    }

    /** Whether no queue pair has anything to do at this time. */
    boolean isEmpty() {
        return next.isEmpty() && ready.isEmpty();
    }

    /** Takes what was rung since the last time, and those whose pause is over. */
    void begin(long now) {
        drain();
        for (int of = 0; waiting != 0 && of < paused.length; of++) {
            if (isWaiting(of) && !pauses.holds(of, now)) {
                next.addAll(paused[of]);
                waiting &= ~(1 << of);
            }
        }
    }

    /** The next one, or {@code null}. */
    QueuePair take(long now) {
        QueuePair pair = next.take();
        while (pair != null && pauses.any() && pauses.holds(pair.priority(), now)) {
            paused[pair.priority()].add(pair);
            waiting |= 1 << pair.priority();
            pair = next.take();
        }
        return pair;
    }

    /** Nothing of a queue pair waits here any more. */
    void forget(QueuePair pair) {
        drain();
        if (pair.turns != null) {
            pair.turns.remove(pair);
        }
    }

    /** None has a turn. */
    void clear() {
        next.clear();
    }

    /**
     * When a pause is over that holds up a queue pair; without an end if none does. It may have been over for a while:
     * a sender of frames of the same class has seen so first, and the pause is none any more.
     */
    long resumes() {
        long first = Long.MAX_VALUE;
        for (int of = 0; waiting != 0 && of < paused.length; of++) {
            if (isWaiting(of)) {
                first = Math.min(first, pauses.until(of));
            }
        }
        return first;
    }

    private boolean isWaiting(int of) {
        return (waiting >>> of & 1) != 0;
    }

    private void drain() {
        QueuePair pair = ready.take();
        while (pair != null) {
            QueuePair after = pair.nextReady;
            pair.nextReady = null;
            pair.unmarkReady();
            if (pair.engine() == engine) {
                next.add(pair);
            } else {
                // rung by a thread that had not seen it move
                pair.engine().ready(pair);
            }
            pair = after;
        }
    }
}
