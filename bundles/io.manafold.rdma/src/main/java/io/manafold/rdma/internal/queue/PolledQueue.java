package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Completions;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What completion queues of all devices have: one thread at a time polls, waiting is by events, and none polls after
 * the end. What is read was written by the device, and is believed as far as it can be true.
 */
public abstract sealed class PolledQueue implements CompletionQueue permits SharedCompletionQueue, RawCompletionQueue {
    /** Of the thread that polls. */
    final Gate gate;
    private final QueueDevice device;
    private final Object events = new Object();
    private boolean signalled;
    private volatile Thread waiter;
    private boolean closed;

    PolledQueue(QueueDevice device) {
        this.device = device;
        gate = new Gate(device.checksThreads());
    }

    /** Its number in events, −1 while the device knows of none. */
    public abstract int id();

    /** What it is, within a sentence. */
    abstract String who();

    final String subject() {
        return Character.toUpperCase(who().charAt(0)) + who().substring(1);
    }

    // ---- the thread that polls

    /** What polling brings when the gate is shut. */
    final int outside(Completions into) {
        int obstacle = gate.obstacle();
        if (obstacle == Gate.CHANGE) {
            return 0;
        }
        if (obstacle == Gate.THREAD) {
            throw busy();
        }
        if (!device.isGone()) {
            throw closedAlready();
        }
        synchronized (gate) {
            flush(into);
        }
        if (into.count() == 0) {
            throw device.gone();
        }
        return into.count();
    }

    /** What is left comes back, as far as there is room. */
    abstract void flush(Completions into);

    /** Why a thread cannot come in that will do so another time. */
    Refusal busy() {
        return gate.busy("polls " + who(), "a completion queue has one poller, which arms it as well");
    }

    private Refusal closedAlready() {
        return new Refusal(Errno.EBADF, subject() + " has been closed.");
    }

    // ---- events

    @Override
    public final void arm() {
        if (gate.enter()) {
            try {
                forgetEvents();
                armInside();
            } finally {
                gate.leave();
            }
        } else if (device.isGone()) {
            signal();
        } else {
            int obstacle = gate.obstacle();
            if (obstacle == Gate.END) {
                throw closedAlready();
            }
            if (obstacle == Gate.THREAD) {
                armOutside();
            } else {
                // not armed: the thread that polls looks again
                signal();
            }
        }
    }

    /** Asks the device for the next event. */
    abstract void armInside();

    /** Another is inside. */
    void armOutside() {
        throw busy();
    }

    final void forgetEvents() {
        synchronized (events) {
            signalled = false;
        }
    }

    @Override
    public final boolean await(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (events) {
            while (!signalled) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(events, left);
            }
            return true;
        }
    }

    /** There may be something to poll. Any thread. */
    public final void signal() {
        synchronized (events) {
            signalled = true;
            events.notifyAll();
        }
        LockSupport.unpark(waiter);
    }

    @Override
    public final void unpark(Thread parked) {
        waiter = parked;
    }

    // ---- its queues; one thread at a time

    /** Keeps the poller out until the gate is left. */
    final void change() {
        if (!gate.change()) {
            throw gate.hasEnded() ? device.isGone() ? device.gone() : closedAlready() : busy();
        }
    }

    // ---- the end

    /** The device has gone: returns with no thread in the memory of the device any more, false if one stays there. */
    public final boolean end() {
        boolean left = gate.end();
        signal();
        return left;
    }

    @Override
    public final void close() {
        if (device.enter()) {
            try {
                leave();
            } finally {
                device.leave();
            }
        }
        signal();
    }

    private synchronized void leave() {
        if (closed) {
            return;
        }
        String users = users();
        if (users != null) {
            throw new Refusal(Errno.EBUSY, subject() + " is used by " + users);
        }
        if (!gate.end()) {
            throw gate.busy("polls " + who(), "a queue is closed when it is not polled");
        }
        closed = true;
        closes();
    }

    /** By what it is used and what to do first, the end of a sentence; {@code null} if it is not. */
    abstract String users();

    /** It is being closed, with no thread inside. */
    abstract void closes();
}
