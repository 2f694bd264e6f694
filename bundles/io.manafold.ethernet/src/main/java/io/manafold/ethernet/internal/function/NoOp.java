package io.manafold.ethernet.internal.function;

/** The last command of an agent that has nothing left to do. */
final class NoOp implements Runnable {
    @Override
    public void run() {
        // the end is all that is asked for
    }
}
