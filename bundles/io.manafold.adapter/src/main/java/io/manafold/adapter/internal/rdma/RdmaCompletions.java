package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.CompletionQueue;

/**
 * A completion queue that queue pairs share. It has one writer, the agent of the first queue pair's port; engines of
 * ports on other links hand their completions over to that.
 */
public final class RdmaCompletions {
    private final long handle;
    private final CompletionQueue queue;
    /** The engine that writes; set when the first queue pair names it. */
    private RdmaEngine home;
    /** Queue pairs that name it, twice those that do so for both sides; the control agent changes it. */
    private int users;
    /** Whether the engine is going to tell the driver at the end of its batch; belongs to that one's agent. */
    private boolean touched;
    private RdmaCompletions nextTouched;

    public RdmaCompletions(long handle, CompletionQueue queue) {
        this.handle = handle;
        this.queue = queue;
    }

    public long handle() {
        return handle;
    }

    public CompletionQueue queue() {
        return queue;
    }

    /** A queue pair of an engine uses it from now on. */
    public void use(RdmaEngine engine) {
        if (users++ == 0) {
            home = engine;
        }
    }

    /** A queue pair of an engine uses it no more; on return nothing of that is on its way. */
    public void leave(RdmaEngine engine) {
        users--;
        settle(engine);
    }

    /**
     * Waits until all is written that an engine has handed over. The control agent does: the writer's agent may be the
     * engine's own, which would wait for itself.
     */
    void settle(RdmaEngine engine) {
        if (home != engine) {
            home.settle();
        }
    }

    /**
     * A queue pair moves to another engine. If no other one uses the queue, its writer moves as well. On the agent of
     * the engine that it leaves, while the control agent waits.
     *
     * @param uses how often the queue pair names the queue
     */
    void follow(RdmaEngine engine, RdmaEngine next, int uses) {
        if (home == engine && users == uses) {
            home = next;
        }
    }

    public boolean isUsed() {
        return users > 0;
    }

    /** Whether the kernel has something behind the next entry; only its writer can tell. */
    boolean isThere(RdmaEngine asking) {
        return home != asking || queue.isThere();
    }

    /** Writes an entry of a queue pair, on the agent of that one's engine. */
    void write(QueuePair from, long first, long second, long third, int workQueue, boolean send) {
        RdmaEngine writer = home;
        if (writer == from.engine()) {
            put(first, second, third, workQueue, send);
        } else {
            Handoff one = from.engine().hands(from, this);
            if (one == null) {
                from.engine().overrun(from);
                return;
            }
            one.first = first;
            one.second = second;
            one.third = third;
            one.workQueue = workQueue;
            one.send = send;
            writer.take(one);
        }
    }

    /** Writes an entry that another engine has handed over; on the writer's agent. */
    void put(Handoff one) {
        put(one.first, one.second, one.third, one.workQueue, one.send);
    }

    private void put(long first, long second, long third, int workQueue, boolean send) {
        queue.write(first, second, third, 0, workQueue, send);
        if (!touched) {
            touched = true;
            nextTouched = home.touch(this);
        }
    }

    /** Tells the driver, if it waits; answers the next one that was written. */
    RdmaCompletions flush() {
        touched = false;
        RdmaCompletions next = nextTouched;
        nextTouched = null;
        queue.flush();
        return next;
    }
}
