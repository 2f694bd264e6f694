package io.manafold.adapter.internal.ethernet;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** The queues of a port, each in a place of its own. They come and go on the agent. */
final class PortQueues {
    final SendQueue[] senders;
    final ReceiveQueue[] receivers;
    private final String port;

    PortQueues(String port, int most) {
        this.port = port;
        senders = new SendQueue[most];
        receivers = new ReceiveQueue[most];
    }

    /** @throws Refusal {@code ENOSPC} when all are taken */
    int freeSend() {
        return free(senders, "send");
    }

    /** @throws Refusal {@code ENOSPC} when all are taken */
    int freeReceive() {
        return free(receivers, "receive");
    }

    private int free(Object[] queues, String kind) {
        for (int slot = 0; slot < queues.length; slot++) {
            if (queues[slot] == null) {
                return slot;
            }
        }
        throw new Refusal(Errno.ENOSPC, "Port " + port + " has " + queues.length + " " + kind
                + " queues, and all of them are there already. Destroy one first.");
    }

    /** False if it is not there. */
    boolean remove(SendQueue queue) {
        if (senders[queue.slot] != queue) {
            return false;
        }
        senders[queue.slot] = null;
        return true;
    }

    void remove(ReceiveQueue queue) {
        if (receivers[queue.slot] == queue) {
            receivers[queue.slot] = null;
        }
    }

    boolean has(ReceiveQueue queue) {
        return receivers[queue.slot] == queue;
    }

    boolean hasSender() {
        for (SendQueue queue : senders) {
            if (queue != null) {
                return true;
            }
        }
        return false;
    }

    /** Nothing of the send queues is to be trusted any more; any thread. */
    void endSending() {
        for (SendQueue queue : senders) {
            if (queue != null) {
                queue.ended = true;
            }
        }
    }
}
