package io.manafold.rdma.internal.connection;

import io.manafold.api.refusal.Errno;
import io.manafold.roce.cm.CmReply;

/** Is told what becomes of an exchange, by the thread of the connections. Of the last three one is told, once. */
public interface ExchangeListener {
    /**
     * The peer agrees: the queue pair is to be made ready, then {@link ActiveSide#proceed} or {@link ActiveSide#refuse}
     * follows.
     */
    void replied(CmReply reply);

    void established(byte[] privateData);

    /** There is no connection: the peer does not want it. */
    void rejected(int reason, byte[] privateData);

    /** There is no connection: the peer was not found or did not answer. */
    void unreachable(Errno errno, String sentence);

    /**
     * There was a connection, and it has ended.
     *
     * @param errno {@code null} if one of the two users has ended it
     */
    void disconnected(Errno errno, String sentence);
}
