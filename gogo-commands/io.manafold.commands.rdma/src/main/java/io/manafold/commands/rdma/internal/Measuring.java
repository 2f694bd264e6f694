package io.manafold.commands.rdma.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Has the ends of a measurement take turns on this thread, until they are done or the time is up. */
final class Measuring {
    private static final int SPINS = 200;
    private static final int YIELDS = 2_000;
    private static final long PAUSE_NANOS = 20_000;
    private static final int TURNS_BETWEEN_LOOKS = 256;

    private final List<Side> sides;
    private final List<Times> times;
    private final MeasurePlan plan;
    private final Progress progress;
    private final BooleanSupplier gone;
    private long begin;
    private boolean opened;
    private boolean closed;
    private boolean finished;

    /** Told once in a while how far it is. */
    @FunctionalInterface
    interface Progress {
        /** @param completed messages since the beginning */
        void at(long nanos, long completed);
    }

    /**
     * Has nothing done yet.
     *
     * @param times of each side, in the same order
     * @param gone whether an end that is not here has gone
     */
    Measuring(List<Side> sides, List<Times> times, MeasurePlan plan, Progress progress, BooleanSupplier gone) {
        this.sides = List.copyOf(sides);
        this.times = List.copyOf(times);
        this.plan = plan;
        this.progress = progress;
        this.gone = gone;
    }

    void run() throws InterruptedException {
        begin = System.nanoTime();
        long second = 1;
        int idle = 0;
        for (int turns = 0; !isDone(); turns++) {
            idle = turn() ? 0 : idle + 1;
            if (idle > 0 || turns % TURNS_BETWEEN_LOOKS == 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while it was measured");
                }
                long passed = System.nanoTime() - begin;
                if (plan.isTimed()) {
                    watchTime(passed);
                }
                if (passed >= TimeUnit.SECONDS.toNanos(second)) {
                    second++;
                    progress.at(passed, completed());
                }
                if (idle > YIELDS && gone.getAsBoolean()) {
                    throw gone();
                }
                rest(idle);
            }
        }
        for (int i = 0; i < sides.size(); i++) {
            sides.get(i).finish();
        }
    }

    static Refusal gone() {
        return new Refusal(Errno.EIO, "The other end has gone before it was done.");
    }

    private boolean turn() {
        boolean any = false;
        for (int i = 0; i < sides.size(); i++) {
            any |= sides.get(i).turn();
        }
        return any;
    }

    private boolean isDone() {
        for (int i = 0; i < sides.size(); i++) {
            if (!sides.get(i).isDone()) {
                return false;
            }
        }
        return true;
    }

    private long completed() {
        long completed = 0;
        for (int i = 0; i < sides.size(); i++) {
            completed = Math.max(completed, sides.get(i).completed());
        }
        return completed;
    }

    /** The first and the last quarter of the time do not count. */
    private void watchTime(long passed) {
        long all = TimeUnit.SECONDS.toNanos(plan.seconds());
        if (!opened && passed >= all / 4) {
            opened = true;
            for (int i = 0; i < sides.size(); i++) {
                times.get(i).open(sides.get(i).completed());
            }
        }
        if (opened && !closed && passed >= all - all / 4) {
            closed = true;
            for (int i = 0; i < sides.size(); i++) {
                times.get(i).close(sides.get(i).completed());
            }
        }
        if (closed && !finished && passed >= all) {
            finished = true;
            sides.forEach(Side::finish);
        }
    }

    static void rest(int idle) {
        if (idle == 0) {
            return;
        }
        if (idle < SPINS) {
            Thread.onSpinWait();
        } else if (idle < YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
