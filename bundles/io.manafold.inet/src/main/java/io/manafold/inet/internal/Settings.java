package io.manafold.inet.internal;

import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.HostAddress.Origin;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Route;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The addresses and routes of a host: what its lab lists, less what an administrator has removed, and what an
 * administrator has added. Any thread may call.
 */
final class Settings {
    private static final int MOST = 64;
    private static final String ADDRESSES = "addresses";
    private static final String REMOVED = "removed";
    private static final String ROUTES = "routes";

    private final String device;
    private final Runnable keep;
    private final Set<IpPrefix> lab = new LinkedHashSet<>();
    private final Set<IpPrefix> added = new LinkedHashSet<>();
    private final Set<IpPrefix> removed = new LinkedHashSet<>();
    private final List<Route> routes = new ArrayList<>();
    private IpPrefix linkLocal;
    private volatile Addressing addressing = Addressing.NONE;

    Settings(String device, Runnable keep) {
        this.device = device;
        this.keep = keep;
    }

    Addressing addressing() {
        return addressing;
    }

    /** The device's MAC address, from which its link-local address follows. */
    synchronized void mac(long mac) {
        linkLocal = mac == 0 ? null : new IpPrefix(IpAddress.ipv6(0xfe80L << 48,
                (mac >>> 24 ^ 0x02_0000) << 40 | 0xff_fe00_0000L | mac & 0xff_ffff), 64);
        renew();
    }

    /** What its lab lists. */
    synchronized void lab(List<IpPrefix> addresses) {
        if (List.copyOf(lab).equals(addresses)) {
            return;
        }
        lab.clear();
        lab.addAll(addresses);
        renew();
    }

    /** Whether anything was set. */
    synchronized boolean isEmpty() {
        return lab.isEmpty() && added.isEmpty() && routes.isEmpty();
    }

    private void renew() {
        List<HostAddress> all = new ArrayList<>();
        lab.stream().filter(prefix -> !removed.contains(prefix) && !added.contains(prefix))
                .forEach(prefix -> all.add(new HostAddress(prefix, Origin.LAB)));
        added.forEach(prefix -> all.add(new HostAddress(prefix, Origin.ADMINISTRATOR)));
        if (linkLocal != null && !removed.contains(linkLocal) && !added.contains(linkLocal)) {
            all.add(new HostAddress(linkLocal, Origin.LINK));
        }
        addressing = Addressing.of(all, routes);
    }

    void addAddress(IpPrefix prefix) {
        IpAddress address = prefix.address();
        boolean impossible = address.isMulticast() || address.isUnspecified() || address.isLoopback()
                || address.isIpv4() && (address.low() >>> 24 == 0 || address.low() >>> 28 == 0xf);
        if (impossible) {
            throw new Refusal(Errno.EADDRNOTAVAIL, address + " cannot be an address of " + device
                    + ": it is not one that a single host has.");
        }
        synchronized (this) {
            if (addressing.isOwn(address.version(), address.high(), address.low())) {
                throw new Refusal(Errno.EEXIST, device + " has the address " + address + " already.");
            }
            if (added.size() >= MOST) {
                throw new Refusal(Errno.ENOBUFS, device + " has " + MOST + " added addresses already; remove one.");
            }
            removed.remove(prefix);
            if (!lab.contains(prefix) && !prefix.equals(linkLocal)) {
                added.add(prefix);
            }
            renew();
        }
        keep.run();
    }

    void removeAddress(IpPrefix prefix) {
        synchronized (this) {
            if (addressing.addresses().stream().noneMatch(own -> own.prefix().equals(prefix))) {
                throw new Refusal(Errno.EADDRNOTAVAIL, device + " has no address " + prefix + "; 'ip addr show dev "
                        + device + "' lists those it has.");
            }
            added.remove(prefix);
            if (lab.contains(prefix) || prefix.equals(linkLocal)) {
                removed.add(prefix);
            }
            renew();
            // a route whose gateway or source went with the address leads nowhere
            if (routes.removeIf(route -> !isReachable(route))) {
                renew();
            }
        }
        keep.run();
    }

    private boolean isReachable(Route route) {
        IpAddress source = route.source();
        return (source == null || addressing.isOwn(source.version(), source.high(), source.low()))
                && (route.gateway() == null || isOnLink(route.gateway()));
    }

    private boolean isOnLink(IpAddress gateway) {
        return addressing.addresses().stream().anyMatch(own -> own.prefix().contains(gateway)
                && !own.prefix().address().equals(gateway));
    }

    void addRoute(Route route) {
        String where = "The route of " + device + " to " + route.destination() + " ";
        if (!route.destination().network().equals(route.destination())) {
            throw new Refusal(Errno.EINVAL, where + "has bits set behind its prefix; the network is "
                    + route.destination().network() + ".");
        }
        int version = route.destination().address().version();
        if (route.gateway() != null && route.gateway().version() != version
                || route.source() != null && route.source().version() != version || route.metric() < 0) {
            throw new Refusal(Errno.EINVAL, where + "mixes versions of IP, or has a metric below 0.");
        }
        synchronized (this) {
            if (addressing.routes().stream().anyMatch(other -> isSame(other, route))) {
                throw new Refusal(Errno.EEXIST, where + "is there already; remove that one, or choose another metric.");
            }
            if (route.source() != null && !addressing.isOwn(version, route.source().high(), route.source().low())) {
                throw new Refusal(Errno.EINVAL, where + "has a source, " + route.source()
                        + ", which is no address of the device.");
            }
            if (route.gateway() != null && !isOnLink(route.gateway())) {
                throw new Refusal(version == 4 ? Errno.ENETUNREACH : Errno.EHOSTUNREACH, where + "has a gateway, "
                        + route.gateway() + ", on no network of an address; 'ip addr add' one of its network first.");
            }
            if (routes.size() >= MOST) {
                throw new Refusal(Errno.ENOBUFS, device + " has " + MOST + " routes already; remove one.");
            }
            routes.add(route);
            renew();
        }
        keep.run();
    }

    private static boolean isSame(Route one, Route other) {
        return one.destination().equals(other.destination()) && one.metric() == other.metric();
    }

    void removeRoute(Route route) {
        synchronized (this) {
            // one, as the kernel does it: the best of those that it may be; without a metric it is the very same
            Optional<Route> gone = routes.stream().filter(other -> other.destination().equals(route.destination())
                    && (route.gateway() == null || route.gateway().equals(other.gateway()))
                    && (route.metric() == 0 || route.metric() == other.metric())).min(Comparator
                            .comparingInt(Route::metric));
            if (gone.isEmpty()) {
                throw new Refusal(Errno.ESRCH, device + " has no added route to " + route.destination()
                        + "; 'ip route show dev " + device + "' lists those there are, and those of the kernel's"
                        + " go with their address.");
            }
            routes.remove(gone.get());
            renew();
        }
        keep.run();
    }

    /** What an administrator has set, in words without spaces. */
    synchronized Map<String, String> save() {
        Map<String, String> words = new TreeMap<>();
        put(words, ADDRESSES, added.stream().map(IpPrefix::toString));
        put(words, REMOVED, removed.stream().map(IpPrefix::toString));
        put(words, ROUTES, routes.stream().map(route -> String.join("|", route.destination().toString(),
                route.gateway() == null ? "" : route.gateway().toString(),
                route.source() == null ? "" : route.source().toString(), Integer.toString(route.metric()),
                route.origin().name())));
        return words;
    }

    private static void put(Map<String, String> words, String key, Stream<String> values) {
        String joined = values.collect(Collectors.joining(","));
        if (!joined.isEmpty()) {
            words.put(key, joined);
        }
    }

    /** Forgets what an administrator has set. */
    synchronized void forget() {
        added.clear();
        removed.clear();
        routes.clear();
        renew();
    }

    /** Puts back what was saved; what cannot be read any more is left out. */
    synchronized void restore(Map<String, String> words) {
        added.addAll(prefixes(words.get(ADDRESSES)));
        removed.addAll(prefixes(words.get(REMOVED)));
        for (String word : split(words.get(ROUTES))) {
            String[] parts = word.split("\\|", -1);
            try {
                Route route = new Route(IpPrefix.parse(parts[0]), parts[1].isEmpty() ? null
                        : IpAddress.parse(parts[1]), parts[2].isEmpty() ? null : IpAddress.parse(parts[2]),
                        Integer.parseInt(parts[3]), Route.Origin.valueOf(parts[4]));
                if (routes.stream().noneMatch(other -> isSame(other, route))) {
                    routes.add(route);
                }
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException unreadable) {
                continue;
            }
        }
        renew();
    }

    private static List<IpPrefix> prefixes(String words) {
        List<IpPrefix> read = new ArrayList<>();
        for (String word : split(words)) {
            try {
                read.add(IpPrefix.parse(word));
            } catch (IllegalArgumentException unreadable) {
                continue;
            }
        }
        return read;
    }

    private static List<String> split(String words) {
        return words == null || words.isEmpty() ? List.of() : List.of(words.split(","));
    }
}
