package io.manafold.launcher.internal;

import java.time.Duration;

/** Sees to it that an end that was asked for comes, whatever a bundle does that will not stop. */
final class Watchdog {
    private static final Duration LIMIT = Duration.ofSeconds(8);

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
            streams.say("The platform did not stop within %d s; what still ran was given up.".formatted(
                    LIMIT.toSeconds()));
            cleaning.run();
            Runtime.getRuntime().halt(status == Status.DONE ? Status.FAILED : status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
