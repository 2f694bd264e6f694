package io.manafold.api.rdma;

import io.manafold.api.net.MacAddress;
import java.util.Objects;

/**
 * The way to a peer.
 *
 * @param gidIndex the place of the own address in {@link RdmaDevice#gids}
 * @param destination the peer's address
 * @param mac where the peer is on the link; {@code null} if its address tells, as one does that was made of a MAC
 *     address
 * @param trafficClass eight bits, of which the upper six travel
 * @param flowLabel 20 bits
 * @param hopLimit 1 to 255
 */
public record Path(int gidIndex, Gid destination, MacAddress mac, int trafficClass, int flowLabel, int hopLimit) {
    private static final int HOPS = 64;

    public Path {
        Objects.requireNonNull(destination);
    }

    /** To a peer whose address tells where it is. */
    public static Path to(int gidIndex, Gid destination) {
        return new Path(gidIndex, destination, null, 0, 0, HOPS);
    }

    /** The same to a peer that is there on the link. */
    public Path at(MacAddress there) {
        return new Path(gidIndex, destination, there, trafficClass, flowLabel, hopLimit);
    }
}
