package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.Completions;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.function.Consumer;

/** A completion queue that one work queue has for itself; the device knows of it from when that is made. */
public final class RawCompletionQueue extends PolledQueue {
    private final QueueDevice device;
    private final int entries;
    private final Consumer<RawCompletionQueue> closing;
    /** Whose completions these are; changed with the gate shut. */
    private volatile RawQueue queue;
    private volatile boolean direct;

    /** @param closing is told that it is being closed */
    public RawCompletionQueue(QueueDevice device, int entries, Consumer<RawCompletionQueue> closing) {
        super(device);
        this.device = device;
        this.entries = entries;
        this.closing = closing;
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int id() {
        RawQueue now = queue;
        return now == null ? -1 : now.entries().id();
    }

    /** How many queues use it. */
    public int uses() {
        return queue == null ? 0 : 1;
    }

    @Override
    String who() {
        return "a completion queue of " + device.name();
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
                    throw new Refusal(Errno.EIO, subject() + " was broken by its device: " + failure
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

    @Override
    void flush(Completions into) {
        RawQueue now = queue;
        if (now != null) {
            now.flush(into);
        }
    }

    @Override
    Refusal busy() {
        return direct ? new Refusal(Errno.EBUSY, subject()
                + " is read directly by the application that has taken its queue; poll there.") : super.busy();
    }

    // ---- events

    @Override
    void armInside() {
        RawQueue now = queue;
        if (now != null) {
            now.entries().disarm(now.entries().id());
            now.entries().arm();
            if (now.hasFailed()) {
                signal();
            }
        }
    }

    /** Of one that is read directly, forgets earlier events; its user asks for the next. */
    @Override
    void armOutside() {
        if (!direct) {
            throw busy();
        }
        forgetEvents();
    }

    // ---- its queue; one thread at a time

    /** @throws Refusal {@code EINVAL} if it is another's */
    void attach(RawQueue made) {
        change();
        try {
            if (queue != null) {
                throw new Refusal(Errno.EINVAL, subject() + " is for one queue, and this one is that of " + queue.who()
                        + "; make another.");
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

    @Override
    String users() {
        RawQueue now = queue;
        return now == null ? null : now.who() + "; close that first.";
    }

    @Override
    void closes() {
        closing.accept(this);
    }
}
