package io.manafold.vfio.internal.borrow;

import io.manafold.api.device.Interrupts;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.EventFd;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vectors at the other end of a socket. Each gets an eventfd with its first target and keeps it, so that a signal
 * without a target waits in it. One thread waits for all of them and runs what they lead to.
 */
final class BorrowedVectors implements Interrupts, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BorrowedVectors.class);
    private static final int SET_IRQS = 20;
    private static final Duration LEAVING = Duration.ofSeconds(1);

    private final Conversation talk;
    private final Slot[] slots;
    private final EventFd wake;
    private final Poll poll;
    private final Thread thread;
    private volatile boolean changed = true;
    private volatile boolean ended;

    BorrowedVectors(String name, Conversation talk, int count) throws SystemCallException {
        this.talk = talk;
        slots = new Slot[count];
        for (int i = 0; i < count; i++) {
            slots[i] = new Slot();
        }
        wake = EventFd.create();
        poll = new Poll(count + 1);
        thread = Thread.ofPlatform().daemon().name("manafold-borrow-" + name + "-vectors").start(this::run);
    }

    @Override
    public int count() {
        return slots.length;
    }

    @Override
    public void target(int vector, Runnable callback) {
        Slot slot = slots[vector];
        slot.target(callback);
        if (slot.open()) {
            assign(vector, slot);
            changed = true;
            wake.signal();
        }
    }

    private void assign(int vector, Slot slot) {
        try {
            talk.ask(new RequestBuilder(VfioUser.SET_IRQS, SET_IRQS).putInt(0, SET_IRQS)
                    .putInt(4, VfioUser.SET_ACTION_TRIGGER | VfioUser.SET_DATA_EVENTFD).putInt(8, VfioUser.IRQ_MSIX)
                    .putInt(12, vector).putInt(16, 1).with(slot.source.descriptor().number()), 0, 0);
        } catch (LenderGoneException gone) {
            // there will be no signals
            return;
        } catch (Refusal refused) {
            talk.end(refused.errno(), "it gives no interrupts: " + refused.getMessage());
        }
    }

    @Override
    public void clear(int vector) {
        slots[vector].target(null);
    }

    /** Forgets signals that the driver has not had, as a reset does; targets stay. */
    void forget() {
        for (Slot slot : slots) {
            slot.forget();
        }
    }

    private void run() {
        try {
            while (!ended) {
                if (changed) {
                    changed = false;
                    gather();
                }
                poll.await(-1);
                wake.take();
                for (int i = 1, vector = 0; vector < slots.length; vector++) {
                    if (slots[vector].watched && poll.ready(i++) != 0) {
                        slots[vector].arrived();
                    }
                }
            }
        } catch (SystemCallException failed) {
            talk.end(Errno.EIO, "its interrupts cannot be waited for: " + failed.getMessage());
        } finally {
            for (Slot slot : slots) {
                slot.close();
            }
            wake.close();
        }
    }

    private void gather() {
        poll.clear();
        poll.add(wake.descriptor(), Poll.READABLE);
        for (Slot slot : slots) {
            EventFd source = slot.source;
            slot.watched = source != null;
            if (source != null) {
                poll.add(source.descriptor(), Poll.READABLE);
            }
        }
    }

    @Override
    public void close() {
        ended = true;
        wake.signal();
        try {
            thread.join(LEAVING);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** The lock is held while the callback runs, so that {@link #clear} can promise that it runs no more. */
    private static final class Slot {
        private volatile EventFd source;
        /** Whether the thread waits for it. */
        private boolean watched;
        private Runnable target;
        private boolean pending;
        private boolean closed;

        /** Makes its eventfd; answers false if it has one. */
        synchronized boolean open() {
            if (source != null || closed) {
                return false;
            }
            try {
                source = EventFd.create();
                return true;
            } catch (SystemCallException failed) {
                throw new Refusal(Errno.EIO, "A vector cannot be used: " + failed.getMessage() + ".", failed);
            }
        }

        synchronized void target(Runnable callback) {
            target = callback;
            if (pending && callback != null) {
                pending = false;
                callback.run();
            }
        }

        void arrived() {
            // one that was empty again would be a vector that rings without end
            if (source.takeAtOnce() != 0) {
                signal();
            }
        }

        private synchronized void signal() {
            if (target == null) {
                pending = true;
                return;
            }
            try {
                target.run();
            } catch (RuntimeException failed) {
                LOG.error("an interrupt was not handled", failed);
            }
        }

        void forget() {
            EventFd seen = source;
            synchronized (this) {
                if (target == null) {
                    pending = false;
                    if (seen != null) {
                        // the lender has it as well, and may have made of it one that waits
                        seen.takeAtOnce();
                    }
                }
            }
        }

        synchronized void close() {
            closed = true;
            if (source != null) {
                source.close();
            }
        }
    }
}
