package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is measured.
 *
 * @param pairs of queues that share the work
 * @param mtu payload of a packet
 * @param fromMemory whether messages lie in more memory than caches hold; else it is the same message over and over
 * @param lent whether the adapters are in a process of their own, which lends them
 */
record RdmaCase(Kind kind, int bytes, int mtu, int pairs, boolean fromMemory, boolean lent) {
    /** What requests ask for. */
    enum Kind {
        WRITE, READ, SEND,
        /** A message comes back before the next one is sent. */
        ECHO,
        /** The same, and those who wait for it sleep. */
        PARKED,
        /** A block is registered and given back. */
        REGISTER,
        /** Two queue pairs are connected by address. */
        CONNECT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int[] SIZES = {4 << 10, 64 << 10, 1 << 20};

    RdmaCase(Kind kind, int bytes, int mtu, int pairs, boolean fromMemory) {
        this(kind, bytes, mtu, pairs, fromMemory, false);
    }

    static List<RdmaCase> all() {
        List<RdmaCase> all = new ArrayList<>();
        all.add(new RdmaCase(Kind.WRITE, 4 << 10, 4096, 1, false));
        for (int mtu : new int[] {4096, 1024}) {
            for (Kind kind : List.of(Kind.WRITE, Kind.READ, Kind.SEND)) {
                for (int bytes : SIZES) {
                    all.add(new RdmaCase(kind, bytes, mtu, 1, true));
                }
            }
        }
        all.add(new RdmaCase(Kind.WRITE, 4 << 10, 4096, 1024, true));
        all.add(new RdmaCase(Kind.ECHO, 64, 4096, 1, false));
        return all;
    }

    /** Those of verbs. */
    static List<RdmaCase> verbs() {
        List<RdmaCase> all = new ArrayList<>();
        for (boolean lent : new boolean[] {false, true}) {
            all.addAll(List.of(new RdmaCase(Kind.WRITE, 64, 4096, 1, false, lent),
                    new RdmaCase(Kind.WRITE, 4 << 10, 4096, 1, false, lent),
                    new RdmaCase(Kind.WRITE, 64 << 10, 4096, 1, true, lent), new RdmaCase(Kind.ECHO, 64, 4096, 1, false,
                            lent), new RdmaCase(Kind.PARKED, 64, 4096, 1, false, lent),
                    new RdmaCase(Kind.REGISTER, 1 << 20, 4096, 1, true, lent),
                    new RdmaCase(Kind.CONNECT, 64, 4096, 1, false, lent)));
        }
        return all;
    }

    /** The same with the adapters in this process. */
    RdmaCase here() {
        return new RdmaCase(kind, bytes, mtu, pairs, fromMemory);
    }

    /** Whether it is how long something takes that is done once, and not how messages go. */
    boolean once() {
        return kind == Kind.REGISTER || kind == Kind.CONNECT;
    }

    boolean echo() {
        return kind == Kind.ECHO || kind == Kind.PARKED;
    }

    /**
     * An echo has threads of its own, and so have adapters in another process; all else takes turns with the adapters
     * on one.
     */
    boolean oneThread() {
        return !echo() && !once() && !lent;
    }

    int packets() {
        return Math.max(1, (bytes + mtu - 1) / mtu);
    }

    @Override
    public String toString() {
        return kind + "," + bytes + "," + mtu + "," + pairs + "," + (fromMemory ? "memory" : "cache")
                + (lent ? ",lent" : "");
    }
}
