package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.Vector;
import io.manafold.api.device.Interrupts;

/** The interrupt vectors: where each leads, and which signals nobody has had yet. */
final class VectorTable implements Interrupts {
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

    boolean isPending(int vector) {
        return slots[vector].isPending();
    }

    /** Forgets signals that nobody had, as a reset does; targets stay. */
    void forget() {
        for (Slot slot : slots) {
            slot.forget();
        }
    }

    /** The lock is held while the callback runs, so that {@link #clear} can promise that it runs no more. */
    private static final class Slot implements Vector {
        private Runnable target;
        private boolean pending;

        synchronized void target(Runnable callback) {
            target = callback;
            if (pending && callback != null) {
                pending = false;
                callback.run();
            }
        }

        @Override
        public synchronized void signal() {
            if (target == null) {
                pending = true;
            } else {
                target.run();
            }
        }

        synchronized boolean isPending() {
            return pending;
        }

        synchronized void forget() {
            pending = false;
        }
    }
}
