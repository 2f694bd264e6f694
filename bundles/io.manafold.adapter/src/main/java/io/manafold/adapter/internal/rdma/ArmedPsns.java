package io.manafold.adapter.internal.rdma;

import io.manafold.roce.Psn;

/**
 * The sequence numbers that a driver has asked to be told of. Each is told once; several that are reached together are
 * told together. Any thread arms, the agent takes.
 */
final class ArmedPsns {
    private static final int MOST = 256;

    private final int[] armed = new int[MOST];
    /** Changed by the thread that holds the lock. */
    private volatile int count;

    /** Adds one. A driver that arms more than it can have requests loses the oldest of them. */
    synchronized void add(int psn) {
        for (int i = 0; i < count; i++) {
            if (armed[i] == psn) {
                return;
            }
        }
        if (count == MOST) {
            System.arraycopy(armed, 1, armed, 0, --count);
        }
        armed[count++] = psn;
    }

    /** Takes away all that have been reached; whether there were any. */
    synchronized boolean take(int acknowledged) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (Psn.distance(armed[i], acknowledged) < 0) {
                armed[kept++] = armed[i];
            }
        }
        boolean reached = kept < count;
        count = kept;
        return reached;
    }

    boolean isEmpty() {
        return count == 0;
    }

    synchronized void clear() {
        count = 0;
    }
}
