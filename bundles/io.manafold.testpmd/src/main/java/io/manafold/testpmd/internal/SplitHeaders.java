package io.manafold.testpmd.internal;

import java.util.List;

/**
 * Behind which headers received packets are to be split. Only queues that split buffers heed them, and no device here
 * has such queues: what is set is kept and shown.
 */
final class SplitHeaders {
    /** With the payload that is behind the last of them. */
    private static final int MOST_PARTS = 8;
    private static final List<String> NAMES = List.of("eth", "ipv4", "ipv6", "ipv4-tcp", "ipv6-tcp", "ipv4-udp",
            "ipv6-udp", "ipv4-sctp", "ipv6-sctp", "grenat", "inner-eth", "inner-ipv4", "inner-ipv6", "inner-ipv4-tcp",
            "inner-ipv6-tcp", "inner-ipv4-udp", "inner-ipv6-udp", "inner-ipv4-sctp", "inner-ipv6-sctp");

    private SplitHeaders() {
    }

    /** Names with commas between them. */
    static List<String> read(String what, String text) {
        List<String> names = List.of(text.split(",", MOST_PARTS + 1));
        if (names.size() >= MOST_PARTS) {
            throw Words.wrong(what + " takes at most " + (MOST_PARTS - 1) + " headers.");
        }
        for (String name : names) {
            if (!NAMES.contains(name)) {
                throw Words.wrong(what + " does not know '" + Words.shown(name) + "'; headers are "
                        + String.join(", ", NAMES) + ".");
            }
        }
        return names;
    }

    /** What is behind the last header is a part, too. */
    static String shown(List<String> names) {
        return names.isEmpty() ? "Number of segments: 0\n" : "Number of segments: " + (names.size() + 1)
                + "\nPacket segs: " + String.join(", ", names) + ", payload\n";
    }
}
