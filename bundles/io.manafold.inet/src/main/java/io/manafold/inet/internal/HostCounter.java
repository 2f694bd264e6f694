package io.manafold.inet.internal;

/** Counters of a host; their names are those of the kernel's counters where it has such a one. */
enum HostCounter {
    IP_RECEIVED("IpInReceives"),
    IP_BROKEN("IpInHdrErrors"),
    IP_NOT_OURS("IpInAddrErrors"),
    IP_UNKNOWN("IpInUnknownProtos"),
    IP_DISCARDED("IpInDiscards"),
    IP_DELIVERED("IpInDelivers"),
    IP_SENT("IpOutRequests"),
    IP_NOT_SENT("IpOutDiscards"),
    IP_NO_ROUTE("IpOutNoRoutes"),
    IP_FRAGMENTS("IpReasmFails"),
    IP6_RECEIVED("Ip6InReceives"),
    IP6_BROKEN("Ip6InHdrErrors"),
    IP6_NOT_OURS("Ip6InAddrErrors"),
    IP6_UNKNOWN("Ip6InUnknownProtos"),
    IP6_DISCARDED("Ip6InDiscards"),
    IP6_DELIVERED("Ip6InDelivers"),
    IP6_SENT("Ip6OutRequests"),
    IP6_NOT_SENT("Ip6OutDiscards"),
    IP6_NO_ROUTE("Ip6OutNoRoutes"),
    IP6_FRAGMENTS("Ip6ReasmFails"),
    ICMP_RECEIVED("IcmpInMsgs"),
    ICMP_BROKEN("IcmpInErrors"),
    ICMP_BAD_CHECKSUM("IcmpInCsumErrors"),
    ICMP_UNREACHABLE_IN("IcmpInDestUnreachs"),
    ICMP_ECHO_IN("IcmpInEchos"),
    ICMP_ECHO_REPLY_IN("IcmpInEchoReps"),
    ICMP_ECHO_OUT("IcmpOutEchos"),
    ICMP_ECHO_REPLY_OUT("IcmpOutEchoReps"),
    ICMP_UNREACHABLE_OUT("IcmpOutDestUnreachs"),
    ICMP_SPARED("IcmpOutRateLimitGlobal"),
    ICMP6_RECEIVED("Icmp6InMsgs"),
    ICMP6_BROKEN("Icmp6InErrors"),
    ICMP6_BAD_CHECKSUM("Icmp6InCsumErrors"),
    ICMP6_UNREACHABLE_IN("Icmp6InDestUnreachs"),
    ICMP6_ECHO_IN("Icmp6InEchos"),
    ICMP6_ECHO_REPLY_IN("Icmp6InEchoReplies"),
    ICMP6_ECHO_OUT("Icmp6OutEchos"),
    ICMP6_ECHO_REPLY_OUT("Icmp6OutEchoReplies"),
    ICMP6_UNREACHABLE_OUT("Icmp6OutDestUnreachs"),
    ICMP6_SOLICITATIONS_IN("Icmp6InNeighborSolicits"),
    ICMP6_SOLICITATIONS_OUT("Icmp6OutNeighborSolicits"),
    ICMP6_ADVERTISEMENTS_IN("Icmp6InNeighborAdvertisements"),
    ICMP6_ADVERTISEMENTS_OUT("Icmp6OutNeighborAdvertisements"),
    UDP_RECEIVED("UdpInDatagrams"),
    UDP_NO_PORT("UdpNoPorts"),
    UDP_BROKEN("UdpInErrors"),
    UDP_BAD_CHECKSUM("UdpInCsumErrors"),
    UDP_SENT("UdpOutDatagrams"),
    UDP_NOT_SENT("UdpSndbufErrors"),
    UDP6_RECEIVED("Udp6InDatagrams"),
    UDP6_NO_PORT("Udp6NoPorts"),
    UDP6_BROKEN("Udp6InErrors"),
    UDP6_BAD_CHECKSUM("Udp6InCsumErrors"),
    UDP6_SENT("Udp6OutDatagrams"),
    UDP6_NOT_SENT("Udp6SndbufErrors"),
    ARP_REQUESTS_IN("ArpInRequests"),
    ARP_REPLIES_IN("ArpInReplies"),
    ARP_REQUESTS_OUT("ArpOutRequests"),
    ARP_REPLIES_OUT("ArpOutReplies"),
    ARP_BROKEN("ArpInErrors"),
    NEIGHBOUR_IGNORED("NeighUnasked"),
    NEIGHBOUR_FULL("NeighTableFull"),
    NEIGHBOUR_FAILED("NeighResolveFailed"),
    ADDRESS_CONFLICTS("AddrConflicts"),
    FRAMES_FOR_OTHERS("FrameOtherHost"),
    FRAMES_UNKNOWN("FrameUnknownProto"),
    FRAMES_BROKEN("FrameErrors");

    private final String label;

    HostCounter(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** The same for the other version of IP. */
    HostCounter six() {
        return SIX[ordinal()];
    }

    private static final HostCounter[] SIX = new HostCounter[values().length];

    static {
        for (HostCounter counter : values()) {
            String name = counter.name();
            int end = name.indexOf('_');
            String other = name.substring(0, Math.max(end, 0)) + "6" + name.substring(Math.max(end, 0));
            SIX[counter.ordinal()] = counter;
            for (HostCounter candidate : values()) {
                if (candidate.name().equals(other)) {
                    SIX[counter.ordinal()] = candidate;
                }
            }
        }
    }
}
