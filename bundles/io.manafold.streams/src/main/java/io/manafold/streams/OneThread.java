package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Has one thread use queues, the one that uses them first, and lets another in only while that one is outside: to close
 * them. Without a lock: entering is one compare-and-set that nothing contends for.
 */
public final class OneThread {
    private static final VarHandle INSIDE;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(OneThread.class, "inside", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String what;
    private volatile Thread owner;
    private int inside;

    /** @param what for people: whose thread it is */
    public OneThread(String what) {
        this.what = what;
    }

    /**
     * The thread that serves goes in.
     *
     * @throws Refusal {@code EBUSY} for another thread
     */
    public void enter() {
        Thread self = Thread.currentThread();
        if (owner != self) {
            own(self);
        }
        while (!INSIDE.compareAndSet(this, 0, 1)) {
            // another closes them at the moment, which does not wait for anything
            Thread.onSpinWait();
        }
    }

    public void leave() {
        INSIDE.setRelease(this, 0);
    }

    /** Another thread goes in, if the serving one is outside. */
    public boolean tryEnter() {
        return INSIDE.compareAndSet(this, 0, 1);
    }

    private synchronized void own(Thread self) {
        if (owner != null && owner != self) {
            throw new Refusal(Errno.EBUSY, what + " is served by the thread '" + owner.getName() + "', and the thread '"
                    + self.getName() + "' cannot use it; use queues of its own, or have the first thread release "
                    + "them.");
        }
        owner = self;
    }

    /** The next thread that enters is the one. Of the one that has been so far. */
    public void release() {
        owner = null;
    }

    /** Whether any thread is inside. */
    public boolean isInside() {
        return (int) INSIDE.getAcquire(this) != 0;
    }

    /** Whether it is the calling thread. */
    public boolean isOwn() {
        return owner == Thread.currentThread();
    }
}
