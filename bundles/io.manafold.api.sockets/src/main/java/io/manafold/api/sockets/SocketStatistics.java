package io.manafold.api.sockets;

/**
 * What an endpoint has counted since it was made. It is never set back.
 *
 * @param sentTransfers that completed, with or without an error
 * @param systemCalls how often this process entered the kernel for it; what was entered for several endpoints together
 *     counts for the one that it was entered for first
 * @param zeroCopy sends that the kernel said it did not copy
 * @param copied sends that the kernel said it copied
 * @param unreported sends by a path that says nothing, which always copies
 * @param pooled receives into a pool
 * @param area receives that the kernel placed itself
 * @param inFlight transfers that were posted and are not complete
 * @param pinnedBytes of transfers in flight, which must not change
 * @param errors transfers that completed with an error
 */
public record SocketStatistics(long sentBytes, long receivedBytes, long sentTransfers, long receivedTransfers,
        long systemCalls, long zeroCopy, long copied, long unreported, long pooled, long area, int inFlight,
        long pinnedBytes, long errors) {
}
