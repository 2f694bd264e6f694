package io.manafold.sockets.internal.steering;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import io.manafold.api.inet.TapStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.Spreading;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The knob {@code queue}: a connection of the kernel that goes through the tap of a port of this platform comes by the
 * receive queue of that port's device that the hash of its addresses and ports leads to. The end that connects picks a
 * local port that leads to the queue that is asked for. Any thread may call.
 */
public final class QueueSteering {
    /** For platforms without ports. */
    public static final QueueSteering NONE = new QueueSteering(() -> null);

    private static final String ANY = Knob.QUEUE.classic();
    /** Ports that others have are passed over; so many of them that it is no chance. */
    private static final int TRIES = 64;

    private final Supplier<Hosts> hosts;
    private volatile QueueHash last;

    /** @param hosts the hosts above the platform's devices, {@code null} while there are none */
    public QueueSteering(Supplier<Hosts> hosts) {
        this.hosts = hosts;
    }

    /** Gives a socket an address of its own. */
    @FunctionalInterface
    public interface Binding<X extends Exception> {
        /** @return false if another socket has it */
        boolean bind(InetSocketAddress local) throws X;
    }

    /** Why there is no steering, a clause. */
    private static final class NotSteered extends Exception {
        private static final long serialVersionUID = 1L;

        private final Errno errno;

        NotSteered(Errno errno, String clause) {
            super(clause);
            this.errno = errno;
        }
    }

    // ---- what can be had

    /** Whether a value can be had; for a number at least with some connections. */
    public KnobOffer offer(String value) {
        if (value.equals(ANY)) {
            return new KnobOffer(Knob.QUEUE, value, true, "as the packets hash", 0);
        }
        return tapped().findFirst().map(host -> new KnobOffer(Knob.QUEUE, value, true,
                "by the local port, for connections through " + host.tap().orElseThrow().name() + " to "
                + host.device() + ", and through others of this kind", 0))
                .orElseGet(() -> new KnobOffer(Knob.QUEUE, value, false, "no port of this platform is the kernel's by a"
                + " tap, which the key 'tap' of a lab's devices does, so nothing here steers connections",
                Errno.EOPNOTSUPP.number()));
    }

    /** Hosts with a device, whose packets the kernel gets. */
    private Stream<Host> tapped() {
        Hosts all = hosts.get();
        return all == null ? Stream.empty() : all.list().stream().filter(host -> host.mode() == Host.Mode.TAP
                && host.netDevice().isPresent() && host.tap().filter(TapStatus::open).isPresent());
    }

    // ---- of connections that are

    /** The queue by which packets come at the moment, −1 if that is not known. */
    public int queue(InetSocketAddress local, InetSocketAddress remote) {
        if (local == null || remote == null || tapped().findAny().isEmpty() || isLocal(remote)) {
            return -1;
        }
        try {
            QueueHash hash = hash(device(local).spreading());
            return hash == null ? -1 : hash.queue(local, remote);
        } catch (NotSteered | Refusal unknown) {
            return -1;
        }
    }

    private QueueHash hash(Spreading spreading) {
        QueueHash hash = QueueHash.of(spreading, last);
        if (hash != null) {
            last = hash;
        }
        return hash;
    }

    /** The device to whose tap the kernel sends with this address of its own. */
    private NetDevice device(InetSocketAddress local) throws NotSteered {
        NetworkInterface found;
        try {
            found = NetworkInterface.getByInetAddress(local.getAddress());
        } catch (IOException unknown) {
            found = null;
        }
        String name = found == null ? "an interface that is not known" : found.getName();
        Optional<NetDevice> device = tapped().filter(host -> host.tap().orElseThrow().name().equals(name)).findFirst()
                .flatMap(Host::netDevice);
        return device.orElseThrow(() -> new NotSteered(Errno.EOPNOTSUPP, "it goes through " + name
                + ", which is no tap of a port of this platform"));
    }

    /** Whether a peer is on this machine, which reaches it by the loopback whatever interface has its address. */
    public static boolean isLocal(InetSocketAddress peer) {
        if (peer == null || peer.getAddress().isLoopbackAddress()) {
            return peer != null;
        }
        try {
            return NetworkInterface.getByInetAddress(peer.getAddress()) != null;
        } catch (IOException unknown) {
            return false;
        }
    }

    // ---- of connections to be made

    /**
     * Binds a socket that is to be connected so that what comes from the peer comes by the queue that is asked for, if
     * one is.
     *
     * @return the knobs as they are then
     * @throws Refusal if it is demanded and cannot be had
     */
    public <X extends Exception> List<KnobState> depart(Knobs asked, List<KnobState> knobs, InetSocketAddress remote,
            Binding<X> binding) throws X {
        KnobState wanted = wanted(knobs);
        if (wanted.got().equals(ANY)) {
            return knobs;
        }
        try {
            return with(knobs, new KnobState(Knob.QUEUE, wanted.asked(), wanted.got(), bind(Integer.parseInt(wanted
                    .got()), remote, binding)));
        } catch (NotSteered not) {
            return without(asked, knobs, not);
        }
    }

    /**
     * As they are of connections that come.
     *
     * @throws Refusal if a queue is demanded
     */
    public List<KnobState> arrive(Knobs asked, List<KnobState> knobs) {
        return wanted(knobs).got().equals(ANY) ? knobs : without(asked, knobs, new NotSteered(Errno.EOPNOTSUPP,
                "the ports of connections that come are picked by their peers"));
    }

    private static KnobState wanted(List<KnobState> knobs) {
        return knobs.stream().filter(state -> state.knob() == Knob.QUEUE).findFirst().orElseThrow();
    }

    private static List<KnobState> with(List<KnobState> knobs, KnobState changed) {
        return knobs.stream().map(state -> state.knob() == Knob.QUEUE ? changed : state).toList();
    }

    private static List<KnobState> without(Knobs asked, List<KnobState> knobs, NotSteered not) {
        String value = wanted(knobs).got();
        if (asked.isPreferred(Knob.QUEUE)) {
            return with(knobs, new KnobState(Knob.QUEUE, value, ANY, "not " + value + ": " + not.getMessage()));
        }
        throw new Refusal(not.errno, "The knob queue cannot be '" + value + "': " + not.getMessage()
                + ". Prefer it instead of demanding it, or leave it at 'any'.");
    }

    /** @return by which port, a clause */
    private <X extends Exception> String bind(int queue, InetSocketAddress remote, Binding<X> binding)
            throws NotSteered, X {
        if (isLocal(remote)) {
            throw new NotSteered(Errno.EOPNOTSUPP, "the peer " + remote.getAddress().getHostAddress()
                    + " is on this machine, which reaches itself by the loopback and by no device");
        }
        InetAddress source = LocalPorts.source(remote).orElseThrow(() -> new NotSteered(Errno.ENETUNREACH,
                "the kernel knows no way to " + remote.getAddress().getHostAddress()));
        NetDevice device = device(new InetSocketAddress(source, 0));
        QueueHash hash = hash(device, queue);
        LocalPorts range = LocalPorts.ofThisMachine();
        int[] ports = hash.ports(new InetSocketAddress(source, 0), remote, queue, range.least(), range.most(), TRIES);
        for (int port : ports) {
            if (binding.bind(new InetSocketAddress(source, port))) {
                return "what comes to port " + port + " hashes to it in " + device.name();
            }
        }
        throw new NotSteered(ports.length == 0 ? Errno.EADDRNOTAVAIL : Errno.EADDRINUSE, (ports.length == 0 ? "no"
                : "other sockets have each of " + ports.length) + " local port" + (ports.length == 0 ? "" : "s")
                + " from " + range.least() + " to " + range.most() + (ports.length == 0 ? " hashes to it in "
                : " that hash to it in ") + device.name());
    }

    private QueueHash hash(NetDevice device, int queue) throws NotSteered {
        Spreading spreading;
        try {
            spreading = device.spreading();
        } catch (Refusal gone) {
            throw new NotSteered(gone.errno(), device.name() + " does not tell how it spreads packets");
        }
        QueueHash hash = hash(spreading);
        if (hash == null) {
            throw new NotSteered(Errno.EOPNOTSUPP, device.name() + " does not spread packets by a hash of its own");
        }
        if (queue >= spreading.queues()) {
            throw new NotSteered(Errno.EINVAL, device.name() + " has " + (spreading.queues() == 1 ? "queue 0 only"
                    : "queues 0 to " + (spreading.queues() - 1)) + "; 'ethtool -L " + device.name()
                    + " combined N' makes more");
        }
        if (!hash.leadsTo(queue)) {
            throw new NotSteered(Errno.EINVAL, "no entry of the indirection table of " + device.name() + " leads to it;"
                    + " 'ethtool -x " + device.name() + "' shows the table, 'ethtool -X' sets it");
        }
        return hash;
    }
}
