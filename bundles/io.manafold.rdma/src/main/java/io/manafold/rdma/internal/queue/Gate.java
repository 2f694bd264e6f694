package io.manafold.rdma.internal.queue;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread at a time use a queue, and none once the queue has ended. The thread that uses the queue never waits:
 * it comes in at once or not at all. Only a thread that changes or ends the queue waits until it has left.
 *
 * <p>One that checks finds offenders that never meet: threads that take turns. A queue may be handed over from a thread
 * to another for good, or when the thread has ended; a thread that comes back after that is one too many.
 */
final class Gate {
    /** A turn of posting or polling is far shorter. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final VarHandle STATE;

    // Why a thread cannot come in: no enum, whose class would be loaded too late when a user's thread looks after the
    // bundle has gone
    /** Another thread is inside, or has taken the queue over. */
    static final int THREAD = 0;
    /** The queue was being changed, which passes. */
    static final int CHANGE = 1;
    /** The queue has ended. */
    static final int END = 2;

    private static final int FREE = 0;
    private static final int USED = 1;
    private static final int CHANGED = 2;
    private static final int ENDED = 3;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final boolean checks;
    private int state;
    private Thread user;
    /** Of a gate that checks: the thread inside last, and the one before. Changed by the thread that is inside. */
    private Thread last;
    private Thread former;

    /** @param checks whether threads are found that take turns */
    Gate(boolean checks) {
        this.checks = checks;
    }

    /** Whether the queue is this thread's until it {@link #leave}s. */
    boolean enter() {
        if (STATE.compareAndSet(this, FREE, USED)) {
            user = Thread.currentThread();
            return !checks || isPlain();
        }
        return false;
    }

    /** Whether this thread has not handed the queue over to another; if it has it is outside again. */
    private boolean isPlain() {
        Thread now = user;
        if (now == last) {
            return true;
        }
        if (now == former && last.isAlive()) {
            leave();
            return false;
        }
        former = last;
        last = now;
        return true;
    }

    void leave() {
        user = null;
        STATE.setRelease(this, FREE);
    }

    /** Why this thread could not come in. It is looked at once, since it may be otherwise a moment later. */
    int obstacle() {
        return switch ((int) STATE.getAcquire(this)) {
            case ENDED -> END;
            case USED -> THREAD;
            case FREE -> isBack() ? THREAD : CHANGE;
            default -> CHANGE;
        };
    }

    /** Whether this thread has handed the queue over to another. */
    private boolean isBack() {
        Thread next = last;
        return next != null && former == Thread.currentThread() && next.isAlive();
    }

    boolean hasEnded() {
        return (int) STATE.getAcquire(this) == ENDED;
    }

    /**
     * Why this thread could not come in.
     *
     * @param what is used, as in {@code posts to queue pair 7}
     * @param rule whose turn it is
     */
    Refusal busy(String what, String rule) {
        Thread other = user;
        Thread next = last;
        if (other == null && next != null && former == Thread.currentThread()) {
            return new Refusal(Errno.EBUSY, "The thread '" + next.getName() + "' " + what + " since '"
                    + former.getName() + "' did, which comes back: " + rule
                    + ", and these two take turns. Let one of them do it all.");
        }
        return new Refusal(Errno.EBUSY, (other == null ? "Another thread" : "The thread '" + other.getName() + "'")
                + " " + what + " at this moment, and '" + Thread.currentThread().getName() + "' comes in between: "
                + rule + ".");
    }

    /** Waits until no thread is inside and keeps all out, until {@link #leave}. False if that does not come to pass. */
    boolean change() {
        return await(CHANGED);
    }

    /** What goes through it begins anew: any thread may be the first. With the gate shut. */
    void begin() {
        last = null;
        former = null;
    }

    /**
     * Waits until no thread is inside; none comes in any more. False if one stays inside: then it still uses the
     * memory.
     */
    boolean end() {
        return await(ENDED);
    }

    private boolean await(int next) {
        long deadline = System.nanoTime() + PATIENCE;
        while (!STATE.compareAndSet(this, FREE, next)) {
            if (hasEnded() || System.nanoTime() > deadline) {
                return next == ENDED && hasEnded();
            }
            Thread.onSpinWait();
            Thread.yield();
        }
        return true;
    }
}
