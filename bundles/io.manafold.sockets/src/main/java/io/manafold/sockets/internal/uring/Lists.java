package io.manafold.sockets.internal.uring;

import io.manafold.uring.GatherList;

/**
 * Lists of pieces for requests that are not submitted yet; used again afterwards, since the kernel has copied them
 * then.
 */
final class Lists {
    /** Pieces of one operation at most. */
    static final int PIECES = 256;
    private static final int COUNT = 16;

    private final GatherList[] lists = new GatherList[COUNT];
    private int used;

    /** An empty one, {@code null} if all wait for being submitted. */
    GatherList next() {
        if (used == COUNT) {
            return null;
        }
        if (lists[used] == null) {
            lists[used] = new GatherList(PIECES);
        }
        GatherList list = lists[used++];
        list.clear();
        return list;
    }

    /** Whether a request that names one may not be taken yet. */
    boolean isUsed() {
        return used > 0;
    }

    /** The kernel has taken all requests. */
    void reset() {
        used = 0;
    }

    void close() {
        for (GatherList list : lists) {
            if (list != null) {
                list.close();
            }
        }
    }
}
