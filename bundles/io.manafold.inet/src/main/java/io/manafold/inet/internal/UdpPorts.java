package io.manafold.inet.internal;

import io.manafold.api.inet.DatagramReceiver;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/** The UDP ports of one host, and what may be sent from them. */
final class UdpPorts {
    private static final int MOST = 256;
    private static final int FIRST_FREE = 49_152;

    private final Node node;
    private volatile UdpPort[] ports = {};
    private int free = FIRST_FREE;

    UdpPorts(Node node) {
        this.node = node;
    }

    UdpPort[] all() {
        return ports;
    }

    UdpPort bind(IpAddress local, int port, DatagramReceiver receiver) {
        Objects.requireNonNull(receiver);
        if (port < 0 || port > 0xffff) {
            throw new Refusal(Errno.EINVAL, "A UDP port is 1 to 65535, or 0 for a free one, not " + port + ".");
        }
        if (!local.isUnspecified() && !node.addressing().isOwn(local.version(), local.high(), local.low())) {
            throw new Refusal(Errno.EADDRNOTAVAIL, local + " is no address of " + node.device() + "; 'ip addr show dev "
                    + node.device() + "' lists those it has.");
        }
        synchronized (this) {
            if (ports.length >= MOST) {
                throw new Refusal(Errno.ENOBUFS, node.device() + " has " + MOST + " UDP ports already; close one.");
            }
            int number = port == 0 ? free(local) : port;
            if (isTaken(local, number)) {
                throw new Refusal(Errno.EADDRINUSE, "UDP port " + number + " of " + local + " on " + node.device()
                        + " is taken; choose another, or 0 for a free one.");
            }
            UdpPort made = new UdpPort(node, local, number, receiver);
            UdpPort[] more = Arrays.copyOf(ports, ports.length + 1);
            more[ports.length] = made;
            ports = more;
            return made;
        }
    }

    private int free(IpAddress local) {
        do {
            free = free == 0xffff ? FIRST_FREE : free + 1;
        } while (isTaken(local, free));
        return free;
    }

    private boolean isTaken(IpAddress local, int number) {
        return Stream.of(ports).anyMatch(other -> other.port() == number
                && other.address().version() == local.version() && (other.address().isUnspecified()
                        || local.isUnspecified() || other.address().equals(local)));
    }

    synchronized void unbind(UdpPort port) {
        ports = Stream.of(ports).filter(other -> other != port).toArray(UdpPort[]::new);
    }

    /** @throws Refusal if a datagram cannot go through the device as it is */
    void check(UdpPort from, int length, IpAddress to, int toPort) {
        String device = node.device();
        if (toPort < 1 || toPort > 0xffff || to.isUnspecified() || to.version() != from.address().version()) {
            throw new Refusal(Errno.EINVAL, "No datagram from " + device + " goes to " + to + " port " + toPort
                    + ": an address of the port's own version of IP and a port of 1 to 65535 are needed.");
        }
        DeviceSnapshot known = node.facts();
        if (length > most(known, to.version())) {
            throw new Refusal(Errno.EMSGSIZE, "A datagram of " + length + " bytes does not pass " + device
                    + ", whose MTU is " + known.mtu() + "; it is not cut in pieces.");
        }
        if (!known.up()) {
            throw new Refusal(Errno.ENETDOWN, "No datagram passes " + device + " while it is down; 'ip link set "
                    + device + " up' sets it up.");
        }
        SourceChoice.source(device, node.addressing(), to, from.address().isUnspecified() ? null : from.address());
    }

    /** Bytes of the largest datagram. */
    static int most(DeviceSnapshot facts, int version) {
        return Math.max(0, facts.mtu() - (version == 4 ? Output.IPV4 : Output.IPV6) - Output.UDP);
    }
}
