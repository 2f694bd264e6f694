package io.manafold.launcher.internal;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that an end that was asked for comes, whatever a bundle does that will not stop, and says what held it up. */
final class Watchdog {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    /** An end takes a tenth of a second; a service manager, or a user who pressed Ctrl-C, should not wait for more. */
    private static final Duration LIMIT = Duration.ofMillis(2500);

    private final Ending ending;
    private final StandardStreams streams;
    private final Runnable cleaning;

    Watchdog(Ending ending, StandardStreams streams, Runnable cleaning) {
        this.ending = ending;
        this.streams = streams;
        this.cleaning = cleaning;
    }

    void start() {
        Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
    }

    private void watch() {
        try {
            int status = ending.await();
            Thread.sleep(LIMIT);
            end(status == Status.DONE ? Status.FAILED : status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(int status) {
        try {
            StuckThreads stuck = StuckThreads.now();
            streams.say("The platform did not stop within %.1f s%s; what still ran was given up.".formatted(
                    LIMIT.toMillis() / 1000.0, stuck.sentence()));
            LOG.warn("The platform did not stop within {}: {}", LIMIT, stuck.stacks());
            cleaning.run();
        } finally {
            Runtime.getRuntime().halt(status);
        }
    }
}
