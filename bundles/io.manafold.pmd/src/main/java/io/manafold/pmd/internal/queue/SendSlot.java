package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.SendQueue;
import io.manafold.gdma.driver.DirectQueue;
import java.util.Objects;
import java.util.function.Consumer;

/** A send queue of a port, whether the port is started or not. */
public final class SendSlot implements SendQueue {
    private final Gate gate = new Gate();
    private final Consumer<String> failureListener;
    private SendCount count = new SendCount();
    private SendRing ring;
    private boolean failed;

    /** @param failureListener is told once why the queue has failed */
    public SendSlot(Consumer<String> failureListener) {
        this.failureListener = failureListener;
    }

    /** Begins, after {@link #shut}. */
    public void open(DirectQueue direct, Keys keys, int descriptors, boolean plain) {
        ring = plain ? new PlainSendRing(direct, keys, descriptors, count) : new FullSendRing(direct, keys,
                descriptors, count);
        failed = false;
    }

    /** Bursts go on. */
    public void go() {
        gate.open();
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

    /** The device has forgotten the queue: packets go back to their pools. */
    public void end() {
        gate.shut();
        if (ring != null) {
            ring.end();
            ring = null;
        }
    }

    @Override
    public int burst(int[] packets, int from, int wanted) {
        Objects.checkFromIndexSize(from, wanted, packets.length);
        if (!gate.enter()) {
            return 0;
        }
        try {
            BurstCheck.check(packets, from, wanted);
            int taken = ring.burst(packets, from, wanted);
            if (ring.failure() != null) {
                fail();
            }
            return taken;
        } finally {
            gate.leave();
        }
    }

    @Override
    public int reclaim() {
        if (!gate.enter()) {
            return 0;
        }
        try {
            ring.reap();
            if (ring.failure() != null) {
                fail();
            }
            return ring.underWay();
        } finally {
            gate.leave();
        }
    }

    private void fail() {
        if (!failed) {
            failed = true;
            failureListener.accept(ring.failure());
        }
    }

    public SendCount count() {
        return count;
    }
}
