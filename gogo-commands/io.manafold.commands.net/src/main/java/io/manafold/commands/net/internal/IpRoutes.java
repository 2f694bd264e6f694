package io.manafold.commands.net.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Route;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@code ip route}. */
final class IpRoutes implements IpObject {
    private static final String DEFAULT = "default";

    private final Network network;

    IpRoutes(Network network) {
        this.network = network;
    }

    @Override
    public List<String> names() {
        return List.of("route");
    }

    @Override
    public List<String> verbs() {
        return List.of("list", "show", "lst", "add", "replace", "delete");
    }

    @Override
    public List<String> keywords() {
        return List.of(DEFAULT, "via", "dev", "src", "metric", "proto");
    }

    @Override
    public void run(Call call, IpOptions options, String verb, IpWords words) {
        if (verb.equals("show")) {
            show(call, options, words);
            return;
        }
        RouteRequest asked = read(options, verb, words);
        Host host = asked.device == null ? gatewaysHost(asked) : network.host(asked.device);
        switch (verb) {
            case "add" -> host.addRoute(asked.route());
            case "replace" -> replace(host, asked);
            default -> host.removeRoute(find(host, asked, true).orElseThrow(() -> new Refusal(Errno.ESRCH,
                    host.device() + " has no such route; 'ip route' shows what it has.")));
        }
    }

    /** A route that is refused takes the place of none. */
    private static void replace(Host host, RouteRequest asked) {
        Changes changes = new Changes();
        Optional<Route> last = find(host, asked, false);
        last.ifPresent(route -> changes.make(() -> host.removeRoute(route)));
        try {
            changes.make(() -> host.addRoute(asked.route()));
        } catch (Refusal refused) {
            last.ifPresent(route -> changes.make(() -> host.addRoute(route)));
            throw refused;
        }
        changes.end();
    }

    /** What the words ask for. */
    private static final class RouteRequest {
        private IpPrefix destination;
        private IpAddress gateway;
        private IpAddress source;
        private int metric;
        private String device;
        private Route.Origin origin = Route.Origin.BOOT;

        Route route() {
            return new Route(destination, gateway, source, metric, origin);
        }
    }

    private static RouteRequest read(IpOptions options, String verb, IpWords words) {
        RouteRequest asked = new RouteRequest();
        String destination = null;
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "via" -> asked.gateway = Words.address(words.valueOf(word));
                case "dev" -> asked.device = words.valueOf(word);
                case "src" -> asked.source = Words.address(words.valueOf(word));
                case "metric", "preference", "priority" -> asked.metric = words.number(word);
                case "proto", "protocol" -> asked.origin = origin(words.valueOf(word));
                case "scope" -> words.valueOf(word);
                default -> {
                    if (destination != null) {
                        throw IpWords.unexpected("ip route " + verb, word);
                    }
                    destination = word.equals("to") ? words.valueOf(word) : word;
                }
            }
        }
        if (destination == null) {
            throw new UsageError("ip route " + verb + " needs to know where to: a network, as in 192.0.2.0/24, or "
                    + DEFAULT + ".");
        }
        boolean six = options.family() == 6 || asked.gateway != null && !asked.gateway.isIpv4();
        asked.destination = !destination.equals(DEFAULT) ? Words.prefix(destination)
                : new IpPrefix(six ? IpAddress.ANY6 : IpAddress.ANY4, 0);
        return asked;
    }

    private static Route.Origin origin(String word) {
        return switch (word) {
            case "boot" -> Route.Origin.BOOT;
            case "static" -> Route.Origin.STATIC;
            case "kernel" -> Route.Origin.KERNEL;
            default -> throw UsageError.unknown("protocol of routes", word, List.of("boot", "static"));
        };
    }

    /** The only host that has the gateway on one of its networks. */
    private Host gatewaysHost(RouteRequest asked) {
        List<Host> near = network.hosts().stream().filter(host -> asked.gateway != null && host.addresses().stream()
                .map(HostAddress::prefix).anyMatch(prefix -> prefix.contains(asked.gateway))).toList();
        if (near.size() == 1) {
            return near.getFirst();
        }
        throw new UsageError(asked.gateway == null ? "A route without a gateway needs a device: dev DEV."
                : (near.isEmpty() ? "No device has " : "More than one device has ") + asked.gateway
                        + " on one of its networks; say which one is meant: dev DEV.");
    }

    /** The route of a host that the words mean; what they leave open fits anything, if it is to go. */
    private static Optional<Route> find(Host host, RouteRequest asked, boolean anyMetric) {
        return host.routes().stream().filter(route -> route.destination().equals(asked.destination)
                && (asked.metric == route.metric() || asked.metric == 0 && anyMetric)
                && (!anyMetric || asked.gateway == null || asked.gateway.equals(route.gateway()))).findFirst();
    }

    private void show(Call call, IpOptions options, IpWords words) {
        List<Host> chosen = words.isEmpty() ? network.hosts() : List.of(network.host(words.device()));
        words.end("ip route show");
        int version = options.family() == 6 ? 6 : 4;
        List<Fields> objects = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (Host host : chosen) {
            host.routes().stream().filter(route -> route.destination().address().version() == version)
                    .sorted(Comparator.comparing(route -> !route.isDefault())).forEach(route -> {
                        lines.add(line(host, route));
                        objects.add(fields(host, route));
                    });
        }
        if (call.json()) {
            call.print(objects);
        } else {
            lines.forEach(call.out()::println);
        }
    }

    private static String destination(Route route) {
        IpPrefix to = route.destination();
        return route.isDefault() ? DEFAULT
                : to.length() == to.address().bits() ? to.address().toString() : to.toString();
    }

    /** IPv6 routes have no scope. */
    private static boolean hasScope(Route route) {
        return route.gateway() == null && route.destination().address().isIpv4();
    }

    static String line(Host host, Route route) {
        return destination(route) + (route.gateway() == null ? "" : " via " + route.gateway()) + " dev "
                + host.device() + (route.origin() == Route.Origin.BOOT ? "" : " proto " + route.origin().word())
                + (hasScope(route) ? " scope " + route.scope() : "")
                + (route.source() == null ? "" : " src " + route.source())
                + (route.metric() == 0 ? "" : " metric " + route.metric());
    }

    static Fields fields(Host host, Route route) {
        Fields fields = Fields.of("dst", destination(route));
        if (route.gateway() != null) {
            fields.and("gateway", route.gateway());
        }
        fields.and("dev", host.device());
        if (route.origin() != Route.Origin.BOOT) {
            fields.and("protocol", route.origin().word());
        }
        if (hasScope(route)) {
            fields.and("scope", route.scope());
        }
        if (route.source() != null) {
            fields.and("prefsrc", route.source());
        }
        if (route.metric() != 0) {
            fields.and("metric", route.metric());
        }
        return fields.and("flags", List.of());
    }
}
