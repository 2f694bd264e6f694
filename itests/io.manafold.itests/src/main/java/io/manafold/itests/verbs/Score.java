package io.manafold.itests.verbs;

import java.util.concurrent.atomic.AtomicLong;

/** What has become of messages. */
public final class Score {
    final AtomicLong arrived = new AtomicLong();
    final AtomicLong flushed = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();
    final AtomicLong gone = new AtomicLong();

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

    /** How often a device was gone. */
    public long gone() {
        return gone.get();
    }

    @Override
    public String toString() {
        return "arrived " + arrived + ", flushed " + flushed + ", wrong " + wrong + ", gone " + gone;
    }
}
