package io.manafold.adapter.internal;

import java.util.Locale;

/** Which ports of an adapter speak RDMA. */
enum RdmaPorts {
    OFF, FIRST, ALL;

    /** {@code first}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As many of so many, the first ones. */
    int of(int ports) {
        return switch (this) {
            case OFF -> 0;
            case FIRST -> Math.min(1, ports);
            case ALL -> ports;
        };
    }
}
