package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is measured.
 *
 * @param threads who works on which
 * @param adapters how many are on the switch; all but the first are idle
 * @param hash whether frames are hashed and spread over queues; without it there is one queue
 */
record LoopCase(Threads threads, int frame, int queues, int adapters, boolean hash) {
    /** Who works on which thread. */
    enum Threads {
        /** The driver shares the link's thread with the adapter. */
        ONE,
        /** The driver has a thread of its own, for both directions: a frame crosses over, and comes back. */
        TWO,
        /** The sending half of the driver has a thread of its own; a frame crosses over once. */
        ENDS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static List<LoopCase> all() {
        List<LoopCase> all = new ArrayList<>();
        for (Threads threads : Threads.values()) {
            for (int frame : new int[] {64, 256, 1500, 9000}) {
                all.add(new LoopCase(threads, frame, 1, 1, false));
            }
        }
        for (int queues : new int[] {1, 4, 16, 64}) {
            all.add(new LoopCase(Threads.ONE, 64, queues, 1, true));
        }
        for (int adapters : new int[] {4, 16}) {
            all.add(new LoopCase(Threads.ONE, 64, 1, adapters, false));
        }
        return all;
    }

    boolean oneThread() {
        return threads == Threads.ONE;
    }

    /** One queue, one adapter, nothing hashed. */
    boolean isPlain() {
        return queues == 1 && adapters == 1 && !hash;
    }

    @Override
    public String toString() {
        return threads + "," + frame + "," + queues + "," + adapters + "," + hash;
    }
}
