package io.manafold.lab.internal;

import java.util.Set;

/** Which entries of labs have become services. */
interface Arrivals {
    /** Their paths, as in {@code adapters/one}. */
    Set<String> arrived();

    /** The paths of those that had arrived when that was asked before, and are leaving: users still hold them. */
    Set<String> leaving();

    /** Calls back after each change, on whichever thread made it, until closed. */
    Watch watch(Runnable changed);

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
