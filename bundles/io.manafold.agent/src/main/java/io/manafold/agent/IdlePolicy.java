package io.manafold.agent;

import io.manafold.api.agent.DutyCycle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * What an agent does when there is nothing to do: it spins for a moment, if that paid lately, then parks until something is due or
 * another thread wakes it. All but {@link #wake} belongs to the agent's thread.
 */
final class IdlePolicy {
    private static final int AWAKE = 0;
    private static final int PARKED = 1;
    /** A timer is late by about as much, so that the end of each wait is waited for awake. */
    private static final long EARLY_NANOS = 20_000;
    /** What is due sooner is not worth parking for. */
    private static final long NEAR_NANOS = EARLY_NANOS + 10_000;
    private static final long LONGEST_SPIN_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 30_000 : 0;
    private static final long SHORTEST_SPIN_NANOS = 2_000;
    /** Parking for less than this was not worth it: spinning would have seen the end. */
    private static final long SHORT_PARK_NANOS = 100_000;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(IdlePolicy.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private int state;
    private volatile long wakes;
    private boolean parking;
    private boolean spinning;
    private long spinningSince;
    private long spinNanos;

    /** Has the thread go on if it is parked or about to be. What the caller has stored before is seen by the cycle that follows. */
    void wake(Thread thread) {
        // the store before must be visible before the state is read: the agent stores its state, then looks once more
        VarHandle.fullFence();
        if ((int) STATE.getOpaque(this) == PARKED && STATE.compareAndSet(this, PARKED, AWAKE)) {
            LockSupport.unpark(thread);
        }
    }

    /** How often the thread had to be woken by a call into the kernel. */
    long wakes() {
        return wakes;
    }

    /** There was something to do. */
    void worked() {
        spinning = false;
    }

    /** There was nothing to do. Returns whether to look once more at once, and not to park. */
    boolean spins() {
        long now = System.nanoTime();
        if (!spinning) {
            spinning = true;
            spinningSince = now;
        }
        if (now - spinningSince >= spinNanos) {
            return false;
        }
        Thread.onSpinWait();
        return true;
    }

    /** From here on {@link #wake} makes a call into the kernel; the agent looks a last time. */
    void prepare() {
        parking = true;
        STATE.setVolatile(this, PARKED);
        spinning = false;
    }

    /** Whether what is due after a time is worth parking for; if not, the thread spins until then. */
    boolean isWorthParking(long nanos) {
        if (nanos >= NEAR_NANOS) {
            return true;
        }
        spinning = true;
        Thread.onSpinWait();
        return false;
    }

    /** Parks until woken, or {@link DutyCycle#restNanos a time} has nearly passed. */
    void park(Object blocker, long nanos) {
        long before = System.nanoTime();
        if (nanos == DutyCycle.UNTIL_WOKEN) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos - EARLY_NANOS);
        }
        if ((int) STATE.getOpaque(this) == AWAKE) {
            learn(System.nanoTime() - before);
        }
    }

    /** The thread is at work again. */
    void resume() {
        if (parking && !STATE.compareAndSet(this, PARKED, AWAKE)) {
            wakes++;
        }
        parking = false;
    }

    private void learn(long parkedNanos) {
        if (parkedNanos < SHORT_PARK_NANOS) {
            spinNanos = Math.min(LONGEST_SPIN_NANOS, Math.max(SHORTEST_SPIN_NANOS, spinNanos * 2));
        } else {
            spinNanos /= 2;
        }
    }
}
