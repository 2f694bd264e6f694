package io.manafold.traffic.internal;

import io.manafold.api.traffic.TrafficShare;
import java.util.ArrayList;
import java.util.List;

/** What went through which queue. */
final class Shares {
    /** As many as a port of this kind has at most; later ones count as the last. */
    static final int QUEUES = 64;

    private Shares() {
    }

    static int place(int queue) {
        return Math.min(queue, QUEUES - 1);
    }

    static List<TrafficShare> of(Sending sending, long[] received) {
        List<TrafficShare> shares = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            if (sending.sent(i) + received[i] > 0) {
                shares.add(new TrafficShare(i, sending.sent(i), received[i]));
            }
        }
        return List.copyOf(shares);
    }
}
