package io.manafold.testpmd.internal;

import io.manafold.memory.RawMemory;

/** Sends made packets, and receives nothing. */
final class TxOnly extends Lane {
    private static final int FLOWS = 64;

    private final MadeFrames frames;
    private final boolean manyFlows;
    private final int port;
    private final int more;
    /** Segments of a burst's packets after their first. */
    private final int[] segments;
    private int flow;

    TxOnly(Route route) {
        super(route);
        frames = new MadeFrames(route);
        more = frames.more();
        segments = new int[burst * more];
        manyFlows = route.settings().multiFlow;
        port = route.settings().sourcePort + route.number() * FLOWS;
    }

    @Override
    public int turn() {
        if (!take()) {
            // all are under way: some come back when the queue looks
            reclaim();
            return 0;
        }
        for (int i = 0; i < burst; i++) {
            long at = frames.write(packets[i]);
            if (more > 0) {
                frames.append(packets[i], segments, i * more);
            }
            if (manyFlows) {
                RawMemory.putBig16(at + MadeFrames.TRANSPORT, port + flow);
                flow = flow + 1 & FLOWS - 1;
            }
        }
        send(packets, 0, burst);
        return burst;
    }

    private boolean take() {
        if (!pool.take(packets, 0, burst)) {
            return false;
        }
        if (more > 0 && !pool.take(segments, 0, segments.length)) {
            pool.give(packets, 0, burst);
            return false;
        }
        return true;
    }
}
