package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Completions;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A completion queue that one work queue has for itself; the device knows of it from when that is made. What it reads was written by
 * the device, and is believed as far as it can be true.
 */
public final class RawCompletionQueue implements CompletionQueue {
    private final QueueDevice device;
    private final int entries;
    private final Consumer<RawCompletionQueue> closing;
    private final Gate gate = new Gate();
    private final Object events = new Object();
    /** Whose completions these are; changed with the gate shut. */
    private volatile RawQueue queue;
    private volatile boolean direct;
    private boolean signalled;
    private boolean closed;

    /** @param closing is told that it is being closed */
    public RawCompletionQueue(QueueDevice device, int entries, Consumer<RawCompletionQueue> closing) {
        this.device = device;
        this.entries = entries;
        this.closing = closing;
    }

    @Override
    public int entries() {
        return entries;
    }

    /** Its number in events, −1 while no queue has it. */
    public int id() {
        RawQueue now = queue;
        return now == null ? -1 : now.entries().id();
    }

    // ---- the thread that polls

    @Override
    public int poll(Completions into) {
        into.clear();
        if (!gate.enter()) {
            return outside(into);
        }
        try {
            RawQueue now = queue;
            if (now == null) {
                return 0;
            }
            if (!now.hasFailed()) {
                read(now, into);
            }
            if (now.hasFailed()) {
                now.flush(into);
                String failure = now.entries().failure();
                if (failure != null && into.count() == 0) {
                    throw new Refusal(Errno.EIO, "A completion queue of " + device.name() + " was broken by its device: " + failure
                            + " Close its queue and make another.");
                }
            }
            return into.count();
        } finally {
            gate.leave();
        }
    }

    private void read(RawQueue now, Completions into) {
        io.manafold.gdma.driver.CompletionQueue ring = now.entries();
        int budget = ring.slots();
        int count = 0;
        while (count < budget && !into.isFull() && !now.hasFailed()) {
            long entry = ring.next(now.number(), now.type());
            if (entry == 0 || !now.take(entry, into)) {
                break;
            }
            ring.consume();
            count++;
        }
        ring.polled(count);
        if (ring.failure() != null) {
            device.tell(new AsyncEvent(AsyncEvent.Type.CQ_ERR, 0, "The completion queue of " + now.who()
                    + " cannot be used any more: " + ring.failure()));
            now.broken("its completion queue was broken by the device");
        }
    }

    private int outside(Completions into) {
        if (gate.isChanging()) {
            return 0;
        }
        if (!gate.hasEnded()) {
            throw busy();
        }
        if (!device.isGone()) {
            throw closedAlready();
        }
        RawQueue now = queue;
        if (now != null) {
            synchronized (gate) {
                now.flush(into);
            }
        }
        if (into.count() == 0) {
            throw device.gone();
        }
        return into.count();
    }

    private Refusal busy() {
        return direct ? new Refusal(Errno.EBUSY, "A completion queue of " + device.name()
                + " is read directly by who has taken its queue; poll there.")
                : gate.busy("polls a completion queue of " + device.name(), "a completion queue has one poller");
    }

    private Refusal closedAlready() {
        return new Refusal(Errno.EBADF, "A completion queue of " + device.name() + " has been closed.");
    }

    // ---- events

    /** Of one that is read directly, forgets earlier events; its user asks for the next. */
    @Override
    public void arm() {
        if (!gate.enter()) {
            armOutside();
            return;
        }
        try {
            forgetEvents();
            RawQueue now = queue;
            if (now != null) {
                now.entries().disarm(now.entries().id());
                now.entries().arm();
                if (now.hasFailed()) {
                    signal();
                }
            }
        } finally {
            gate.leave();
        }
    }

    private void armOutside() {
        if (device.isGone()) {
            signal();
        } else if (gate.hasEnded()) {
            throw closedAlready();
        } else if (direct) {
            forgetEvents();
        } else {
            throw busy();
        }
    }

    private void forgetEvents() {
        synchronized (events) {
            signalled = false;
        }
    }

    @Override
    public boolean await(Duration limit) throws InterruptedException {
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
    public void signal() {
        synchronized (events) {
            signalled = true;
            events.notifyAll();
        }
    }

    // ---- its queue; one thread at a time

    /** @throws Refusal {@code EINVAL} if it is another's */
    void attach(RawQueue made) {
        if (!gate.change()) {
            throw gate.hasEnded() ? device.isGone() ? device.gone() : closedAlready() : busy();
        }
        try {
            if (queue != null) {
                throw new Refusal(Errno.EINVAL, "A completion queue of " + device.name() + " is for one queue, and this one is that"
                        + " of " + queue.who() + "; make another.");
            }
            queue = made;
        } finally {
            gate.leave();
        }
    }

    /** Returns whether no thread is in the memory of completions any more. */
    boolean detach(RawQueue ending) {
        if (gate.hasEnded()) {
            return true;
        }
        if (!gate.change()) {
            return false;
        }
        if (queue == ending) {
            queue = null;
        }
        gate.leave();
        return true;
    }

    /** From now on it is read directly, until {@link #giveBack}. */
    void take() {
        if (!gate.enter()) {
            throw busy();
        }
        direct = true;
    }

    void giveBack() {
        direct = false;
        gate.leave();
    }

    // ---- the end

    /** The device has gone: returns with no thread in the memory of the device any more, false if one stays there. */
    public boolean end() {
        boolean left = gate.end();
        signal();
        return left;
    }

    @Override
    public void close() {
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
        RawQueue now = queue;
        if (now != null) {
            throw new Refusal(Errno.EBUSY, "A completion queue of " + device.name() + " is used by " + now.who()
                    + "; close that first.");
        }
        if (!gate.end()) {
            throw gate.busy("polls a completion queue of " + device.name(), "a queue is closed when it is not polled");
        }
        closed = true;
        closing.accept(this);
    }
}
