package io.manafold.api.agent;

import org.osgi.annotation.versioning.ConsumerType;

/** Work that an agent does again and again. It never blocks and never throws. */
@ConsumerType
public interface DutyCycle {
    /** Never woken by the clock, see {@link #restNanos}. */
    long UNTIL_WOKEN = Long.MAX_VALUE;

    /**
     * Does what is there to do, within bounds.
     *
     * @return how much was done; 0 lets the agent rest
     */
    int doWork();

    /**
     * How long the agent may rest after a cycle that did nothing, if no other thread wakes it: {@link #UNTIL_WOKEN}, or
     * the time until the next thing falls due.
     */
    default long restNanos() {
        return UNTIL_WOKEN;
    }
}
