package io.manafold.api.sockets;

/**
 * A region, for administrators.
 *
 * @param who as its block's holders have it
 * @param block the name of its memory block
 * @param key as a number of its own; it means nothing to other bundles
 * @param inFlight transfers that have not come back
 * @param rights bits of {@link Region}
 * @param closed whether it only waits for those
 * @param owner the symbolic name of the bundle that it belongs to
 */
public record RegionState(String who, String block, int key, long offset, long length, int inFlight, int rights,
        boolean closed, String owner) {
}
