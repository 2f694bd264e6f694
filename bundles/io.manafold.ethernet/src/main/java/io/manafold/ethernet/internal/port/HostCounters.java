package io.manafold.ethernet.internal.port;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryPhyStatistics;
import io.manafold.gdma.message.QueryStatistics;
import java.util.Arrays;
import java.util.Map;

/**
 * The counters that a function keeps for all of its ports together. Those of the host are asked for from time to time
 * and remembered, those of the physical port when they are wanted.
 */
public final class HostCounters {
    /** What it is called where counters are kept for the next driver. */
    private static final String NAME = "host";

    private volatile long[] host;

    /** @param before the {@link #values} of the driver before; empty if there was none */
    public HostCounters(Map<String, long[]> before) {
        host = Arrays.copyOf(before.getOrDefault(NAME, new long[0]), Counter.values().length);
    }

    /** For the next driver, which shows them until it has an answer of its own. */
    public Map<String, long[]> values() {
        return Map.of(NAME, host);
    }

    /** What was answered last. */
    long[] host() {
        return host;
    }

    /**
     * Asks anew.
     *
     * @return false if there was no answer in time, which is how a function shows that it needs a reset
     */
    public boolean renew(EthernetSession session) {
        try {
            host = session.call(new QueryStatistics(Counter.ALL)).values();
            return true;
        } catch (Refusal refused) {
            return refused.errno() != Errno.ETIMEDOUT;
        }
    }

    /** Zeroes if they cannot be had: not every function has them. */
    static long[] physical(EthernetSession session) {
        try {
            return session.call(new QueryPhyStatistics(0)).values();
        } catch (Refusal unknown) {
            return new long[QueryPhyStatistics.COUNTERS];
        }
    }
}
