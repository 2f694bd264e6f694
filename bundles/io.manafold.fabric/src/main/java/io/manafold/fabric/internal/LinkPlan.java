package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a link shall be.
 *
 * @param hostInterface the host's interface, or null
 */
record LinkPlan(String name, Kind kind, List<String> ports, String hostInterface, Impairments impairments) {
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

    private static final int MOST_PORTS = 4096;
    private static final int LONGEST_INTERFACE = 15;

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
    }

    private static boolean isInterface(String text) {
        return text != null && !text.isEmpty() && text.length() <= LONGEST_INTERFACE && !text.equals(".")
                && !text.equals("..") && text.chars().allMatch(c -> c > ' ' && c < 127 && "/:%".indexOf(c) < 0);
    }

    private static Refusal refused(String name, String what) {
        return new Refusal(Errno.EINVAL, "Link " + name + " " + what + ".");
    }
}
