package io.manafold.ethernet.internal.function;

import java.time.Duration;

/**
 * How long the driver waits for what.
 *
 * @param tick between two rounds in which counters are asked for and sends are looked after
 * @param send until a send that was not completed counts as a failure of its port
 * @param revival before a function that has been reset is brought up again
 */
record Timeouts(Duration tick, Duration send, Duration revival) {
    /** What the Linux driver does, but for its ten seconds of pause after a reset. */
    static final Timeouts USUAL =
            new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(15), Duration.ofMillis(100));
}
