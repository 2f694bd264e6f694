package io.manafold.commands.sock.internal;

import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Sockets;
import java.net.InetAddress;

/**
 * What a comparison has carried, and by what.
 *
 * @param at where connections come in
 * @param message bytes of one
 */
record Workload(Sockets sockets, Knobs knobs, InetAddress at, int message, int connections) {
    private static final int MOST_UNDER_WAY = 64;
    private static final int BYTES_UNDER_WAY = 1 << 20;
    /** Completions of a connection besides its sends. */
    private static final long OTHERS = 16;

    /** Messages that each connection has under way. */
    int underWay() {
        return Math.clamp(BYTES_UNDER_WAY / message, 2, MOST_UNDER_WAY);
    }

    /**
     * Room for all completions there can be: two of each send, since its memory may be free later than it is accepted.
     */
    int completions() {
        return Math.clamp((2L * underWay() + OTHERS) * connections, 4096, 1 << 20);
    }

    long outgoingBytes() {
        return (long) underWay() * message;
    }
}
