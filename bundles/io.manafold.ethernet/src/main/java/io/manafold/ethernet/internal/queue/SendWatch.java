package io.manafold.ethernet.internal.queue;

import java.time.Duration;

/** Watches whether what a port sends is ever completed. One thread. */
public final class SendWatch {
    private final long limit;
    private QueueSet watched;
    private int[] completed = {};
    private long[] since = {};

    public SendWatch(Duration limit) {
        this.limit = limit.toNanos();
    }

    /**
     * Looks at the queues of a port, on the thread that they belong to.
     *
     * @return the queue whose oldest send has been waiting too long, or -1
     */
    public int look(QueueSet queues, long now) {
        if (queues != watched) {
            watched = queues;
            completed = new int[queues.channels()];
            since = new long[queues.channels()];
            for (int i = 0; i < since.length; i++) {
                note(i, now);
            }
            return -1;
        }
        for (int i = 0; i < since.length; i++) {
            SendRing ring = queues.send(i);
            if (ring.sends().outstanding() == 0 || ring.sends().completed() != completed[i]) {
                note(i, now);
            } else if (now - since[i] >= limit) {
                return i;
            }
        }
        return -1;
    }

    private void note(int queue, long now) {
        completed[queue] = watched.send(queue).sends().completed();
        since[queue] = now;
    }
}
