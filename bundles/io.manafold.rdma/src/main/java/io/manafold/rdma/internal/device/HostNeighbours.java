package io.manafold.rdma.internal.device;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.Hosts;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The networks that the host above a port's network device is in. */
final class HostNeighbours implements Neighbours {
    private final Supplier<Hosts> hosts;
    private final String device;

    /** @param hosts gives {@code null} while there are none */
    HostNeighbours(Supplier<Hosts> hosts, String device) {
        this.hosts = hosts;
        this.device = device;
    }

    private Optional<Host> host() {
        return Optional.ofNullable(hosts.get()).flatMap(all -> all.find(device));
    }

    @Override
    public boolean isTaken() {
        return host().map(Host::tap).flatMap(tap -> tap).isPresent();
    }

    @Override
    public List<Gid> addresses() {
        return host().map(Host::addresses).orElse(List.of()).stream().map(HostAddress::prefix)
                .map(prefix -> prefix.address()).filter(address -> !address.isLoopback()).map(HostNeighbours::gid)
                .toList();
    }

    @Override
    public Gid source(Gid own, Gid destination) {
        requireFree();
        Optional<Host> host = host();
        if (host.isEmpty() || destination.isFromMac()) {
            return NONE.source(own, destination);
        }
        return gid(host.get().source(address(destination)));
    }

    @Override
    public Optional<MacAddress> find(Gid destination) {
        Optional<Host> host = host();
        if (host.isEmpty() || destination.isFromMac()) {
            return NONE.find(destination);
        }
        return host.get().resolve(address(destination));
    }

    private void requireFree() {
        if (isTaken()) {
            throw new Refusal(Errno.EBUSY, "The kernel is behind " + device
                    + " by a tap, with its addresses and neighbours; connect through another port, or take the tap "
                    + "away.");
        }
    }

    private static Gid gid(IpAddress address) {
        return address.isIpv4() ? Gid.ofIpv4((int) address.low()) : new Gid(address.high(), address.low());
    }

    private static IpAddress address(Gid gid) {
        return gid.isIpv4() ? IpAddress.ipv4((int) gid.low()) : IpAddress.ipv6(gid.high(), gid.low());
    }
}
