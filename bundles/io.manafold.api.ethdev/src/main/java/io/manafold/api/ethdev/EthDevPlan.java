package io.manafold.api.ethdev;

import java.util.Objects;

/**
 * How a port is to be.
 *
 * @param receiveOffloads bits of {@link Offload}
 * @param sendOffloads bits of {@link Offload}
 * @param rss how packets are spread, or {@code null}: to the first queue
 * @param interrupts whether a thread wants to sleep until a queue has something
 */
public record EthDevPlan(int receiveQueues, int sendQueues, long receiveOffloads, long sendOffloads, RssHash rss,
        boolean interrupts) {
    /**
     * As many queues in each direction, no offloads, packets spread by what the device prefers if there are several.
     */
    public static EthDevPlan of(int queues) {
        return new EthDevPlan(queues, queues, 0, 0, queues > 1 ? RssHash.DEFAULT : null, false);
    }

    public EthDevPlan withOffloads(long receive, long send) {
        return new EthDevPlan(receiveQueues, sendQueues, receive, send, rss, interrupts);
    }

    /** The same, and threads may sleep until a queue has something. */
    public EthDevPlan withInterrupts() {
        return new EthDevPlan(receiveQueues, sendQueues, receiveOffloads, sendOffloads, rss, true);
    }

    public EthDevPlan withRss(RssHash hash) {
        return new EthDevPlan(receiveQueues, sendQueues, receiveOffloads, sendOffloads, Objects.requireNonNull(hash),
                interrupts);
    }
}
