package io.manafold.testpmd.internal;

/** Which port the packets of a port go to. */
enum Topology {
    PAIRED, CHAINED, LOOP;

    /** The place of the port that packets go to, among so many. */
    int target(int place, int ports) {
        return switch (this) {
            case LOOP -> place;
            case CHAINED -> (place + 1) % ports;
            case PAIRED -> (place ^ 1) < ports ? place ^ 1 : place;
        };
    }

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    static Topology of(String word) {
        for (Topology topology : values()) {
            if (topology.word().equals(word)) {
                return topology;
            }
        }
        throw Words.wrong("There is no topology '" + Words.shown(word) + "': it is paired, chained or loop.");
    }
}
