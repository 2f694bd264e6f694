package io.manafold.inet.internal;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.DatagramReceiver;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.inet.Lease;
import io.manafold.api.inet.Neighbour;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.Route;
import io.manafold.api.inet.TapStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.Locks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host of one device name. What is set here is read by the device's thread at the start of each of its cycles; what
 * the protocols remember belongs to that thread, and to no thread while the device is away.
 */
final class Node implements Host {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final int SLOW_TIMES = 6;

    private final String device;
    private final Clock clock;
    private final Runnable changed;
    private final Counters counters = new Counters();
    private final NeighbourTable neighbours = new NeighbourTable();
    private final Outbox outbox = new Outbox();
    private final EchoRuns runs = new EchoRuns();
    private final UdpPorts ports = new UdpPorts(this);
    private final Settings settings;
    private final Stack stack;
    /** For coming and going, one at a time. */
    private final ReentrantLock door = Locks.named("host");
    private volatile NetDevice placed;
    private volatile String subject;
    private volatile Station station;
    /** The last one, while it is not known to be in no call any more; with the door locked. */
    private Station held;
    private volatile DeviceSnapshot facts = new DeviceSnapshot(0, 0, false, false, false);
    private volatile String problem;
    /** The kernel, if that is behind the device. */
    private volatile TapEnd tap;
    /** A device that let us wait for long, and until when it is left alone; the book's thread's. */
    private NetDevice slow;
    private long slowUntil;
    private volatile String tapProblem;
    private Optional<String> labTap = Optional.empty();
    /** When a tap that could not be had is tried again. */
    private long tapAgain;
    /** Both belong to the book's thread, but that others look at what is given. */
    private volatile DhcpServer dhcp;
    private DatagramPort dhcpPort;

    /**
     * @param keep is told when what an administrator has set is different
     * @param changed has the book look for a device
     */
    Node(String device, Clock clock, Runnable keep, Runnable changed) {
        this.device = device;
        this.clock = clock;
        this.changed = changed;
        settings = new Settings(device, keep);
        stack = new Stack(this, clock, counters, neighbours);
    }

    /** Whether it can be forgotten: its device is away, no tap is had or asked for, and nothing was set or taken. */
    boolean isForgettable() {
        return station == null && problem == null && tap == null && tapProblem == null && settings.isEmpty()
                && ports.all().length == 0 && runs.all().length == 0;
    }

    /** Whether what was set on this device's port is here already. */
    boolean isPlaced(NetDevice device) {
        return placed == device;
    }

    /** Where what is set here is kept; {@code null} while no device has come. */
    String subject() {
        return subject;
    }

    void place(NetDevice device, String itsSubject, Map<String, String> kept) {
        if (subject != null) {
            settings.forget();
        }
        subject = itsSubject;
        placed = device;
        settings.restore(kept);
    }

    Settings settings() {
        return settings;
    }

    DeviceSnapshot facts() {
        return facts;
    }

    Addressing addressing() {
        return settings.addressing();
    }

    EchoRun[] runs() {
        return runs.all();
    }

    UdpPort[] ports() {
        return ports.all();
    }

    Outbox outbox() {
        return outbox;
    }

    /**
     * Goes above a device, if that lets it. One whose thread is held lets others wait: it is asked again when several
     * times as long has passed, so that other hosts are looked at meanwhile.
     */
    void attach(NetDevice arrived) {
        if (station != null || arrived == slow && clock.now() - slowUntil < 0) {
            return;
        }
        long begun = clock.now();
        attachNow(arrived);
        long taken = clock.now() - begun;
        slow = taken < Clock.SECOND || station != null ? null : arrived;
        slowUntil = begun + SLOW_TIMES * taken;
    }

    private void attachNow(NetDevice arrived) {
        // the device is asked before the door is locked: a driver that takes it away may hold what it needs to answer
        DeviceSnapshot seen = DeviceSnapshot.of(arrived);
        door.lock();
        try {
            if (station != null) {
                return;
            }
            if (isHeld()) {
                problem = "The host of " + device + " is not above its device: a receiver or a watcher of packets "
                        + "holds the thread of the device that was there before; end it, or wait until it returns.";
                return;
            }
            apply(seen);
            TapEnd end = tap;
            Station next = new Station("inet " + device, arrived, end == null ? stack : end);
            if (end != null) {
                end.attend();
            }
            next.attach();
            station = next;
            problem = null;
            follow();
        } catch (Refusal refused) {
            if (tap != null) {
                tap.leave();
            }
            problem = "The host of " + device + " is not above its device: " + refused.getMessage();
        } finally {
            door.unlock();
        }
    }

    /** Lets go of a device; when this returns nothing of it is in use. */
    void detach(NetDevice device) {
        door.lock();
        try {
            Station last = station;
            if (last == null || last.device() != device) {
                return;
            }
            leave(last);
            placed = null;
        } finally {
            door.unlock();
        }
    }

    private void leave(Station last) {
        last.close();
        station = null;
        held = last;
        isHeld();
    }

    /**
     * Whether the thread of a device that has gone is still in a call: it uses the protocols or the tap until it
     * returns. What that device has left behind goes when it does. With the door locked.
     */
    private boolean isHeld() {
        if (held == null) {
            return false;
        }
        if (held.isInside()) {
            return true;
        }
        held = null;
        stack.drop();
        if (tap != null) {
            tap.leave();
        }
        Stack.releaseAll(neighbours.dropWaiting(clock.now()));
        return false;
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
        for (EchoRun run : runs.all()) {
            run.close();
        }
    }

    /**
     * Takes note of how the device is by now. While there is none, or the kernel is behind it, no cycle of the stack
     * lets time pass for echoes under way: that is done here.
     */
    void refresh() {
        Station now = station;
        if (now != null) {
            learn(now.device());
            if (tap == null) {
                return;
            }
        }
        door.lock();
        try {
            if (!isHeld() && (station == null || tap != null)) {
                for (EchoRun run : runs.all()) {
                    run.tick(null, clock.now());
                }
            }
        } finally {
            door.unlock();
        }
    }

    private void learn(NetDevice from) {
        apply(DeviceSnapshot.of(from));
    }

    private void apply(DeviceSnapshot seen) {
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

    /** What is done holds at once, also if it could not be kept. */
    private void change(Runnable step) {
        try {
            step.run();
        } finally {
            wake();
        }
    }

    @Override
    public void addAddress(IpPrefix address) {
        change(() -> settings.addAddress(address));
    }

    @Override
    public void removeAddress(IpPrefix address) {
        change(() -> settings.removeAddress(address));
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
    public IpAddress source(IpAddress target) {
        present("There is no way to " + target);
        return SourceChoice.source(device, addressing(), target, null);
    }

    @Override
    public Optional<MacAddress> resolve(IpAddress target) {
        Station now = present("There is no way to " + target);
        Addressing own = addressing();
        SourceChoice.source(device, own, target, null);
        if (target.isMulticast() || target.isUnspecified() || own.isOwn(target.version(), target.high(), target.low())
                || target.isIpv4() && own.isBroadcast(target.low())) {
            throw new Refusal(Errno.EINVAL, target + " is not the address of one other host, as " + device
                    + " sees it; name that of a neighbour, or of a host behind a gateway.");
        }
        IpAddress gateway = own.route(target.version(), target.high(), target.low()).gateway();
        IpAddress hop = gateway == null ? target : gateway;
        long mac = neighbours.locate(hop.version(), hop.high(), hop.low(), clock.now());
        if (mac == NeighbourTable.UNREACHED) {
            throw new Refusal(Errno.EHOSTUNREACH, hop + " does not answer on the link of " + device
                    + "; see whether it is up, and 'ip neigh show dev " + device + "'.");
        }
        if (mac == NeighbourTable.NO_ROOM) {
            throw new Refusal(Errno.ENOBUFS, "The table of neighbours of " + device + " is full of "
                    + NeighbourTable.MOST + " that are needed; try again in a moment.");
        }
        if (mac == NeighbourEntry.NO_MAC) {
            now.wake();
            return Optional.empty();
        }
        return Optional.of(new MacAddress(mac));
    }

    @Override
    public List<Route> routes() {
        return addressing().routes();
    }

    @Override
    public void addRoute(Route route) {
        change(() -> settings.addRoute(route));
    }

    @Override
    public void removeRoute(Route route) {
        change(() -> settings.removeRoute(route));
    }

    @Override
    public Ping ping(PingPlan plan) {
        EchoRuns.check(plan);
        EchoRun run = runs.begin(plan, present("There is no echo").device(), addressing());
        wake();
        return run;
    }

    @Override
    public DatagramPort bind(IpAddress local, int port, DatagramReceiver receiver) {
        return ports.bind(local, port, receiver);
    }

    void unbind(UdpPort port) {
        ports.unbind(port);
    }

    /** Sends a datagram, or has it sent. */
    boolean send(UdpPort from, byte[] data, int offset, int length, IpAddress to, int toPort) {
        Objects.checkFromIndexSize(offset, length, data.length);
        if (from.isClosed()) {
            throw new Refusal(Errno.EBADF, "UDP port " + from.port() + " of " + device + " is closed.");
        }
        Station now = present("There is no datagram");
        ports.check(from, length, to, toPort);
        if (now.isCurrent() && stack.isAtWork()) {
            return stack.sendNow(from, data, offset, length, to, toPort);
        }
        boolean taken = outbox.offer(from, data, offset, length, to, toPort);
        if (!taken) {
            from.went(false, length);
        }
        now.wake();
        return taken;
    }

    int maxDatagram(int version) {
        return UdpPorts.most(facts, version);
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
                tapProblem = null;
                return;
            }
            TapEnd next = name == null ? null : TapEnd.open(device, name, this::wake);
            if (station != null) {
                // the next look goes above the device again
                leave(station);
            }
            Station user = held;
            tap = next;
            // what was set last holds: a lab's tap that could not be had before is tried no more
            tapProblem = null;
            if (last != null) {
                last.close(user == null ? Runnable::run : user::whenOut);
            }
        } finally {
            door.unlock();
        }
        changed.run();
    }

    /** What a lab wants to be given to others; a port that is taken is a problem, told once. */
    void labDhcp(Optional<DhcpRange> wanted) {
        DhcpServer last = dhcp;
        if (wanted.equals(Optional.ofNullable(last).map(DhcpServer::range))) {
            return;
        }
        if (dhcpPort != null) {
            dhcpPort.close();
            dhcpPort = null;
        }
        DhcpServer next = wanted.map(range -> new DhcpServer(range, clock, last)).orElse(null);
        dhcp = next;
        try {
            dhcpPort = next == null ? null : bind(IpAddress.ANY4, DhcpServer.SERVER_PORT, next);
        } catch (Refusal refused) {
            LOG.warn("{}", refused.getMessage());
        }
    }

    /** Whether stations that have no address yet are listened to. */
    boolean givesAddresses() {
        return dhcp != null;
    }

    @Override
    public List<Lease> leases() {
        DhcpServer now = dhcp;
        return now == null ? List.of() : now.leases();
    }

    /** Lets go of a tap that a lab wants no more here, before another host is given it. */
    void leaveTap(Optional<String> wanted) {
        if (!wanted.equals(labTap) && tap != null && !wanted.equals(Optional.of(tap.name()))) {
            setTap(null);
        }
    }

    /** What a lab wants; a tap that cannot be had is a problem, told once, and is tried again once a second. */
    void labTap(Optional<String> wanted) {
        boolean again = wanted.equals(labTap);
        if (again && (tapProblem == null || clock.now() - tapAgain < 0)) {
            return;
        }
        labTap = wanted;
        try {
            setTap(wanted.orElse(null));
            if (again) {
                LOG.info("the kernel is behind {} by the tap {} now", device, wanted.orElse(null));
            }
        } catch (Refusal refused) {
            tapAgain = clock.now() + Clock.SECOND;
            if (!refused.getMessage().equals(tapProblem)) {
                tapProblem = refused.getMessage();
                LOG.warn("{}", refused.getMessage());
            }
        }
    }
}
