package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import java.util.List;

/** A primary environment, as it is for its secondaries. */
public interface PrimaryProcess {
    String prefix();

    List<EthDev> ports();

    /**
     * Has a secondary poll a queue.
     *
     * @param who polls it, within a sentence
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a queue that is none, {@code EBUSY} for one that the
     *     primary does not offer, and for one that another polls
     */
    Pair lend(int port, int queue, String who);

    AutoCloseable listen(EthDevListener listener);

    /** Room of packets that its queues receive into. */
    int room();

    /**
     * Both directions of a queue, until they are given back.
     *
     * @param dropped counts a packet that has come and does not go on; for the thread that receives
     */
    record Pair(ReceiveQueue receive, SendQueue send, Runnable dropped, Runnable giveBack) {
    }
}
