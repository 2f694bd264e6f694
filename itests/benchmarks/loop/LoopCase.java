package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured.
 *
 * @param oneThread whether driver and adapter share the link's thread
 * @param adapters how many are on the switch; all but the first are idle
 * @param hash whether frames are hashed and spread over queues; without it there is one queue
 */
record LoopCase(boolean oneThread, int frame, int queues, int adapters, boolean hash) {
    static List<LoopCase> all() {
        List<LoopCase> all = new ArrayList<>();
        for (boolean one : new boolean[] {true, false}) {
            for (int frame : new int[] {64, 256, 1500, 9000}) {
                all.add(new LoopCase(one, frame, 1, 1, false));
            }
        }
        for (int queues : new int[] {1, 4, 16, 64}) {
            all.add(new LoopCase(true, 64, queues, 1, true));
        }
        for (int adapters : new int[] {4, 16}) {
            all.add(new LoopCase(true, 64, 1, adapters, false));
        }
        return all;
    }

    /** One queue, one adapter, nothing hashed. */
    boolean isPlain() {
        return queues == 1 && adapters == 1 && !hash;
    }

    @Override
    public String toString() {
        return oneThread + "," + frame + "," + queues + "," + adapters + "," + hash;
    }
}
