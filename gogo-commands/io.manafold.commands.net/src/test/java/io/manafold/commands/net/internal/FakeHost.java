package io.manafold.commands.net.internal;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.DatagramReceiver;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Lease;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import io.manafold.api.inet.Route;
import io.manafold.api.inet.TapStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A host that remembers what it is told, and answers as told. */
final class FakeHost implements Host {
    final List<HostAddress> addresses = new ArrayList<>();
    final List<Neighbour> neighbours = new ArrayList<>();
    final List<Route> routes = new ArrayList<>();
    final List<PingEvent> events = new ArrayList<>();
    PingSummary summary = new PingSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    /** Whether a ping goes on until it is interrupted. */
    boolean endless;
    /** Whether what is set and removed cannot be kept. */
    boolean full;
    /** Is called when neighbours have been listed. */
    Runnable listed = () -> { };
    PingPlan asked;
    boolean closed;
    private final String device;

    FakeHost(String device, String... prefixes) {
        this.device = device;
        for (String prefix : prefixes) {
            addAddress(IpPrefix.parse(prefix));
        }
    }

    private void keep() {
        if (full) {
            throw new NotKept("the disk is full", null);
        }
    }

    @Override
    public String device() {
        return device;
    }

    @Override
    public Optional<NetDevice> netDevice() {
        return Optional.empty();
    }

    @Override
    public Mode mode() {
        return Mode.BUILT_IN;
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public List<HostAddress> addresses() {
        return List.copyOf(addresses);
    }

    @Override
    public void addAddress(IpPrefix prefix) {
        if (addresses.stream().anyMatch(one -> one.prefix().equals(prefix))) {
            throw new Refusal(Errno.EEXIST, device + " has " + prefix + " already.");
        }
        boolean link = prefix.address().isLinkLocal();
        addresses.add(new HostAddress(prefix, link ? HostAddress.Origin.LINK : HostAddress.Origin.LAB));
        routes.add(new Route(prefix.network(), null, prefix.address(), 0, Route.Origin.KERNEL));
        keep();
    }

    @Override
    public void removeAddress(IpPrefix prefix) {
        if (!addresses.removeIf(one -> one.prefix().equals(prefix))) {
            throw new Refusal(Errno.EADDRNOTAVAIL, device + " has no " + prefix + ".");
        }
        keep();
    }

    @Override
    public List<Neighbour> neighbours() {
        List<Neighbour> copy = List.copyOf(neighbours);
        listed.run();
        return copy;
    }

    @Override
    public void setNeighbour(IpAddress address, MacAddress mac) {
        neighbours.removeIf(one -> one.address().equals(address));
        neighbours.add(new Neighbour(address, mac, Neighbour.State.PERMANENT, false, 0, 0, 0, 0));
    }

    @Override
    public void removeNeighbour(IpAddress address) {
        if (!neighbours.removeIf(one -> one.address().equals(address))) {
            throw new Refusal(Errno.ENOENT, device + " does not know " + address + ".");
        }
    }

    @Override
    public IpAddress source(IpAddress target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<MacAddress> resolve(IpAddress target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void addRoute(Route route) {
        if (route.gateway() != null && addresses.stream().noneMatch(own -> own.prefix().contains(route.gateway()))) {
            throw new Refusal(Errno.ENETUNREACH, "The route has a gateway on no network of an address.");
        }
        routes.add(route);
        keep();
    }

    @Override
    public void removeRoute(Route route) {
        routes.remove(route);
        keep();
    }

    @Override
    public Ping ping(PingPlan plan) {
        asked = plan;
        List<PingEvent> left = new ArrayList<>(events);
        return new Ping() {
            @Override
            public IpAddress source() {
                return addresses.getFirst().prefix().address();
            }

            @Override
            public PingEvent next() throws InterruptedException {
                if (left.isEmpty() && endless) {
                    throw new InterruptedException();
                }
                return left.isEmpty() ? null : left.removeFirst();
            }

            @Override
            public PingSummary summary() {
                return summary;
            }

            @Override
            public void close() {
                closed = true;
            }
        };
    }

    @Override
    public DatagramPort bind(IpAddress local, int port, DatagramReceiver receiver) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Lease> leases() {
        return List.of();
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    public Optional<TapStatus> tap() {
        return Optional.empty();
    }

    @Override
    public void setTap(String name) {
        throw new UnsupportedOperationException();
    }
}
