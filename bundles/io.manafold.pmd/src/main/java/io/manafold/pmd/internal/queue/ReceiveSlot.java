package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A receive queue of a port, whether the port is started or not. */
public final class ReceiveSlot implements ReceiveQueue {
    private final Gate gate = new Gate();
    private final Consumer<String> failureListener;
    private final ReceiveCount count = new ReceiveCount();
    private final Arrivals arrivals = new Arrivals();
    private ReceiveRing ring;
    private boolean failed;

    /** @param failureListener is told once why the queue has failed */
    public ReceiveSlot(Consumer<String> failureListener) {
        this.failureListener = failureListener;
    }

    /**
     * Begins, after {@link #shut}, with its ring full.
     *
     * @param offloads bits of {@link io.manafold.api.ethdev.Offload}
     * @throws Refusal {@code ENOMEM} if the pool has too few packets, and what the device says of its memory
     */
    public void open(DirectQueue direct, Keys keys, int descriptors, PacketPool pool, long offloads) {
        Keys.Entry known = keys.register(pool);
        ring = offloads == 0 ? new PlainReceiveRing(direct, known, descriptors, count)
                : new FullReceiveRing(direct, known, descriptors, count, offloads);
        failed = false;
        if (!ring.fill()) {
            throw new Refusal(Errno.ENOMEM, "The pool " + pool + " has too few packets left for a queue of "
                    + descriptors + " descriptors; make it larger, or queues shorter or fewer.");
        }
    }

    /** Whether threads may sleep until it has something. */
    public void interrupts(boolean on) {
        arrivals.wanted(on);
    }

    /** By what a thread that sleeps is woken, once it is open. */
    public void wakenBy(CompletionQueue events, io.manafold.gdma.driver.CompletionQueue entries) {
        arrivals.begin(events, entries);
    }

    /** Bursts go on. */
    public void go() {
        gate.open();
        arrivals.go();
    }

    /**
     * What the owner of its memory runs when that goes, after which no burst is in there until another one has been
     * asked for.
     */
    public Runnable withdrawal() {
        gate.renew();
        return gate::withdraw;
    }

    /** When this returns, no burst is in its memory. */
    public void shut() {
        gate.shut();
    }

    /** The device has forgotten the queue: packets go back to the pool. */
    public void end() {
        gate.shut();
        arrivals.end();
        if (ring != null) {
            ring.end();
            ring = null;
        }
    }

    /** The port has gone for good, as is said to threads that wait for packets. */
    public void gone(Supplier<Refusal> why) {
        arrivals.gone(why);
    }

    @Override
    public int burst(int[] packets, int from, int most) {
        Objects.checkFromIndexSize(from, most, packets.length);
        if (!gate.enter()) {
            return 0;
        }
        try {
            int found = ring.burst(packets, from, most);
            if (ring.failure() != null && !failed) {
                failed = true;
                failureListener.accept(ring.failure());
            }
            return found;
        } finally {
            gate.leave();
        }
    }

    @Override
    public void arm() {
        arrivals.check();
        if (!gate.enter()) {
            arrivals.forget();
            return;
        }
        try {
            arrivals.arm();
        } finally {
            gate.leave();
        }
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
        arrivals.check();
        return arrivals.await(nanos);
    }

    public ReceiveCount count() {
        return count;
    }
}
