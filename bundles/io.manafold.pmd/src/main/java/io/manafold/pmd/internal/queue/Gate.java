package io.manafold.pmd.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets one burst at a time into a queue, and none once it is shut. A burst that finds another one in there is empty.
 */
public final class Gate {
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int SHUT = 2;
    private static final int WITHDRAWN = 3;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private int state = SHUT;

    public boolean enter() {
        return STATE.compareAndSet(this, FREE, BUSY);
    }

    public void leave() {
        STATE.setRelease(this, FREE);
    }

    /** Does nothing to one that is withdrawn. */
    public void open() {
        STATE.compareAndSet(this, SHUT, FREE);
    }

    /** When this returns, no burst is in there, and none comes. Bursts are short. */
    public void shut() {
        while (!STATE.compareAndSet(this, FREE, SHUT)) {
            if ((int) STATE.getVolatile(this) >= SHUT) {
                return;
            }
            Thread.yield();
        }
    }

    /** The same for good: what it leads to goes, even while it is about to be opened. */
    void withdraw() {
        while (!STATE.compareAndSet(this, FREE, WITHDRAWN) && !STATE.compareAndSet(this, SHUT, WITHDRAWN)) {
            if ((int) STATE.getVolatile(this) == WITHDRAWN) {
                return;
            }
            Thread.yield();
        }
    }

    /** What it leads to from now on is something else. */
    void renew() {
        STATE.compareAndSet(this, WITHDRAWN, SHUT);
    }
}
