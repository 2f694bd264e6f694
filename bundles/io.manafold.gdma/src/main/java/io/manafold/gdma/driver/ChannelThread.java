package io.manafold.gdma.driver;

import java.util.concurrent.locks.LockSupport;

/** A thread that does the same thing whenever it is signalled. */
final class ChannelThread implements AutoCloseable {
    private final Thread thread;
    private volatile boolean signalled;
    private volatile boolean ended;

    ChannelThread(String name, Runnable work) {
        thread = Thread.ofPlatform().daemon().name(name).start(() -> {
            while (!ended) {
                if (signalled) {
                    signalled = false;
                    work.run();
                } else {
                    LockSupport.park(this);
                }
            }
        });
    }

    /** Never blocks. */
    void signal() {
        signalled = true;
        LockSupport.unpark(thread);
    }

    /** When it returns nothing is done any more. */
    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
