package io.manafold.benchmark;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaListener;
import java.time.Duration;

/**
 * Connects two queue pairs by address: from the request until both ends know. Pairs are new each time, since one that
 * had a connection rests for a while; to make them and to take them back does not count.
 */
final class Connects extends Once {
    /** States of two queue pairs: INIT, RTR and RTS of each. */
    static final int CALLS = 6;
    /** Request, reply, ready to use. */
    static final int MESSAGES = 3;
    private static final int PORT = 18_515;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final VerbsEndpoint near;
    private final VerbsEndpoint far;
    private final RdmaListener listener;

    Connects(VerbsEndpoint near, VerbsEndpoint far) {
        this.near = near;
        this.far = far;
        near.verbs.meets(far.verbs);
        listener = far.verbs.listen(PORT);
    }

    @Override
    long once() throws InterruptedException {
        try (QueuePair own = near.verbs.another(); QueuePair other = far.verbs.another()) {
            long begin = System.nanoTime();
            try (RdmaConnection asking = near.verbs.connect(own, far.verbs, PORT);
                    RdmaConnection asked = listener.next(PATIENCE).orElseThrow().accept(other, ConnectionPlan.USUAL)) {
                asking.established(PATIENCE);
                asked.established(PATIENCE);
                return System.nanoTime() - begin;
            }
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
