package io.manafold.benchmark;

/**
 * A peer for a line of the table, or why there is none.
 *
 * @param peer {@code null} if it is absent
 * @param absence a word or two for the table; empty if it is there
 */
record Rival(String name, Peer peer, String absence) implements AutoCloseable {
    @FunctionalInterface
    interface Start {
        Peer start() throws Exception;
    }

    static Rival of(String name, boolean installed, Start start) {
        if (!installed) {
            return new Rival(name, null, "not installed");
        }
        try {
            return new Rival(name, start.start(), "");
        } catch (Exception failed) {
            System.err.println(System.getProperty("benchmark") + ": " + name + " does not work here: "
                    + failed.getMessage());
            return new Rival(name, null, "does not work");
        }
    }

    @Override
    public void close() {
        if (peer != null) {
            peer.close();
        }
    }
}
