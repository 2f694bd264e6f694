package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.gdma.WorkRequest;

/**
 * How long the rings of a reliable connection are.
 *
 * @param sendBytes a power of two, without the trailer
 * @param receiveBytes a power of two
 */
public record RingSizes(int sendBytes, int receiveBytes) {
    private static final int LEAST = 4096;

    /** So that as many requests as planned have room, whatever they are. */
    public static RingSizes of(QueuePairPlan plan) {
        // the inline part of a write with immediate is as long as a piece more
        int send = WorkRequest.size(Math.max(1, plan.sendPieces()) + 1, WorkRequest.INLINE_LONG);
        int receive = WorkRequest.size(Math.max(1, plan.receivePieces()), WorkRequest.INLINE_SHORT);
        return new RingSizes(up(plan.sends() * send), up(plan.receives() * receive));
    }

    private static int up(int bytes) {
        return Math.max(LEAST, Integer.highestOneBit(2 * bytes - 1));
    }
}
