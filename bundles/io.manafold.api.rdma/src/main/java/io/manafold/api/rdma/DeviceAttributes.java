package io.manafold.api.rdma;

/**
 * What a device is and its limits.
 *
 * @param vendor the PCI vendor
 * @param part what kind of device of the vendor it is
 * @param guid of the node, eight bytes in their order on the wire, the first in the highest bits
 * @param ports how many it has, numbered from 1
 * @param maxRequests that each ring of a queue pair holds at most
 * @param maxSendPieces of memory that a send, a write or a read has at most
 * @param maxReceivePieces of memory that a receive has at most
 * @param maxCompletions that a completion queue holds at most
 * @param maxInboundReads that a queue pair answers at a time
 * @param maxOutboundReads that a queue pair asks at a time
 * @param maxMessage bytes of the longest message
 */
public record DeviceAttributes(int vendor, int part, long guid, int ports, int maxDomains, int maxRegions,
        int maxCompletionQueues, int maxQueuePairs, int maxRequests, int maxSendPieces, int maxReceivePieces,
        int maxCompletions, int maxInboundReads, int maxOutboundReads, int maxMessage) {
}
