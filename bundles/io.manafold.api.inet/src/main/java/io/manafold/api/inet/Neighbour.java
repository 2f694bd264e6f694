package io.manafold.api.inet;

import io.manafold.api.net.MacAddress;

/**
 * Another host on the link.
 *
 * @param mac {@code null} while it is not known
 * @param router whether it says that it is a router
 * @param probes how often it was asked for lately
 * @param usedNanos how long ago something was sent to it
 * @param confirmedNanos how long ago it was last known to be there
 * @param updatedNanos how long ago its MAC address or state changed
 */
public record Neighbour(IpAddress address, MacAddress mac, State state, boolean router, int probes, long usedNanos,
        long confirmedNanos, long updatedNanos) {
    /** What is known of it; the names are those of {@code ip neigh}. */
    public enum State {
        /** It is being asked for; what is to be sent to it waits. */
        INCOMPLETE,
        /** It was there a moment ago. */
        REACHABLE,
        /** It was there once; it is used, and asked for after the next use. */
        STALE,
        /** It is used, and will be asked for soon unless something shows that it is there. */
        DELAY,
        /** It is used and asked for. */
        PROBE,
        /** It did not answer. */
        FAILED,
        /** An administrator said where it is. */
        PERMANENT
    }
}
