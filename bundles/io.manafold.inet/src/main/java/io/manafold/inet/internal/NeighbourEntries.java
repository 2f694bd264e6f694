package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Neighbour.State;
import io.manafold.api.net.MacAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The entries of a {@link NeighbourTable} by address, a bounded number of them. Inside the table's lock, but for
 * {@link #wasFull}.
 */
final class NeighbourEntries {
    private static final int BUCKETS = 1024;

    private final NeighbourEntry[] buckets = new NeighbourEntry[BUCKETS];
    private final int most;
    private int size;
    private volatile boolean full;

    NeighbourEntries(int most) {
        this.most = most;
    }

    /** The entry of an address, or {@code null}. */
    NeighbourEntry find(int version, long high, long low) {
        NeighbourEntry entry = buckets[bucket(version, high, low)];
        while (entry != null && !entry.is(version, high, low)) {
            entry = entry.next;
        }
        return entry;
    }

    private static int bucket(int version, long high, long low) {
        long mixed = (high * 31 + low + version) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 54) & BUCKETS - 1;
    }

    /** A new entry; when the table is full the one that is needed least goes, and {@code null} if none can. */
    NeighbourEntry enter(int version, long high, long low, long now) {
        NeighbourEntry entry;
        if (size < most) {
            entry = new NeighbourEntry();
            size++;
        } else {
            entry = leastNeeded();
            full = true;
            if (entry == null) {
                return null;
            }
            unlink(entry);
        }
        entry.version = version;
        entry.high = high;
        entry.low = low;
        entry.mac = NeighbourEntry.NO_MAC;
        entry.state = State.FAILED;
        entry.router = false;
        entry.probes = 0;
        entry.due = now;
        entry.used = now;
        entry.confirmed = now;
        entry.updated = now;
        int bucket = bucket(version, high, low);
        entry.next = buckets[bucket];
        buckets[bucket] = entry;
        return entry;
    }

    /**
     * No neighbour that packets wait for, none that an administrator has set; of the others the one not used for
     * longest.
     */
    private NeighbourEntry leastNeeded() {
        NeighbourEntry least = null;
        for (NeighbourEntry entry = first(); entry != null; entry = after(entry)) {
            if (entry.state != State.PERMANENT && entry.waitingCount == 0
                    && (least == null || worth(entry) < worth(least)
                            || worth(entry) == worth(least) && entry.used - least.used < 0)) {
                least = entry;
            }
        }
        return least;
    }

    private static int worth(NeighbourEntry entry) {
        return switch (entry.state) {
            case FAILED -> 0;
            case INCOMPLETE -> 1;
            case STALE -> 2;
            default -> 3;
        };
    }

    private void unlink(NeighbourEntry entry) {
        int bucket = bucket(entry.version, entry.high, entry.low);
        if (buckets[bucket] == entry) {
            buckets[bucket] = entry.next;
        } else {
            NeighbourEntry before = buckets[bucket];
            while (before.next != entry) {
                before = before.next;
            }
            before.next = entry.next;
        }
        entry.next = null;
    }

    void remove(NeighbourEntry entry) {
        unlink(entry);
        size--;
    }

    /** One of the entries, {@link #after} which the others come; or {@code null}. */
    NeighbourEntry first() {
        return from(0);
    }

    NeighbourEntry after(NeighbourEntry entry) {
        return entry.next != null ? entry.next : from(bucket(entry.version, entry.high, entry.low) + 1);
    }

    private NeighbourEntry from(int bucket) {
        for (int at = bucket; at < BUCKETS; at++) {
            if (buckets[at] != null) {
                return buckets[at];
            }
        }
        return null;
    }

    /** Whether an entry had to go, or could not come, since this was last asked. Any thread. */
    boolean wasFull() {
        if (!full) {
            return false;
        }
        full = false;
        return true;
    }

    /** All of them, by address. */
    List<Neighbour> list(long now) {
        List<Neighbour> all = new ArrayList<>();
        for (NeighbourEntry entry = first(); entry != null; entry = after(entry)) {
            all.add(new Neighbour(new IpAddress(entry.version, entry.high, entry.low),
                    entry.mac == NeighbourEntry.NO_MAC ? null : new MacAddress(entry.mac), entry.state,
                    entry.router, entry.probes, now - entry.used, now - entry.confirmed, now - entry.updated));
        }
        all.sort(Comparator.comparing(Neighbour::address));
        return all;
    }
}
