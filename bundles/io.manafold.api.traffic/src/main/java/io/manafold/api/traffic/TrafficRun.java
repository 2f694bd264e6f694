package io.manafold.api.traffic;

import java.time.Duration;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Traffic that was started. Any thread may call. */
@ProviderType
public interface TrafficRun {
    /** Its number, from 1. */
    int number();

    TrafficPlan plan();

    /** What its packets are addressed with; empty without IP. */
    Optional<TrafficAddresses> addresses();

    /** Whether packets are still sent or on their way. */
    boolean isRunning();

    /** Ends it, and waits for packets that are on their way as long as some arrive. */
    void stop();

    /**
     * Ends it, and waits so long for packets that are on their way; those that have not arrived by then are lost, and
     * what counters tell of them is not waited for.
     */
    void stop(Duration patience);

    /** Waits until it is over by itself; false if it is not by then. */
    boolean await(Duration limit) throws InterruptedException;

    /** How things stand. */
    TrafficReport report();
}
