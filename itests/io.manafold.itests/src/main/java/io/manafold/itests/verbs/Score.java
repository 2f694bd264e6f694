package io.manafold.itests.verbs;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** What has become of messages. */
public final class Score {
    final AtomicLong arrived = new AtomicLong();
    final AtomicLong flushed = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();
    final AtomicLong gone = new AtomicLong();
    final AtomicLong lost = new AtomicLong();
    final AtomicLongArray byQueue = new AtomicLongArray(4);

    /** Messages that arrived as they were sent. */
    public long arrived() {
        return arrived.get();
    }

    /** Work that came back because its device went. */
    public long flushed() {
        return flushed.get();
    }

    /** Messages that arrived otherwise, and work that ended otherwise. */
    public long wrong() {
        return wrong.get();
    }

    /** Work of a device that went, of which nothing came back before. */
    public long lost() {
        return lost.get();
    }

    /** Packets that came to each of four queues. */
    public long byQueue(int queue) {
        return byQueue.get(queue);
    }

    /** How often a device was gone. */
    public long gone() {
        return gone.get();
    }

    @Override
    public String toString() {
        return "arrived " + arrived + ", flushed " + flushed + ", wrong " + wrong + ", gone " + gone + ", lost " + lost;
    }
}
