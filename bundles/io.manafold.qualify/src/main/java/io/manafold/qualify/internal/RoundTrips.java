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
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Echo requests from the host of one device to that of another. */
final class RoundTrips {
    private static final long INTERVAL_NANOS = 1_000_000;
    private static final long TIMEOUT_NANOS = 1_000_000_000;
    private static final int PAYLOAD = 56;
    private static final int HOPS = 64;
    private static final double NANOS = 1e9;

    private final Host from;
    private final IpAddress target;

    /** @throws Refusal if a host is missing, or has no address that the other has a route to */
    RoundTrips(Hosts hosts, String from, String to) {
        this.from = host(hosts, from);
        List<IpAddress> addresses = host(hosts, to).addresses().stream().map(HostAddress::prefix)
                .map(prefix -> prefix.address()).sorted(Comparator.comparing(one -> !one.isIpv4())).toList();
        target = addresses.stream().filter(one -> this.from.routes().stream()
                .anyMatch(route -> route.destination().contains(one))).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENETUNREACH, "The host of " + from + " has no route to an address "
                        + "of " + to + "; 'ip addr add ADDRESS/LENGTH dev DEV' gives them some."));
    }

    private static Host host(Hosts hosts, String device) {
        if (hosts == null) {
            throw new Refusal(Errno.EOPNOTSUPP, "There are no hosts above network devices: the bundle "
                    + "io.manafold.inet is missing or stopped.");
        }
        return hosts.find(device).orElseThrow(() -> new Refusal(Errno.ENODEV, "No host is above " + device + "."));
    }

    /** How echo requests fared: times in seconds, sorted. */
    record Times(double[] sorted, long sent) {
        /** The time that so much of the answers were not above, from 0 to 1. */
        double percentile(double share) {
            int rank = (int) Math.ceil(share * sorted.length);
            return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
        }

        double lostPercent() {
            return sent == 0 ? 0 : 100.0 * (sent - sorted.length) / sent;
        }
    }

    Times ask(int count) throws InterruptedException {
        double[] times = new double[count];
        int answered = 0;
        long sent;
        try (Ping ping = from.ping(new PingPlan(target, null, count, INTERVAL_NANOS, TIMEOUT_NANOS, PAYLOAD, HOPS))) {
            for (PingEvent event = ping.next(); event != null; event = ping.next()) {
                if (event.kind() == PingEvent.Kind.REPLY && answered < count) {
                    times[answered++] = event.nanos() / NANOS;
                }
            }
            sent = ping.summary().transmitted();
        }
        if (answered == 0) {
            throw new Refusal(Errno.ETIMEDOUT, target + " has answered none of " + sent + " echo requests.");
        }
        double[] sorted = Arrays.copyOf(times, answered);
        Arrays.sort(sorted);
        return new Times(sorted, sent);
    }
}
