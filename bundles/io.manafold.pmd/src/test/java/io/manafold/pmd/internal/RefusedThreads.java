package io.manafold.pmd.internal;

import java.util.concurrent.ThreadFactory;

/** Makes threads, which cannot be started while the system lets no more begin. */
public final class RefusedThreads implements ThreadFactory {
    public volatile boolean refuses;

    @Override
    public Thread newThread(Runnable body) {
        Thread made = new Thread(body) {
            @Override
            public void start() {
                if (refuses) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
        made.setDaemon(true);
        return made;
    }
}
