package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Neighbour.State;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.PacketBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who is where on the link. What nobody asked for is not believed: strangers that answer unasked are not entered, and a
 * neighbour that seems to have moved is first asked where it was. The table is bounded, so is what waits for answers. The
 * device's thread and commands take turns call by call; nobody else's code runs inside.
 */
final class NeighbourTable {
    static final int MOST = 1024;
    /** Packets that wait for one neighbour, and for all. */
    static final int WAITING = 16;
    static final int ALL_WAITING = 64;
    private static final int BUCKETS = 1024;
    private static final int PROBES = 3;
    static final long REACHABLE_NANOS = 30 * Clock.SECOND;
    static final long DELAY_NANOS = 5 * Clock.SECOND;
    static final long RETRY_NANOS = Clock.SECOND;
    static final long NEVER = Long.MAX_VALUE;
    private static final int BATCH = 64;

    /** From {@link #locate}: the neighbour did not answer a moment ago. */
    static final long UNREACHED = -2;
    /** From {@link #locate}: the table is full of neighbours that are needed. */
    static final long NO_ROOM = -3;

    /** What came of asking for a neighbour. */
    enum Answer {
        /** Its MAC address is in {@link #mac}. */
        KNOWN,
        /** The packet waits, and was not asked for yet: now is the time. */
        ASK,
        /** The packet waits. */
        WAITS,
        /** The packet is not taken. */
        NO
    }

    private final NeighbourEntry[] buckets = new NeighbourEntry[BUCKETS];
    private int size;
    private int waiting;
    private long due = NEVER;
    private long mac;
    private volatile boolean full;

    /** Entries that {@link #tick} found to be asked for, for the device's thread alone. */
    private final Question[] questions = new Question[BATCH];
    private int asked;
    private PacketBuffer dropped;

    NeighbourTable() {
        for (int i = 0; i < BATCH; i++) {
            questions[i] = new Question();
        }
    }

    /** Somebody to be asked for. */
    static final class Question {
        int version;
        long high;
        long low;
        /** Whom to ask, or nobody: everybody. */
        long mac;
    }

    /** Looks for the neighbour that a packet is to be sent to; if it is not known, the packet may wait in the table. */
    synchronized Answer resolve(int version, long high, long low, long now, PacketBuffer packet) {
        NeighbourEntry entry = find(version, high, low);
        if (entry == null) {
            entry = enter(version, high, low, now);
            if (entry == null) {
                return Answer.NO;
            }
        }
        entry.used = now;
        switch (entry.state) {
            case REACHABLE, PERMANENT, DELAY, PROBE -> {
                mac = entry.mac;
                return Answer.KNOWN;
            }
            case STALE -> {
                set(entry, State.DELAY, now);
                at(entry, now + DELAY_NANOS);
                mac = entry.mac;
                return Answer.KNOWN;
            }
            case INCOMPLETE -> {
                return await(entry, packet) ? Answer.WAITS : Answer.NO;
            }
            default -> {
                if (now < entry.due || !await(entry, packet)) {
                    return Answer.NO;
                }
                set(entry, State.INCOMPLETE, now);
                entry.mac = NeighbourEntry.NOBODY;
                entry.probes = 1;
                at(entry, now + RETRY_NANOS);
                return Answer.ASK;
            }
        }
    }

    /**
     * Looks for a neighbour without a packet for it. Any thread.
     *
     * @return its MAC address; {@link NeighbourEntry#NOBODY} while it is being asked for, from the next {@link #tick} on
     */
    synchronized long locate(int version, long high, long low, long now) {
        NeighbourEntry entry = find(version, high, low);
        if (entry == null) {
            entry = enter(version, high, low, now);
            if (entry == null) {
                return NO_ROOM;
            }
        }
        entry.used = now;
        switch (entry.state) {
            case STALE -> {
                set(entry, State.DELAY, now);
                at(entry, now + DELAY_NANOS);
            }
            case FAILED -> {
                if (entry.probes >= PROBES && now - entry.updated < RETRY_NANOS) {
                    return UNREACHED;
                }
                set(entry, State.INCOMPLETE, now);
                entry.mac = NeighbourEntry.NOBODY;
                entry.probes = 0;
                at(entry, now);
            }
            default -> {
                // it is known, or asked for
            }
        }
        return entry.mac;
    }

    /** What the last {@link Answer#KNOWN} was about; for the device's thread. */
    long mac() {
        return mac;
    }

    private boolean await(NeighbourEntry entry, PacketBuffer packet) {
        if (entry.waitingCount == WAITING || waiting == ALL_WAITING) {
            return false;
        }
        packet.next(null);
        if (entry.waiting == null) {
            entry.waiting = packet;
        } else {
            entry.lastWaiting.next(packet);
        }
        entry.lastWaiting = packet;
        entry.waitingCount++;
        waiting++;
        return true;
    }

    private PacketBuffer takeWaiting(NeighbourEntry entry) {
        PacketBuffer list = entry.waiting;
        waiting -= entry.waitingCount;
        entry.waiting = null;
        entry.lastWaiting = null;
        entry.waitingCount = 0;
        return list;
    }

    /**
     * Somebody asked for us and says where he is. He is entered, but not believed to be reachable.
     *
     * @return packets that waited for that, linked
     */
    synchronized PacketBuffer heardQuestion(int version, long high, long low, long from, long now) {
        NeighbourEntry entry = find(version, high, low);
        if (entry == null) {
            entry = enter(version, high, low, now);
            if (entry == null) {
                return null;
            }
        }
        return heard(entry, from, now);
    }

    /**
     * Somebody answers.
     *
     * @param solicited it says that it was asked
     * @return packets that waited for that, linked
     */
    synchronized PacketBuffer heardAnswer(int version, long high, long low, long from, boolean solicited,
            boolean isRouter, long now) {
        NeighbourEntry entry = find(version, high, low);
        ignored = entry == null;
        if (entry == null) {
            return null;
        }
        entry.router = isRouter;
        boolean awaited = entry.state == State.INCOMPLETE || entry.mac == from && entry.state != State.PERMANENT;
        if (solicited && awaited) {
            learn(entry, from, now);
            set(entry, State.REACHABLE, now);
            entry.confirmed = now;
            entry.probes = 0;
            at(entry, now + REACHABLE_NANOS);
            return takeWaiting(entry);
        }
        return heard(entry, from, now);
    }

    private boolean ignored;

    /** Whether the last answer was about a stranger. */
    boolean ignored() {
        return ignored;
    }

    private PacketBuffer heard(NeighbourEntry entry, long from, long now) {
        switch (entry.state) {
            case INCOMPLETE, FAILED -> {
                learn(entry, from, now);
                set(entry, State.STALE, now);
                entry.probes = 0;
                if (entry.waitingCount > 0) {
                    set(entry, State.DELAY, now);
                    at(entry, now + DELAY_NANOS);
                }
                return takeWaiting(entry);
            }
            case STALE, DELAY, REACHABLE -> {
                if (entry.mac != from) {
                    set(entry, State.PROBE, now);
                    entry.probes = 0;
                    at(entry, now);
                }
            }
            case PROBE, PERMANENT -> {
                // the answer to our own question decides
            }
        }
        return null;
    }

    private static void learn(NeighbourEntry entry, long from, long now) {
        if (entry.mac != from) {
            entry.mac = from;
            entry.updated = now;
        }
    }

    private static void set(NeighbourEntry entry, State state, long now) {
        if (entry.state != state) {
            entry.state = state;
            entry.updated = now;
        }
    }

    private void at(NeighbourEntry entry, long time) {
        entry.due = time;
        due = Math.min(due, time);
    }

    /** When {@link #tick} has something to do. */
    synchronized long due() {
        return due;
    }

    /** Lets time pass; afterwards {@link #question} and {@link #dropped} tell what is to be done. */
    synchronized void tick(long now) {
        asked = 0;
        dropped = null;
        if (now < due) {
            return;
        }
        long nextDue = NEVER;
        for (NeighbourEntry bucket : buckets) {
            for (NeighbourEntry entry = bucket; entry != null; entry = entry.next) {
                if (entry.hasTimer()) {
                    if (entry.due <= now && (asked < BATCH || entry.state == State.REACHABLE)) {
                        expire(entry, now);
                    }
                    if (entry.hasTimer()) {
                        nextDue = Math.min(nextDue, entry.due);
                    }
                }
            }
        }
        due = nextDue;
    }

    private void expire(NeighbourEntry entry, long now) {
        switch (entry.state) {
            case REACHABLE -> set(entry, State.STALE, now);
            case DELAY -> {
                set(entry, State.PROBE, now);
                entry.probes = 0;
                ask(entry, now);
            }
            default -> {
                if (entry.probes < PROBES) {
                    ask(entry, now);
                } else {
                    fail(entry, now);
                }
            }
        }
    }

    private void ask(NeighbourEntry entry, long now) {
        Question question = questions[asked++];
        question.version = entry.version;
        question.high = entry.high;
        question.low = entry.low;
        question.mac = entry.state == State.PROBE ? entry.mac : NeighbourEntry.NOBODY;
        entry.probes++;
        entry.due = now + RETRY_NANOS;
    }

    private void fail(NeighbourEntry entry, long now) {
        set(entry, State.FAILED, now);
        entry.mac = NeighbourEntry.NOBODY;
        entry.due = now;
        PacketBuffer last = entry.lastWaiting;
        PacketBuffer list = takeWaiting(entry);
        if (list != null) {
            last.next(dropped);
            dropped = list;
        }
    }

    /** How many are to be asked for after a tick. */
    int questions() {
        return asked;
    }

    Question question(int index) {
        return questions[index];
    }

    /** What waited in vain, linked; to be asked for after a tick, once. */
    PacketBuffer dropped() {
        PacketBuffer list = dropped;
        dropped = null;
        return list;
    }

    private NeighbourEntry find(int version, long high, long low) {
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

    /** A new entry; when the table is full the one that is needed least goes. */
    private NeighbourEntry enter(int version, long high, long low, long now) {
        NeighbourEntry entry;
        if (size < MOST) {
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
        entry.mac = NeighbourEntry.NOBODY;
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

    /** Nobody that packets wait for, nobody that an administrator has set; else the one not used for longest. */
    private NeighbourEntry leastNeeded() {
        NeighbourEntry least = null;
        for (NeighbourEntry bucket : buckets) {
            for (NeighbourEntry entry = bucket; entry != null; entry = entry.next) {
                if (entry.state != State.PERMANENT && entry.waitingCount == 0
                        && (least == null || worth(entry) < worth(least)
                                || worth(entry) == worth(least) && entry.used - least.used < 0)) {
                    least = entry;
                }
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

    /** Whether an entry had to go, or could not come, since this was last asked. */
    boolean wasFull() {
        if (!full) {
            return false;
        }
        full = false;
        return true;
    }

    /** An administrator says where somebody is; what waited comes back, linked. False if there is no room. */
    synchronized boolean put(IpAddress address, MacAddress station, long now) {
        NeighbourEntry entry = find(address.version(), address.high(), address.low());
        if (entry == null) {
            entry = enter(address.version(), address.high(), address.low(), now);
        }
        if (entry == null) {
            return false;
        }
        learn(entry, station.value(), now);
        set(entry, State.PERMANENT, now);
        entry.confirmed = now;
        freed = takeWaiting(entry);
        return true;
    }

    private PacketBuffer freed;

    synchronized boolean remove(IpAddress address) {
        NeighbourEntry entry = find(address.version(), address.high(), address.low());
        if (entry == null) {
            return false;
        }
        freed = takeWaiting(entry);
        unlink(entry);
        size--;
        return true;
    }

    /** What a command has set free, linked: to be released by whoever gave the command. */
    synchronized PacketBuffer freed() {
        PacketBuffer list = freed;
        freed = null;
        return list;
    }

    /** The device goes, and all packets with it; what was being asked for will be asked for anew. */
    synchronized PacketBuffer dropWaiting(long now) {
        PacketBuffer all = dropped;
        dropped = null;
        for (NeighbourEntry bucket : buckets) {
            for (NeighbourEntry entry = bucket; entry != null; entry = entry.next) {
                if (entry.waitingCount > 0) {
                    PacketBuffer last = entry.lastWaiting;
                    PacketBuffer list = takeWaiting(entry);
                    last.next(all);
                    all = list;
                }
                if (entry.state == State.INCOMPLETE) {
                    set(entry, State.FAILED, now);
                    entry.due = now;
                }
            }
        }
        return all;
    }

    synchronized List<Neighbour> list(long now) {
        List<Neighbour> all = new ArrayList<>();
        for (NeighbourEntry bucket : buckets) {
            for (NeighbourEntry entry = bucket; entry != null; entry = entry.next) {
                all.add(new Neighbour(new IpAddress(entry.version, entry.high, entry.low),
                        entry.mac == NeighbourEntry.NOBODY ? null : new MacAddress(entry.mac), entry.state,
                        entry.router, entry.probes, now - entry.used, now - entry.confirmed, now - entry.updated));
            }
        }
        all.sort(Comparator.comparing(Neighbour::address));
        return all;
    }
}
