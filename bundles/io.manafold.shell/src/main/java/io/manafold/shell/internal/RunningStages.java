package io.manafold.shell.internal;

import java.util.concurrent.TimeUnit;

/** Counts the commands that run on threads of a pipe, so that a line ends when they have. */
final class RunningStages {
    /** How long a command may take to end after it was interrupted. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private int count;

    synchronized void enter() {
        count++;
    }

    synchronized void leave() {
        count--;
        notifyAll();
    }

    /** Waits until none runs, but not for one that will not end, nor when it is interrupted itself. */
    synchronized void awaitNone() {
        long limit = System.nanoTime() + PATIENCE;
        try {
            for (long left = PATIENCE; count > 0 && left > 0; left = limit - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
