package io.manafold.fabric.internal;

import io.manafold.api.fabric.Queueing;

/** Random early detection: which packets are marked, by how many bytes wait before them. */
final class RedMarker {
    private final long least;
    private final long most;
    private final double probability;
    private final SeededRandom random = new SeededRandom();

    RedMarker(Queueing queueing) {
        least = queueing.ecnMin();
        most = queueing.ecnMax();
        probability = queueing.ecnProbability();
    }

    /** Begins anew. */
    void start(long seed, int place) {
        random.start(seed, place);
    }

    /** Whether a packet that comes to so many bytes is marked. */
    boolean marks(long waiting) {
        if (waiting <= least) {
            return false;
        }
        return waiting > most || random.happens(probability * (waiting - least) / (most - least));
    }
}
