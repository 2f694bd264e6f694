package io.manafold.api.inet;

import java.util.Optional;

/**
 * An address of a host.
 *
 * @param origin who brought it
 */
public record HostAddress(IpPrefix prefix, Origin origin) {
    /** Who brings addresses. */
    public enum Origin {
        /** The host itself: link-local, from the MAC address. */
        LINK,
        /** A lab. */
        LAB,
        /** An administrator. */
        ADMINISTRATOR
    }

    /** How far it is good, as {@code ip} calls it: {@code global}, {@code link}, {@code host}. */
    public String scope() {
        IpAddress address = prefix.address();
        return address.isLoopback() ? "host" : address.isLinkLocal() ? "link" : "global";
    }

    /** The address for all hosts of its network, for IPv4 networks of more than two. */
    public Optional<IpAddress> broadcast() {
        return prefix.address().isIpv4() && prefix.length() < 31 ? Optional.of(prefix.last()) : Optional.empty();
    }
}
