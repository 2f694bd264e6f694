package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a link shall be.
 *
 * @param hostInterface the host's interface, or null
 * @param queueing how frames wait, or null if they do not
 */
record LinkPlan(String name, Kind kind, List<String> ports, String hostInterface, Impairments impairments,
        Queueing queueing) {
    /** What a link can be. */
    enum Kind {
        SWITCH("switch"), DIRECT("direct"), TAP("tap"), PACKET("packet");

        final String word;

        Kind(String word) {
            this.word = word;
        }

        boolean isHost() {
            return this == TAP || this == PACKET;
        }

        static Kind of(String link, String word) {
            for (Kind kind : values()) {
                if (kind.word.equals(word)) {
                    return kind;
                }
            }
            throw new Refusal(Errno.EINVAL, "Link " + link + " cannot be of kind '" + word
                    + "'; write switch, direct, tap or packet.");
        }
    }

    /** How many bytes wait in front of a port if a link with a rate says nothing else. */
    static final long BUFFER = 1 << 20;
    /** Percent of the packets that are marked just below the upper bound if it says nothing else. */
    static final double PROBABILITY = 20;

    private static final int MOST_PORTS = 4096;
    private static final int LONGEST_INTERFACE = 15;
    /** The most memory of all queues of a link. */
    private static final long MOST_MEMORY = 512L << 20;

    /** A link on which no frame waits for others. */
    LinkPlan(String name, Kind kind, List<String> ports, String hostInterface, Impairments impairments) {
        this(name, kind, ports, hostInterface, impairments, null);
    }

    LinkPlan {
        ports = List.copyOf(ports);
        Set<String> seen = new HashSet<>();
        for (String port : ports) {
            if (port.isBlank()) {
                throw refused(name, "has a port without a name; write adapter/port, as in one/1");
            }
            if (!seen.add(port)) {
                throw refused(name, "names port " + port + " twice; a port has one plug, so name it once");
            }
        }
        switch (kind) {
            case SWITCH -> {
                if (ports.isEmpty() || ports.size() > MOST_PORTS) {
                    throw refused(name, "is a switch with " + ports.size() + " ports; it takes 1 to " + MOST_PORTS);
                }
            }
            case DIRECT -> {
                if (ports.size() != 2) {
                    throw refused(name, "is a cable and joins exactly two ports, not " + ports.size());
                }
            }
            case TAP, PACKET -> {
                if (ports.size() != 1) {
                    throw refused(name, "leads one port to the host, not " + ports.size()
                            + "; write one link for each port");
                }
                if (!isInterface(hostInterface)) {
                    throw refused(name, "needs the host's interface, 1 to " + LONGEST_INTERFACE
                            + " characters without blanks and slashes, not '" + hostInterface + "'");
                }
            }
        }
        int queues = kind == Kind.SWITCH ? ports.size() : 2;
        if (queueing != null && (long) OutputQueue.memory(queueing) * queues > MOST_MEMORY) {
            throw refused(name, "has " + queues + " queues of " + queueing.buffer() + " bytes, for which the "
                    + (MOST_MEMORY >> 20) + " MiB that the queues of a link have are too few; make the buffer smaller");
        }
    }

    private static boolean isInterface(String text) {
        return text != null && !text.isEmpty() && text.length() <= LONGEST_INTERFACE && !text.equals(".")
                && !text.equals("..") && text.chars().allMatch(c -> c > ' ' && c < 127 && "/:%".indexOf(c) < 0);
    }

    private static Refusal refused(String name, String what) {
        return new Refusal(Errno.EINVAL, "Link " + name + " " + what + ".");
    }
}
