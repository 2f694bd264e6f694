package io.manafold.inet.internal;

import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The addresses of a host and what follows from them, as it is between two changes. Asking allocates nothing.
 *
 * @param routes the longest prefix first, then the smallest metric
 */
record Addressing(List<HostAddress> addresses, List<Route> routes) {
    static final Addressing NONE = new Addressing(List.of(), List.of());

    /** The metric of IPv6 networks that come with an address. */
    private static final int NETWORK_METRIC6 = 256;
    private static final long ALL_NODES_HIGH = 0xff02_0000_0000_0000L;
    private static final long SOLICITED_NODE_LOW = 0x0000_0001_ff00_0000L;

    /** @param added what an administrator has added */
    static Addressing of(List<HostAddress> addresses, List<Route> added) {
        List<Route> routes = new ArrayList<>();
        for (HostAddress own : addresses) {
            IpPrefix prefix = own.prefix();
            if (prefix.length() < prefix.address().bits() && !prefix.address().isLoopback()) {
                Route route = new Route(prefix.network(), null, prefix.address(),
                        prefix.address().isIpv4() ? 0 : NETWORK_METRIC6, Route.Origin.KERNEL);
                boolean doubled = !prefix.address().isIpv4()
                        && routes.stream().anyMatch(other -> other.destination().equals(route.destination()));
                if (!doubled) {
                    routes.add(route);
                }
            }
        }
        routes.addAll(added);
        routes.sort(Comparator.comparingInt((Route route) -> -route.destination().length())
                .thenComparingInt(Route::metric));
        return new Addressing(List.copyOf(addresses), List.copyOf(routes));
    }

    boolean isOwn(int version, long high, long low) {
        for (int i = 0; i < addresses.size(); i++) {
            IpAddress own = addresses.get(i).prefix().address();
            if (own.low() == low && own.high() == high && own.version() == version) {
                return true;
            }
        }
        return false;
    }

    /** Whether all hosts of one of the networks are meant. */
    boolean isBroadcast(long low) {
        if (low == 0xffff_ffffL) {
            return true;
        }
        for (int i = 0; i < addresses.size(); i++) {
            IpPrefix prefix = addresses.get(i).prefix();
            if (prefix.address().isIpv4() && prefix.length() < 31) {
                long hosts = 0xffff_ffffL >>> prefix.length();
                if (low == (prefix.address().low() | hosts)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether a group of IPv6 is one that this host belongs to: all nodes, or those that share the end of an address.
     */
    boolean isMember(long high, long low) {
        if (high != ALL_NODES_HIGH) {
            return false;
        }
        if (low == 1) {
            return true;
        }
        if ((low & ~0xff_ffffL) != SOLICITED_NODE_LOW) {
            return false;
        }
        for (int i = 0; i < addresses.size(); i++) {
            IpAddress own = addresses.get(i).prefix().address();
            if (!own.isIpv4() && (own.low() & 0xff_ffffL) == (low & 0xff_ffffL)) {
                return true;
            }
        }
        return false;
    }

    /** The group that is asked for an address of IPv6: its upper half is that of all nodes. */
    static long solicitedNode(long low) {
        return SOLICITED_NODE_LOW | low & 0xff_ffffL;
    }

    static long groupHigh() {
        return ALL_NODES_HIGH;
    }

    /** Whether an address is on the link, by one of the networks. */
    boolean isOnLink(int version, long high, long low) {
        Route route = route(version, high, low);
        return route != null && route.gateway() == null && route.destination().length() > 0;
    }

    /** Where to send what is for an address; {@code null} if nowhere. */
    Route route(int version, long high, long low) {
        for (int i = 0; i < routes.size(); i++) {
            Route route = routes.get(i);
            if (contains(route.destination(), version, high, low)) {
                return route;
            }
        }
        return null;
    }

    private static boolean contains(IpPrefix network, int version, long high, long low) {
        IpAddress first = network.address();
        if (first.version() != version) {
            return false;
        }
        int length = network.length();
        if (version == 4) {
            return length == 0 || (first.low() ^ low) >>> 32 - length == 0;
        }
        if (length == 0) {
            return true;
        }
        if (length <= 64) {
            return (first.high() ^ high) >>> 64 - length == 0;
        }
        return first.high() == high && (first.low() ^ low) >>> 128 - length == 0;
    }

    /** The address to send from by that route; {@code null} if there is none of the family. */
    IpAddress source(Route route, IpAddress to) {
        if (route != null && route.source() != null) {
            return route.source();
        }
        IpAddress near = route != null && route.gateway() != null ? route.gateway() : to;
        IpAddress any = null;
        IpAddress linkLocal = null;
        for (HostAddress own : addresses) {
            IpAddress address = own.prefix().address();
            if (address.version() != to.version() || address.isLoopback()) {
                continue;
            }
            if (!near.isLinkLocal() && own.prefix().contains(near)) {
                return address;
            }
            if (address.isLinkLocal()) {
                linkLocal = linkLocal == null ? address : linkLocal;
            } else {
                any = any == null ? address : any;
            }
        }
        if (to.isLinkLocal() || to.isMulticast() && to.version() == 6) {
            return linkLocal != null ? linkLocal : any;
        }
        return any != null ? any : linkLocal;
    }
}
