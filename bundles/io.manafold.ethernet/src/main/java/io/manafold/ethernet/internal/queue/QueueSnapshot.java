package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.QueueStatus;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.WorkQueue;

/** What is told of a queue; it is read on any thread while the device's thread works with it. */
final class QueueSnapshot {
    private QueueSnapshot() {
    }

    static QueueStatus send(int number, QueuePair pair, SendRing ring, EventLine line, EventModerator events) {
        return of(false, number, pair, ring.sends().outstanding(), !ring.hasRoom(), line, 0, events);
    }

    static QueueStatus receive(int number, QueuePair pair, EventLine line, int shares,
            EventModerator events) {
        WorkQueue work = pair.work();
        return of(true, number, pair, (work.bytes() - work.free()) / WorkRequest.UNIT, false, line, shares,
                events);
    }

    private static QueueStatus of(boolean receive, int number, QueuePair pair, int posted, boolean stopped,
            EventLine line, int shares, EventModerator events) {
        WorkQueue work = pair.work();
        int entries = work.bytes() / WorkRequest.UNIT;
        return new QueueStatus(receive, number, work.id(), entries, work.produced() / WorkRequest.UNIT & entries - 1,
                work.oldest(), Math.clamp(posted, 0, entries), stopped, pair.completions().id(),
                pair.completions().isArmed(), line.id(), line.vector(), shares, events.state());
    }
}
