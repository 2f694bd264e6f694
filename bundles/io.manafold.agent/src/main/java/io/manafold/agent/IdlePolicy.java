package io.manafold.agent;

import io.manafold.api.agent.DutyCycle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What an agent does when there is nothing to do. On a thread of its own it spins for a moment, if that paid lately,
 * then parks until something is due or another thread wakes it; who is seldom woken lets the thread go and rests
 * without one. All but {@link #wake} belongs to the thread that works.
 */
final class IdlePolicy {
    private static final int AWAKE = 0;
    /** About to rest: looks a last time. */
    private static final int LOOKING = 1;
    static final int PARKED = 2;
    /** Has no thread. */
    static final int RESTING = 3;
    /** A timer is late by about as much, so that the end of each wait is waited for awake. */
    private static final long EARLY_NANOS = 20_000;
    /** What is due sooner is not worth parking for. */
    private static final long NEAR_NANOS = EARLY_NANOS + 10_000;
    private static final long LONGEST_SPIN_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 30_000 : 0;
    private static final long SHORTEST_SPIN_NANOS = 2_000;
    /** Parking for less than this was not worth it: spinning would have seen the end. */
    private static final long SHORT_PARK_NANOS = 100_000;
    /** Rests that tell traffic, within the first of these times, from its absence, within the second. */
    private static final int OFTEN = 64;
    private static final long FREQUENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(2);
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
    private int rests;
    private long parkedNanos;
    private long since = System.nanoTime();

    /**
     * Has the agent go on if it rests or is about to. What the caller has stored before is seen by the cycle that
     * follows.
     *
     * @return how it was found: {@link #PARKED}, so that its thread is to be unparked, {@link #RESTING}, so that it
     *         needs one, or at work
     */
    int wake() {
        // the store before must be visible before the state is read: the agent stores its state, then looks once more
        VarHandle.fullFence();
        int seen = (int) STATE.getOpaque(this);
        while (seen != AWAKE && !STATE.compareAndSet(this, seen, AWAKE)) {
            seen = (int) STATE.getVolatile(this);
        }
        return seen;
    }

    /** As {@link #wake}, on the thread that works: it stores its state and sees its own stores in their order. */
    int wakeHere() {
        return (int) STATE.getOpaque(this) == AWAKE ? AWAKE : wake();
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

    /**
     * Parks until woken, or {@link DutyCycle#restNanos a time} has nearly passed, or for as long as a thread waits for
     * traffic.
     */
    void park(Object blocker, long nanos) {
        long before = System.nanoTime();
        LockSupport.parkNanos(blocker, Math.min(nanos, SELDOM_NANOS) - EARLY_NANOS);
        long parked = System.nanoTime() - before;
        parkedNanos += parked;
        if ((int) STATE.getOpaque(this) == AWAKE) {
            learn(parked);
        }
    }

    private void learn(long parked) {
        if (parked < SHORT_PARK_NANOS) {
            spinNanos = Math.min(LONGEST_SPIN_NANOS, Math.max(SHORTEST_SPIN_NANOS, spinNanos * 2));
        } else {
            spinNanos /= 2;
        }
    }

    /** Whether there was so little to do lately that the agent needs no thread of its own. */
    boolean isSeldom() {
        rests++;
        long now = System.nanoTime();
        long passed = now - since;
        if (passed < SELDOM_NANOS - EARLY_NANOS) {
            return false;
        }
        boolean seldom = rests < OFTEN && parkedNanos > passed / 10 * 9;
        count(now);
        return seldom;
    }

    /** Whether the agent has gone to rest so often lately that a thread of its own serves it better. */
    boolean isFrequent() {
        if (++rests < OFTEN) {
            return false;
        }
        long now = System.nanoTime();
        boolean frequent = now - since < FREQUENT_NANOS;
        count(now);
        return frequent;
    }

    /** Counts anew. */
    void count(long now) {
        rests = 0;
        parkedNanos = 0;
        since = now;
    }

    /** The thread is at work again. */
    void resume() {
        if (parking && !STATE.compareAndSet(this, PARKED, AWAKE)) {
            wakes++;
        }
        parking = false;
    }

    // ---- without a thread of its own

    /** As {@link #prepare}, on a thread that is not parked. */
    void look() {
        STATE.setVolatile(this, LOOKING);
    }

    /** There was something to do. */
    void found() {
        STATE.setVolatile(this, AWAKE);
    }

    /**
     * Lets the thread go; false if the agent was woken meanwhile. Once it is true the agent belongs to the thread that
     * wakes it.
     */
    boolean rest() {
        boolean parked = parking;
        parking = false;
        if (STATE.compareAndSet(this, parked ? PARKED : LOOKING, RESTING)) {
            return true;
        }
        parking = parked;
        return false;
    }

    /** Before the first cycle: the agent has no thread yet. */
    void begin() {
        STATE.setVolatile(this, RESTING);
    }
}
