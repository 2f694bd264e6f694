package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.Vector;
import io.manafold.api.device.Interrupts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The interrupt vectors: where each leads, and which signals the driver has not had yet. */
final class VectorTable implements Interrupts {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration SPIN = Duration.ofNanos(50_000);

    private final Slot[] slots;

    VectorTable(int count) {
        slots = new Slot[count];
        for (int i = 0; i < count; i++) {
            slots[i] = new Slot();
        }
    }

    @Override
    public int count() {
        return slots.length;
    }

    @Override
    public void target(int vector, Runnable callback) {
        slots[vector].target(callback);
    }

    @Override
    public void clear(int vector) {
        slots[vector].target(null);
    }

    /** The vector as event queues raise it. */
    Vector vector(int number) {
        return slots[number];
    }

    /** How many have a target. */
    int armed() {
        int armed = 0;
        for (Slot slot : slots) {
            armed += slot.target == null ? 0 : 1;
        }
        return armed;
    }

    boolean isPending(int vector) {
        return slots[vector].isPending();
    }

    /** Forgets signals that the driver did not have, as a reset does; targets stay. */
    void forget() {
        for (Slot slot : slots) {
            slot.forget();
        }
    }

    /**
     * No lock is held while a callback runs: it is the driver's, and may take its time. A signal says that it has come
     * before it looks where to go, so that {@link #target} can wait until none is on its way to the former callback.
     */
    private static final class Slot implements Vector {
        private static final VarHandle PENDING;
        private static final VarHandle UNDER_WAY;

        static {
            try {
                PENDING = MethodHandles.lookup().findVarHandle(Slot.class, "pending", boolean.class);
                UNDER_WAY = MethodHandles.lookup().findVarHandle(Slot.class, "underWay", int.class);
            } catch (ReflectiveOperationException impossible) {
                throw new ExceptionInInitializerError(impossible);
            }
        }

        private volatile Runnable target;
        private volatile boolean pending;
        /** Signals that have come and are not through. */
        private volatile int underWay;

        void target(Runnable callback) {
            target = callback;
            if (callback == null) {
                awaitSignals();
            } else {
                deliverPending();
            }
        }

        @Override
        public void signal() {
            UNDER_WAY.getAndAdd(this, 1);
            try {
                Runnable seen = target;
                if (seen != null) {
                    seen.run();
                } else {
                    pending = true;
                }
            } finally {
                UNDER_WAY.getAndAdd(this, -1);
            }
            if (pending) {
                deliverPending();
            }
        }

        /** A target that came while the signal was noted does not know of it. */
        private void deliverPending() {
            UNDER_WAY.getAndAdd(this, 1);
            try {
                Runnable seen = target;
                if (seen != null && PENDING.compareAndSet(this, true, false)) {
                    seen.run();
                }
            } finally {
                UNDER_WAY.getAndAdd(this, -1);
            }
        }

        /** A callback that does not return has broken its word: after a while it is left to itself. */
        private void awaitSignals() {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (underWay != 0 && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
                if (System.nanoTime() - end > SPIN.toNanos() - PATIENCE.toNanos()) {
                    LockSupport.parkNanos(SPIN.toNanos());
                }
            }
        }

        boolean isPending() {
            return pending;
        }

        void forget() {
            pending = false;
        }
    }
}
