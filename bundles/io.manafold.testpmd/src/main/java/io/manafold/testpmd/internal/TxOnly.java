package io.manafold.testpmd.internal;

import io.manafold.memory.RawMemory;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Sends made packets, and receives nothing. */
final class TxOnly extends ForwardStream {
    /** Whose ports of UDP follow each other; those of another lane begin behind so many. */
    static final int MOST_FLOWS = 64;

    /** Those of one segment, of two, and so on, as far as packets differ. */
    private final MadeFrames[] frames;
    private final int flows;
    private final int port;
    private final Split split;
    private final SplittableRandom random = new SplittableRandom();
    /** How many segments each packet of a burst has after its first, and these segments. */
    private final int[] more;
    private final int[] segments;
    private int flow;

    TxOnly(Route route) {
        super(route);
        int[] lengths = route.settings().segments;
        split = route.settings().split;
        frames = new MadeFrames[lengths.length];
        for (int i = split == Split.RAND ? 0 : lengths.length - 1; i < lengths.length; i++) {
            frames[i] = new MadeFrames(route, Arrays.copyOf(lengths, i + 1));
        }
        more = new int[burst];
        segments = new int[burst * (lengths.length - 1)];
        flows = route.settings().multiFlow ? route.settings().flowsOfLane : 0;
        port = route.settings().sourcePort + route.number() * MOST_FLOWS;
    }

    @Override
    public int turn() {
        if (!take()) {
            // all are under way: some come back when the queue looks
            reclaim();
            return 0;
        }
        int used = 0;
        for (int i = 0; i < burst; i++) {
            MadeFrames made = frames[more[i]];
            long at = made.write(packets[i]);
            if (more[i] > 0) {
                made.append(packets[i], segments, used);
                used += more[i];
            }
            if (flows > 0) {
                RawMemory.putBig16(at + MadeFrames.TRANSPORT, port + flow);
                flow = flow + 1 == flows ? 0 : flow + 1;
            }
        }
        send(packets, 0, burst);
        return burst;
    }

    private boolean take() {
        if (!pool.take(packets, 0, burst)) {
            return false;
        }
        int all = 0;
        for (int i = 0; i < burst; i++) {
            more[i] = split.segments(frames.length, random) - 1;
            all += more[i];
        }
        if (all > 0 && !pool.take(segments, 0, all)) {
            pool.give(packets, 0, burst);
            return false;
        }
        return true;
    }
}
