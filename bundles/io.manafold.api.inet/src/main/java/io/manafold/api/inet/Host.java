package io.manafold.api.inet;

import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The host side of one network device, by the device's name. It keeps its addresses, neighbours and counters while the
 * device is away and goes on with the next device of the name. Any thread may call.
 */
@ProviderType
public interface Host {
    /** The device's name. */
    String device();

    /** The device, if it is there. */
    Optional<NetDevice> netDevice();

    /** Who answers behind the device: this host, the kernel through a tap, or neither. */
    Mode mode();

    /** Who answers behind a device. */
    enum Mode {
        /** The host's own protocols. */
        BUILT_IN,
        /** The kernel, see {@link Host#tap}. */
        TAP,
        /** Neither: the device is away. */
        AWAY,
        /** Neither: another user is above the device, see {@link Host#problem}. */
        TAKEN
    }

    /** What is wrong, a sentence. */
    Optional<String> problem();

    /** In the order they came, the link-local one that follows from the device's MAC address last. */
    List<HostAddress> addresses();

    /**
     * Adds an address; it is kept for the next start.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EEXIST} if it is there, {@code EADDRNOTAVAIL} for one that no host
     *         can have, {@code ENOBUFS} if there are too many
     */
    void addAddress(IpPrefix address);

    /** @throws io.manafold.api.refusal.Refusal {@code EADDRNOTAVAIL} if it is not there */
    void removeAddress(IpPrefix address);

    /** The addresses of others on the link, by address. */
    List<Neighbour> neighbours();

    /** Says where an address is, for good. */
    void setNeighbour(IpAddress address, MacAddress mac);

    /** @throws io.manafold.api.refusal.Refusal {@code ENOENT} if it is not there */
    void removeNeighbour(IpAddress address);

    /**
     * The own address that something is sent from to a target.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENETUNREACH} without a route, {@code EADDRNOTAVAIL} without an
     *         address of the family, {@code ENODEV} while the device is away, {@code EBUSY} while the kernel answers
     *         through a tap
     */
    IpAddress source(IpAddress target);

    /**
     * Where packets to a target go on the link: its place, or that of the gateway there. Never waits: if the place is
     * not known it is asked for, and a later call tells what has come of that.
     *
     * @return empty while it is being asked for
     * @throws io.manafold.api.refusal.Refusal {@code EHOSTUNREACH} if there was no answer a moment ago, {@code ENOBUFS}
     *         with too many neighbours, {@code EINVAL} for a target that is not another host; and as {@link #source}
     */
    Optional<MacAddress> resolve(IpAddress target);

    /** The networks of the addresses, and routes that were added; the first that fits best is taken. */
    List<Route> routes();

    /**
     * Adds a route; it is kept for the next start.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EEXIST} if there is one to that network with the same metric,
     *         {@code EHOSTUNREACH} (IPv6) or {@code ENETUNREACH} if its gateway is on no network of an address,
     *         {@code EINVAL} if bits behind the prefix are set
     */
    void addRoute(Route route);

    /** @throws io.manafold.api.refusal.Refusal {@code ESRCH} if there is none such */
    void removeRoute(Route route);

    /**
     * Starts asking for echoes.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} while the device is away, {@code ENETDOWN} while it is
     *         down, {@code ENETUNREACH} without a route, {@code EADDRNOTAVAIL} without an address of the family or for
     *         a source that is not the host's, {@code EMSGSIZE} for more than the MTU lets through, {@code EBUSY} while
     *         the kernel answers through a tap, {@code ENOBUFS} with too many under way
     */
    Ping ping(PingPlan plan);

    /**
     * Takes a UDP port.
     *
     * @param local one of the host's addresses, or {@link IpAddress#ANY4} or {@link IpAddress#ANY6} for all of the
     *     family
     * @param port 1 to 65535, or 0 for a free one
     * @throws io.manafold.api.refusal.Refusal {@code EADDRINUSE}, {@code EADDRNOTAVAIL}
     */
    DatagramPort bind(IpAddress local, int port, DatagramReceiver receiver);

    /** What it has given to others by DHCP, by address; none without a range to give from. */
    List<Lease> leases();

    /** What it has counted since it began, by names as in {@code nstat}: {@code IpInReceives}, {@code IcmpInEchos} … */
    Map<String, Long> counters();

    /** The tap through which the kernel is behind the device. */
    Optional<TapStatus> tap();

    /**
     * Gives the device to the kernel, through a tap interface of the name, or takes it back.
     *
     * @param name {@code null} to take it back
     * @throws io.manafold.api.refusal.Refusal {@code EPERM} without the right to it, {@code EBUSY} if it is in use
     */
    void setTap(String name);
}
