package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.QueueWork;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.WorkQueue;

/** What is told of a queue; it is read on any thread while the device's thread works with it. */
final class QueueSnapshot {
    private QueueSnapshot() {
    }

    static QueueStatus send(int number, SendRing ring, EventLine line, EventModerator events) {
        return of(false, number, ring.pair(), !ring.hasRoom(), line, 0, events,
                work(ring.pair(), ring.sends().outstanding(), SendRing.BUDGET, ring.counters().coalesced));
    }

    static QueueStatus receive(int number, ReceiveRing ring, EventLine line, int shares, EventModerator events) {
        return of(true, number, ring.pair(), false, line, shares, events,
                work(ring.pair(), 0, ReceiveRing.BUDGET, ring.counters().several()));
    }

    private static QueueWork work(QueuePair pair, int pending, int budget, long coalesced) {
        CompletionQueue completions = pair.completions();
        return new QueueWork(Math.max(pending, 0), budget, completions.head(), pair.work().rung(), completions.rung(),
                coalesced);
    }

    private static QueueStatus of(boolean receive, int number, QueuePair pair, boolean stopped, EventLine line,
            int shares, EventModerator events, QueueWork done) {
        WorkQueue work = pair.work();
        int entries = work.bytes() / WorkRequest.UNIT;
        int posted = (work.bytes() - work.free()) / WorkRequest.UNIT;
        return new QueueStatus(receive, number, work.id(), entries, work.produced() / WorkRequest.UNIT & entries - 1,
                work.oldest(), Math.clamp(posted, 0, entries), stopped, pair.completions().id(),
                pair.completions().isArmed(), line.id(), line.vector(), shares, events.state(), done);
    }
}
