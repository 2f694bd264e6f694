package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.ReceiveQueue;
import io.manafold.adapter.internal.ethernet.SendQueue;
import io.manafold.adapter.internal.queue.CompletionQueue;

/**
 * A work queue and its completion queue, which live and end together.
 *
 * @param send {@code null} for a receive queue
 * @param receive {@code null} for a send queue
 * @param bytes of our memory that the two take
 */
record WorkObject(EthernetPort port, int id, int pd, SendQueue send, ReceiveQueue receive, CompletionQueue completions,
        Region workRegion, Region completionRegion, long bytes) {
    boolean isSend() {
        return send != null;
    }

    /** Ends it; on return it touches no memory any more. */
    void close() {
        if (send != null) {
            port.destroy(send);
        } else {
            port.destroy(receive);
        }
    }
}
