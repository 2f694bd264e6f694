package io.manafold.inet.internal;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.DatagramReceiver;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.Route;
import io.manafold.api.inet.TapStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host of one device name. What is set here is read by the device's thread at the start of each of its cycles; what
 * the protocols remember belongs to that thread, and to nobody while the device is away.
 */
final class Node implements Host {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final int MOST_PORTS = 256;
    private static final int MOST_RUNS = 64;
    private static final int FIRST_FREE_PORT = 49_152;

    private final String device;
    private final Clock clock;
    private final Runnable changed;
    private final Counters counters = new Counters();
    private final NeighbourTable neighbours = new NeighbourTable();
    private final Outbox outbox = new Outbox();
    private final Settings settings;
    private final Stack stack;
    /** For coming and going, one at a time. */
    private final ReentrantLock door = new ReentrantLock();
    private volatile Station station;
    private volatile Facts facts = new Facts(0, 0, false, false, false);
    private volatile EchoRun[] runs = {};
    private volatile UdpPort[] ports = {};
    private volatile String problem;
    /** The kernel, if that is behind the device. */
    private volatile TapEnd tap;
    private volatile String tapProblem;
    private Optional<String> labTap = Optional.empty();
    private int identifiers = 1 + (int) (System.nanoTime() & 0x7fff);
    private int freePort = FIRST_FREE_PORT;

    /**
     * @param keep is told when what an administrator has set is different
     * @param changed has somebody look for a device
     */
    Node(String device, Clock clock, Runnable keep, Runnable changed) {
        this.device = device;
        this.clock = clock;
        this.changed = changed;
        settings = new Settings(device, keep);
        stack = new Stack(this, clock, counters, neighbours);
    }

    /** Whether nobody would miss it: its device is away, and nothing was set or taken. */
    boolean isForgettable() {
        return station == null && problem == null && settings.isEmpty() && ports.length == 0 && runs.length == 0;
    }

    Settings settings() {
        return settings;
    }

    Facts facts() {
        return facts;
    }

    Addressing addressing() {
        return settings.addressing();
    }

    EchoRun[] runs() {
        return runs;
    }

    UdpPort[] ports() {
        return ports;
    }

    Outbox outbox() {
        return outbox;
    }

    /** Goes above a device, if that lets it. */
    void attach(NetDevice arrived) {
        if (station != null) {
            return;
        }
        // the device is asked before the door is locked: whoever takes it away may hold what it needs to answer
        Facts seen = Facts.of(arrived);
        door.lock();
        try {
            if (station != null) {
                return;
            }
            apply(seen);
            Station next = new Station("inet " + device, arrived, tap == null ? stack : tap);
            next.attach();
            station = next;
            problem = null;
            follow();
        } catch (Refusal refused) {
            problem = "The host of " + device + " is not above its device: " + refused.getMessage();
        } finally {
            door.unlock();
        }
    }

    /** Lets go of a device; when this returns nothing of it is in use. */
    void detach(NetDevice departed) {
        door.lock();
        try {
            Station last = station;
            if (last == null || last.device() != departed) {
                return;
            }
            leave(last);
        } finally {
            door.unlock();
        }
    }

    private void leave(Station last) {
        last.close();
        station = null;
        stack.drop();
        if (tap != null) {
            tap.drop();
        }
        Stack.releaseAll(neighbours.dropWaiting(clock.now()));
    }

    private void follow() {
        TapEnd end = tap;
        if (end != null) {
            end.follow(facts);
        }
    }

    /** It goes for good. */
    void close() {
        setTap(null);
        for (EchoRun run : runs) {
            run.close();
        }
    }

    /** Takes note of how the device is by now; while there is none, lets time pass for those who wait. */
    void refresh() {
        Station now = station;
        if (now != null) {
            learn(now.device());
            return;
        }
        door.lock();
        try {
            if (station == null) {
                for (EchoRun run : runs) {
                    run.tick(null, clock.now());
                }
            }
        } finally {
            door.unlock();
        }
    }

    private void learn(NetDevice from) {
        apply(Facts.of(from));
    }

    private void apply(Facts seen) {
        if (!seen.equals(facts)) {
            facts = seen;
            settings.mac(seen.mac());
            follow();
            wake();
        }
    }

    private void wake() {
        Station now = station;
        if (now != null) {
            now.wake();
        }
    }

    @Override
    public String device() {
        return device;
    }

    @Override
    public Optional<NetDevice> netDevice() {
        return Optional.ofNullable(station).map(Station::device);
    }

    @Override
    public Mode mode() {
        return station == null ? problem != null ? Mode.TAKEN : Mode.AWAY
                : tap != null ? Mode.TAP : Mode.BUILT_IN;
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem != null ? problem : tapProblem);
    }

    @Override
    public List<HostAddress> addresses() {
        return addressing().addresses();
    }

    @Override
    public void addAddress(IpPrefix address) {
        settings.addAddress(address);
        wake();
    }

    @Override
    public void removeAddress(IpPrefix address) {
        settings.removeAddress(address);
        wake();
    }

    @Override
    public List<Neighbour> neighbours() {
        return neighbours.list(clock.now());
    }

    @Override
    public void setNeighbour(IpAddress address, MacAddress mac) {
        if (!mac.isStation()) {
            throw new Refusal(Errno.EINVAL, "The neighbour " + address + " of " + device + " cannot be at " + mac
                    + ", which is no address of one station.");
        }
        if (address.isMulticast() || address.isUnspecified() || address.equals(IpAddress.BROADCAST4)) {
            throw new Refusal(Errno.EINVAL, address + " is no neighbour of " + device
                    + ": it is not the address of one host.");
        }
        boolean put = neighbours.put(address, mac, clock.now());
        Stack.releaseAll(neighbours.freed());
        if (!put) {
            throw new Refusal(Errno.ENOBUFS, "The table of neighbours of " + device + " is full of "
                    + NeighbourTable.MOST + " that are needed; remove some.");
        }
    }

    @Override
    public void removeNeighbour(IpAddress address) {
        if (!neighbours.remove(address)) {
            throw new Refusal(Errno.ENOENT, device + " has no neighbour " + address
                    + "; 'ip neigh show dev " + device + "' lists those there are.");
        }
        Stack.releaseAll(neighbours.freed());
    }

    @Override
    public List<Route> routes() {
        return addressing().routes();
    }

    @Override
    public void addRoute(Route route) {
        settings.addRoute(route);
        wake();
    }

    @Override
    public void removeRoute(Route route) {
        settings.removeRoute(route);
        wake();
    }

    @Override
    public Ping ping(PingPlan plan) {
        check(plan);
        Station now = present("There is no echo");
        if (!now.device().isUp()) {
            throw new Refusal(Errno.ENETDOWN, "There is no echo through " + device + " while it is down; 'ip link set "
                    + device + " up' sets it up.");
        }
        IpAddress target = plan.target();
        IpAddress source = source(target, plan.source());
        int headers = (target.isIpv4() ? Output.IPV4 : Output.IPV6) + Icmp.HEADER;
        int mtu = now.device().mtu();
        if (plan.size() < 0 || plan.size() + headers > mtu) {
            throw new Refusal(Errno.EMSGSIZE, "An echo through " + device + " carries 0 to " + (mtu - headers)
                    + " bytes, as its MTU is " + mtu + ", not " + plan.size() + "; packets are not cut in pieces.");
        }
        EchoRun[] made = new EchoRun[1];
        synchronized (this) {
            if (runs.length >= MOST_RUNS) {
                throw new Refusal(Errno.ENOBUFS, device + " has " + MOST_RUNS
                        + " rows of echoes under way already; end one of them.");
            }
            identifiers = identifiers % 0xffff + 1;
            EchoRun run = new EchoRun(plan, source, identifiers, () -> forget(made[0]));
            made[0] = run;
            runs = with(runs, run);
        }
        wake();
        return made[0];
    }

    private static void check(PingPlan plan) {
        if (plan.ttl() < 1 || plan.ttl() > 255 || plan.count() < 0 || plan.intervalNanos() < 1_000_000
                || plan.timeoutNanos() < 0) {
            throw new Refusal(Errno.EINVAL, "An echo has a time to live of 1 to 255, a count of 0 or more, and an"
                    + " interval of 1 ms or more.");
        }
    }

    private Station present(String what) {
        Station now = station;
        if (tap != null) {
            throw new Refusal(Errno.EBUSY, what + " through " + device + ": the kernel is behind it by the tap "
                    + tap.name() + "; use the host's own commands there.");
        }
        if (now == null) {
            throw new Refusal(problem == null ? Errno.ENODEV : Errno.EBUSY, what + " through " + device + ": "
                    + (problem == null ? "there is no such network device now; 'ip link' lists those there are."
                            : problem));
        }
        return now;
    }

    /** The address to send from. */
    private IpAddress source(IpAddress target, IpAddress wanted) {
        Addressing own = addressing();
        if (wanted != null && !own.isOwn(wanted.version(), wanted.high(), wanted.low())) {
            throw new Refusal(Errno.EADDRNOTAVAIL, wanted + " is no address of " + device + "; 'ip addr show dev "
                    + device + "' lists those it has.");
        }
        if (wanted != null && wanted.version() != target.version()) {
            throw new Refusal(Errno.EINVAL, wanted + " and " + target + " are not of the same version of IP.");
        }
        boolean free = target.isMulticast() || own.isOwn(target.version(), target.high(), target.low())
                || target.isIpv4() && own.isBroadcast(target.low());
        Route route = own.route(target.version(), target.high(), target.low());
        if (route == null && !free) {
            throw new Refusal(Errno.ENETUNREACH, device + " has no way to " + target + "; 'ip route show dev " + device
                    + "' lists where it leads, 'ip addr add' or 'ip route add' lets it lead elsewhere.");
        }
        IpAddress source = wanted != null ? wanted : own.isOwn(target.version(), target.high(), target.low())
                ? target : own.source(route, target);
        if (source == null) {
            throw new Refusal(Errno.EADDRNOTAVAIL, device + " has no " + (target.isIpv4() ? "IPv4" : "IPv6")
                    + " address to send from; 'ip addr add' gives it one.");
        }
        return source;
    }

    private static <T> T[] with(T[] all, T one) {
        T[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = one;
        return more;
    }

    private synchronized void forget(EchoRun run) {
        runs = Stream.of(runs).filter(other -> other != run).toArray(EchoRun[]::new);
    }

    @Override
    public DatagramPort bind(IpAddress local, int port, DatagramReceiver receiver) {
        Objects.requireNonNull(receiver);
        if (port < 0 || port > 0xffff) {
            throw new Refusal(Errno.EINVAL, "A UDP port is 1 to 65535, or 0 for a free one, not " + port + ".");
        }
        if (!local.isUnspecified() && !addressing().isOwn(local.version(), local.high(), local.low())) {
            throw new Refusal(Errno.EADDRNOTAVAIL, local + " is no address of " + device + "; 'ip addr show dev "
                    + device + "' lists those it has.");
        }
        synchronized (this) {
            if (ports.length >= MOST_PORTS) {
                throw new Refusal(Errno.ENOBUFS, device + " has " + MOST_PORTS + " UDP ports already; close one.");
            }
            int number = port == 0 ? freePort(local) : port;
            if (isTaken(local, number)) {
                throw new Refusal(Errno.EADDRINUSE, "UDP port " + number + " of " + local + " on " + device
                        + " is taken; choose another, or 0 for a free one.");
            }
            UdpPort made = new UdpPort(this, local, number, receiver);
            ports = with(ports, made);
            return made;
        }
    }

    private int freePort(IpAddress local) {
        do {
            freePort = freePort == 0xffff ? FIRST_FREE_PORT : freePort + 1;
        } while (isTaken(local, freePort));
        return freePort;
    }

    private boolean isTaken(IpAddress local, int number) {
        return Stream.of(ports).anyMatch(other -> other.port() == number
                && other.address().version() == local.version() && (other.address().isUnspecified()
                        || local.isUnspecified() || other.address().equals(local)));
    }

    synchronized void unbind(UdpPort port) {
        ports = Stream.of(ports).filter(other -> other != port).toArray(UdpPort[]::new);
    }

    /** Sends a datagram, or has it sent. */
    boolean send(UdpPort from, byte[] data, int offset, int length, IpAddress to, int toPort) {
        Objects.checkFromIndexSize(offset, length, data.length);
        if (from.isClosed()) {
            throw new Refusal(Errno.EBADF, "UDP port " + from.port() + " of " + device + " is closed.");
        }
        Station now = present("There is no datagram");
        if (toPort < 1 || toPort > 0xffff || to.isUnspecified() || to.version() != from.address().version()) {
            throw new Refusal(Errno.EINVAL, "No datagram from " + device + " goes to " + to + " port " + toPort
                    + ": an address of the port's own version of IP and a port of 1 to 65535 are needed.");
        }
        Facts known = facts;
        if (length > maxDatagram(to.version())) {
            throw new Refusal(Errno.EMSGSIZE, "A datagram of " + length + " bytes does not pass " + device
                    + ", whose MTU is " + known.mtu() + "; it is not cut in pieces.");
        }
        if (!known.up()) {
            throw new Refusal(Errno.ENETDOWN, "No datagram passes " + device + " while it is down; 'ip link set "
                    + device + " up' sets it up.");
        }
        source(to, from.address().isUnspecified() ? null : from.address());
        if (now.isCurrent() && stack.isAtWork()) {
            return stack.sendNow(from, data, offset, length, to, toPort);
        }
        boolean taken = outbox.offer(from, data, offset, length, to, toPort);
        now.wake();
        return taken;
    }

    int maxDatagram(int version) {
        return Math.max(0, facts.mtu() - (version == 4 ? Output.IPV4 : Output.IPV6) - Output.UDP);
    }

    @Override
    public Map<String, Long> counters() {
        return counters.list();
    }

    @Override
    public Optional<TapStatus> tap() {
        return Optional.ofNullable(tap).map(TapEnd::status);
    }

    @Override
    public void setTap(String name) {
        door.lock();
        try {
            TapEnd last = tap;
            if (last == null ? name == null : last.name().equals(name)) {
                return;
            }
            TapEnd next = name == null ? null : TapEnd.open(device, name, this::wake);
            if (station != null) {
                // the next look goes above the device again
                leave(station);
            }
            tap = next;
            if (last != null) {
                last.close();
            }
        } finally {
            door.unlock();
        }
        changed.run();
    }

    /** What a lab wants; a tap that cannot be had is a problem, told once. */
    void labTap(Optional<String> wanted) {
        if (wanted.equals(labTap)) {
            return;
        }
        labTap = wanted;
        tapProblem = null;
        try {
            setTap(wanted.orElse(null));
        } catch (Refusal refused) {
            tapProblem = refused.getMessage();
            LOG.warn("{}", refused.getMessage());
        }
    }
}
