package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Neighbour.State;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.PacketBuffer;
import java.util.List;

/**
 * Which host is where on the link. What was not asked for is not believed: strangers that answer unasked are not
 * entered, and a neighbour that seems to have moved is first asked where it was. The table is bounded, so is what waits
 * for answers. The device's thread and commands take turns call by call; no code of others runs inside.
 */
final class NeighbourTable {
    static final int MOST = 1024;
    /** Packets that wait for one neighbour, and for all. */
    static final int WAITING = 16;
    static final int ALL_WAITING = 64;
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
        /** The packet finds no place to wait, and was not asked for yet: now is the time. */
        ASK_ALONE,
        /** The packet waits. */
        WAITS,
        /** The packet is not taken. */
        NO
    }

    private final NeighbourEntries entries = new NeighbourEntries(MOST);
    private final WaitingPackets waiting = new WaitingPackets(WAITING, ALL_WAITING);
    private long due = NEVER;
    private long mac;

    /** Entries that {@link #tick} found to be asked for, for the device's thread alone. */
    private final Question[] questions = new Question[BATCH];
    private int asked;
    private PacketBuffer dropped;

    NeighbourTable() {
        for (int i = 0; i < BATCH; i++) {
            questions[i] = new Question();
        }
    }

    /** A neighbour to be asked for. */
    static final class Question {
        int version;
        long high;
        long low;
        /** The host to ask, or none: all. */
        long mac;
    }

    /** Looks for the neighbour that a packet is to be sent to; if it is not known, the packet may wait in the table. */
    synchronized Answer resolve(int version, long high, long low, long now, PacketBuffer packet) {
        NeighbourEntry entry = entries.find(version, high, low);
        if (entry == null) {
            entry = entries.enter(version, high, low, now);
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
                return waiting.add(entry, packet) ? Answer.WAITS : Answer.NO;
            }
            default -> {
                if (now < entry.due) {
                    return Answer.NO;
                }
                set(entry, State.INCOMPLETE, now);
                entry.mac = NeighbourEntry.NO_MAC;
                entry.probes = 1;
                at(entry, now + RETRY_NANOS);
                // packets for neighbours that are silent may have all places, and yet this one is asked for
                return waiting.add(entry, packet) ? Answer.ASK : Answer.ASK_ALONE;
            }
        }
    }

    /**
     * Looks for a neighbour without a packet for it. Any thread.
     *
     * @return its MAC address; {@link NeighbourEntry#NO_MAC} while it is being asked for, from the next {@link #tick}
     *     on
     */
    synchronized long locate(int version, long high, long low, long now) {
        NeighbourEntry entry = entries.find(version, high, low);
        if (entry == null) {
            entry = entries.enter(version, high, low, now);
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
                entry.mac = NeighbourEntry.NO_MAC;
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

    /**
     * A station asked for us and says where it is. It is entered, but not believed to be reachable.
     *
     * @return packets that waited for that, linked
     */
    synchronized PacketBuffer heardQuestion(int version, long high, long low, long from, long now) {
        NeighbourEntry entry = entries.find(version, high, low);
        if (entry == null) {
            entry = entries.enter(version, high, low, now);
            if (entry == null) {
                return null;
            }
        }
        return heard(entry, from, now);
    }

    /**
     * A station answers.
     *
     * @param solicited it says that it was asked
     * @return packets that waited for that, linked
     */
    synchronized PacketBuffer heardAnswer(int version, long high, long low, long from, boolean solicited,
            boolean isRouter, long now) {
        NeighbourEntry entry = entries.find(version, high, low);
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
            return waiting.take(entry);
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
                return waiting.take(entry);
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
        for (NeighbourEntry entry = entries.first(); entry != null; entry = entries.after(entry)) {
            if (entry.hasTimer()) {
                if (entry.due <= now && (asked < BATCH || entry.state == State.REACHABLE)) {
                    expire(entry, now);
                }
                if (entry.hasTimer()) {
                    nextDue = Math.min(nextDue, entry.due);
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
        question.mac = entry.state == State.PROBE ? entry.mac : NeighbourEntry.NO_MAC;
        entry.probes++;
        entry.due = now + RETRY_NANOS;
    }

    private void fail(NeighbourEntry entry, long now) {
        set(entry, State.FAILED, now);
        entry.mac = NeighbourEntry.NO_MAC;
        entry.due = now;
        dropped = takeWaiting(entry, dropped);
    }

    /** All that wait for a neighbour, linked, with others behind them. */
    private PacketBuffer takeWaiting(NeighbourEntry entry, PacketBuffer others) {
        PacketBuffer last = entry.lastWaiting;
        PacketBuffer list = waiting.take(entry);
        if (list == null) {
            return others;
        }
        last.next(others);
        return list;
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

    /** Whether an entry had to go, or could not come, since this was last asked. */
    boolean wasFull() {
        return entries.wasFull();
    }

    /** An administrator says where a station is; what waited comes back, linked. False if there is no room. */
    synchronized boolean put(IpAddress address, MacAddress station, long now) {
        NeighbourEntry entry = entries.find(address.version(), address.high(), address.low());
        if (entry == null) {
            entry = entries.enter(address.version(), address.high(), address.low(), now);
        }
        if (entry == null) {
            return false;
        }
        learn(entry, station.value(), now);
        set(entry, State.PERMANENT, now);
        entry.confirmed = now;
        freed = takeWaiting(entry, freed);
        return true;
    }

    /** Of several commands at once each adds to it, and the first that asks for it releases all. */
    private PacketBuffer freed;

    synchronized boolean remove(IpAddress address) {
        NeighbourEntry entry = entries.find(address.version(), address.high(), address.low());
        if (entry == null) {
            return false;
        }
        freed = takeWaiting(entry, freed);
        entries.remove(entry);
        return true;
    }

    /** What commands have set free, linked: to be released by the thread that gave the command. */
    synchronized PacketBuffer freed() {
        PacketBuffer list = freed;
        freed = null;
        return list;
    }

    /** The device goes, and all packets with it; what was being asked for will be asked for anew. */
    synchronized PacketBuffer dropWaiting(long now) {
        PacketBuffer all = dropped;
        dropped = null;
        for (NeighbourEntry entry = entries.first(); entry != null; entry = entries.after(entry)) {
            all = takeWaiting(entry, all);
            if (entry.state == State.INCOMPLETE) {
                set(entry, State.FAILED, now);
                entry.due = now;
            }
        }
        return all;
    }

    synchronized List<Neighbour> list(long now) {
        return entries.list(now);
    }
}
