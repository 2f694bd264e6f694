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
 * @param echo whether a message comes back before the next one is sent
 */
record RdmaCase(Kind kind, int bytes, int mtu, int pairs, boolean fromMemory, boolean echo) {
    /** What a request asks for. */
    enum Kind {
        WRITE, READ, SEND;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int[] SIZES = {4 << 10, 64 << 10, 1 << 20};

    static List<RdmaCase> all() {
        List<RdmaCase> all = new ArrayList<>();
        all.add(new RdmaCase(Kind.WRITE, 4 << 10, 4096, 1, false, false));
        for (int mtu : new int[] {4096, 1024}) {
            for (Kind kind : Kind.values()) {
                for (int bytes : SIZES) {
                    all.add(new RdmaCase(kind, bytes, mtu, 1, true, false));
                }
            }
        }
        all.add(new RdmaCase(Kind.WRITE, 4 << 10, 4096, 1024, true, false));
        all.add(new RdmaCase(Kind.SEND, 64, 4096, 1, false, true));
        return all;
    }

    /** An echo spins on a thread of its own; all else takes turns with the adapters on one. */
    boolean oneThread() {
        return !echo;
    }

    int packets() {
        return Math.max(1, (bytes + mtu - 1) / mtu);
    }

    @Override
    public String toString() {
        return (echo ? "echo" : kind) + "," + bytes + "," + mtu + "," + pairs + "," + (fromMemory ? "memory" : "cache");
    }
}
