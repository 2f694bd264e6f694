package io.manafold.api.adapter;

import java.util.List;

/**
 * RDMA of an adapter at a moment.
 *
 * @param driven whether a driver has made its RDMA adapter
 * @param suspended whether that driver has been told to do without it
 * @param ports those that speak RDMA
 * @param gids the addresses that the driver has given it
 */
public record RdmaStatus(boolean driven, boolean suspended, List<RdmaPort> ports, List<String> gids,
        List<RdmaCompletionQueue> completionQueues, List<RdmaQueuePair> queuePairs) {
}
