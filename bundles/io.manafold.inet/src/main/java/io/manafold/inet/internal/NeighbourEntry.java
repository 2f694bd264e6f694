package io.manafold.inet.internal;

import io.manafold.api.inet.Neighbour;
import io.manafold.api.net.PacketBuffer;

/** Another station on the link, and what waits for being sent there. Belongs to its table's lock. */
final class NeighbourEntry {
    /** Not known. */
    static final long NO_MAC = -1;

    int version;
    long high;
    long low;
    long mac = NO_MAC;
    Neighbour.State state = Neighbour.State.INCOMPLETE;
    boolean router;
    int probes;
    /** When the state is to be looked at again. */
    long due;
    long used;
    long confirmed;
    long updated;
    PacketBuffer waiting;
    PacketBuffer lastWaiting;
    int waitingCount;
    NeighbourEntry next;

    boolean is(int ip, long upper, long lower) {
        return low == lower && high == upper && version == ip;
    }

    boolean hasTimer() {
        return switch (state) {
            case INCOMPLETE, REACHABLE, DELAY, PROBE -> true;
            case STALE, FAILED, PERMANENT -> false;
        };
    }
}
