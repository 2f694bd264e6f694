package io.manafold.gdma.driver;

import java.util.concurrent.locks.LockSupport;

/** A worker that has a thread. */
final class ChannelThread implements ChannelWorker {
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

    @Override
    public void signal() {
        signalled = true;
        LockSupport.unpark(thread);
    }

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
