package io.manafold.api.rdma;

import java.util.Objects;

/**
 * How a queue pair is to be.
 *
 * @param sends that may be outstanding, at least 1
 * @param receives that may be outstanding, at least 1; none of raw packets
 * @param sendPieces of memory of a send, a write or a read
 * @param receivePieces of memory of a receive
 * @param inlineBytes that requests may carry themselves, which no device supports
 */
public record QueuePairPlan(QueuePairType type, CompletionQueue sendQueue, CompletionQueue receiveQueue, int sends,
        int receives, int sendPieces, int receivePieces, int inlineBytes) {
    public QueuePairPlan {
        Objects.requireNonNull(type);
        Objects.requireNonNull(sendQueue);
        Objects.requireNonNull(receiveQueue);
    }

    /** A reliable connection whose requests have one piece each. */
    public static QueuePairPlan reliable(CompletionQueue queue, int sends, int receives) {
        return new QueuePairPlan(QueuePairType.RC, queue, queue, sends, receives, 1, 1, 0);
    }

    /** Raw packets: sends of one piece each. Receives have queues of their own, {@link ReceiveWorkQueue}. */
    public static QueuePairPlan raw(CompletionQueue queue, int sends) {
        return new QueuePairPlan(QueuePairType.RAW_PACKET, queue, queue, sends, 0, 1, 0, 0);
    }

    /** The same with requests of several pieces. */
    public QueuePairPlan withPieces(int newSendPieces, int newReceivePieces) {
        return new QueuePairPlan(type, sendQueue, receiveQueue, sends, receives, newSendPieces, newReceivePieces,
                inlineBytes);
    }
}
