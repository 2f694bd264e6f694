package io.manafold.qualify.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.Hosts;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Comparator;
import java.util.List;

/** Round trips from the host of one device to that of another, or to a guest. */
final class RoundTrips {
    /** The service in words. */
    static final String HOSTS = "host above network devices";
    private static final long INTERVAL_NANOS = 1_000_000;
    private static final long TIMEOUT_NANOS = 1_000_000_000;
    private static final int PAYLOAD = 56;
    private static final int HOPS = 64;

    /** The port at which a guest may answer each datagram with itself. */
    private static final int ECHO = 7;

    private final Host from;
    /** Not there for a host that is not ours. */
    private final Host to;
    private final IpAddress target;

    /** @throws Refusal if a host is missing, or has no address that the other has a route to */
    RoundTrips(Hosts hosts, String from, String to) {
        this.from = host(hosts, from);
        this.to = host(hosts, to);
        List<IpAddress> addresses = this.to.addresses().stream().map(HostAddress::prefix)
                .map(prefix -> prefix.address()).sorted(Comparator.comparing(one -> !one.isIpv4())).toList();
        target = addresses.stream().filter(one -> this.from.routes().stream()
                .anyMatch(route -> route.destination().contains(one))).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENETUNREACH, "The host of " + from + " has no route to an address "
                        + "of " + to + "; 'ip addr add ADDRESS/LENGTH dev DEV' gives them some."));
    }

    RoundTrips(Host from, IpAddress target) {
        this.from = from;
        this.target = target;
        to = null;
    }

    private static Host host(Hosts hosts, String device) {
        return MissingService.required(hosts, HOSTS, "io.manafold.inet").find(device)
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "No host is above " + device + "."));
    }

    /** By echo requests. */
    Times ask(int count) throws InterruptedException {
        long[] nanos = new long[count];
        int answered = 0;
        try (Ping ping = from.ping(new PingPlan(target, null, count, INTERVAL_NANOS, TIMEOUT_NANOS, PAYLOAD, HOPS))) {
            for (PingEvent event = ping.next(); event != null; event = ping.next()) {
                if (event.kind() == PingEvent.Kind.REPLY && answered < count) {
                    nanos[answered++] = Math.max(1, event.nanos());
                }
            }
            return Times.of(nanos, ping.summary().transmitted(), "echo requests to " + target);
        }
    }

    /** By datagrams that come back. */
    Times askByDatagrams(int count) throws InterruptedException {
        return to == null ? DatagramTrips.ask(from, target, ECHO, count)
                : DatagramTrips.ask(from, to, target, count);
    }
}
