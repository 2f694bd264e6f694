package io.manafold.streams;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads of which some cannot be started, as if the system let no more begin. */
public final class RefusedThreads implements ThreadFactory {
    /** Of each thread; of none. */
    public static final String ALL = "";
    public static final String NONE = "-none-";

    /** Threads whose names begin so do not begin. */
    public volatile String refused = NONE;
    public final AtomicInteger refusals = new AtomicInteger();

    @Override
    public Thread newThread(Runnable body) {
        Thread made = new Thread(body) {
            @Override
            public void start() {
                if (getName().startsWith(refused)) {
                    refusals.incrementAndGet();
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
        made.setDaemon(true);
        return made;
    }
}
