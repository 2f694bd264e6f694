package io.manafold.lab.internal;

import java.util.Set;

/** A platform on which nothing ever comes of a configuration. */
final class NoArrivals implements Arrivals {
    @Override
    public Set<String> arrived() {
        return Set.of();
    }

    @Override
    public Set<String> leaving() {
        return Set.of();
    }

    @Override
    public Watch watch(Runnable changed) {
        return () -> { };
    }
}
