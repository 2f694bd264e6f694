package io.manafold.inet.internal;

import io.manafold.agent.Mistakes;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostPlan;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.NotKept;
import io.manafold.memory.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All hosts, by the names of their devices. A thread of its own goes above devices that have come, and looks at them
 * again and again; a device that goes is let go at once. Another thread orders the drivers that labs name.
 */
@Component(service = {Hosts.class, HostBook.class}, immediate = true)
public final class HostBook implements Hosts {
    private static final Logger LOG = LoggerFactory.getLogger(HostBook.class);
    /** The word by which ports keep whether they are up. */
    private static final String UP = "up";
    private static final int MOST = 256;
    private static final long GLANCE_MILLIS = 100;

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, NetDevice> devices = new TreeMap<>();
    private final List<DeviceEntry> entries = new ArrayList<>();
    private final List<HostPlan> plans = new CopyOnWriteArrayList<>();
    private final DriverOrders orders = new DriverOrders();
    /** What the entries of a lab come to: one look at a time. */
    private final ReentrantLock looking = Locks.named("looking at the hosts");
    /** What is newer is written later. */
    private final ReentrantLock saving = Locks.named("saving of hosts");
    private final Semaphore news = new Semaphore(0);
    private final Clock clock;
    private final Thread thread = new Thread(null, this::run, "manafold-inet", 0, false);
    /** An order waits for a driver, which may take its time: hosts do not wait for that. */
    private final Thread ordering = new Thread(null, this::runOrders, "manafold-inet-orders", 0, false);
    private final Semaphore orderNews = new Semaphore(0);
    private volatile boolean closed;

    /** Without one, what administrators set lasts until the platform ends. */
    private volatile SavedSettings saved;
    private volatile DriverCore core;

    @Activate
    public HostBook() {
        this(System::nanoTime);
    }

    HostBook(Clock clock) {
        this.clock = clock;
        for (Thread each : List.of(thread, ordering)) {
            each.setDaemon(true);
            each.setContextClassLoader(null);
        }
    }

    @Activate
    void start() {
        thread.start();
        ordering.start();
    }

    @Deactivate
    void stop() {
        closed = true;
        news();
        // what was ordered is carried out without it
        ordering.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
            ordering.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Node> all;
        List<NetDevice> there;
        synchronized (nodes) {
            there = new ArrayList<>(devices.values());
        }
        there.forEach(this::removeDevice);
        synchronized (nodes) {
            all = new ArrayList<>(nodes.values());
        }
        all.forEach(Node::close);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addDevice(NetDevice device) {
        synchronized (nodes) {
            devices.put(device.name(), device);
        }
        news();
    }

    void removeDevice(NetDevice device) {
        Node node;
        synchronized (nodes) {
            devices.remove(device.name(), device);
            node = nodes.get(device.name());
        }
        if (node != null) {
            node.detach(device);
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addPlan(HostPlan plan) {
        plans.add(plan);
        news();
    }

    void removePlan(HostPlan plan) {
        plans.remove(plan);
        news();
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void setSaved(SavedSettings settings) {
        saved = settings;
        news();
    }

    void unsetSaved(SavedSettings settings) {
        if (saved == settings) {
            saved = null;
        }
    }

    void add(DeviceEntry entry) {
        synchronized (nodes) {
            entries.add(entry);
        }
        news();
    }

    /** When this returns the entry is not looked at any more. */
    void remove(DeviceEntry entry) {
        synchronized (nodes) {
            entries.remove(entry);
        }
        betweenLooks(() -> { });
        news();
    }

    /** Does something while no entry is looked at. */
    void betweenLooks(Runnable step) {
        looking.lock();
        try {
            step.run();
        } finally {
            looking.unlock();
        }
    }

    /** Whether an administrator has taken a port down, which outlives the device and the platform. */
    boolean isKeptDown(PciAddress function, int port) {
        SavedSettings from = saved;
        return from != null && "false".equals(from.read(from.subject(SavedSettings.PORT, function, port)).get(UP));
    }

    /** There is something to look at. */
    void news() {
        news.release();
        orderNews.release();
    }

    /** A lab wants another driver somewhere. */
    void orderNews() {
        orderNews.release();
    }

    /** Whether a function is about to have the driver that a lab names, so that what is there is another's. */
    boolean isAwaited(DriverOrders.Order order) {
        DriverCore ordering = core;
        return ordering != null && orders.isAwaited(ordering, order);
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void setCore(DriverCore driverCore) {
        core = driverCore;
    }

    void unsetCore(DriverCore driverCore) {
        if (core == driverCore) {
            core = null;
        }
    }

    /** Devices that hosts can be above: no members of others. */
    private List<NetDevice> present() {
        List<NetDevice> there;
        synchronized (nodes) {
            there = new ArrayList<>(devices.values());
        }
        there.removeIf(this::isMember);
        return there;
    }

    /** A device that has become a member of another has no host any more. */
    private boolean isMember(NetDevice device) {
        if (device.master().isEmpty()) {
            return false;
        }
        Node former;
        synchronized (nodes) {
            former = nodes.get(device.name());
        }
        if (former != null) {
            former.detach(device);
        }
        return true;
    }

    private Optional<HostPlan> plan(String device) {
        return plans.stream().filter(plan -> plan.device().equals(device)).findFirst();
    }

    private void run() {
        run(news, this::look, "a look at the network devices");
    }

    private void runOrders() {
        run(orderNews, this::orders, "an order of a driver for a network device");
    }

    /** Does something again and again, at once when there is news. */
    private void run(Semaphore told, Step step, String what) {
        Mistakes mistakes = new Mistakes(mistake -> LOG.error("{} failed; further failures of this kind are not logged",
                what, mistake));
        while (!closed) {
            try {
                told.tryAcquire(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
                told.drainPermits();
                step.run();
            } catch (InterruptedException over) {
                return;
            } catch (RuntimeException | Error mistake) {
                mistakes.happened(mistake);
            }
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private void orders() throws InterruptedException {
        DriverCore ordering = core;
        if (ordering != null) {
            orders.look(ordering, entries().stream().map(DeviceEntry::order).flatMap(Optional::stream).toList());
        }
    }

    /** Goes above devices that have come, and sees how the others are and what labs want of them. */
    void look() {
        betweenLooks(() -> look(lists()));
    }

    private Map<String, DeviceEntry.Said> lists() {
        Map<String, DeviceEntry.Said> listed = new TreeMap<>();
        entries().stream().map(DeviceEntry::said).filter(Objects::nonNull)
                .forEach(said -> listed.putIfAbsent(said.name(), said));
        return listed;
    }

    private List<DeviceEntry> entries() {
        synchronized (nodes) {
            return new ArrayList<>(entries);
        }
    }

    private void look(Map<String, DeviceEntry.Said> listed) {
        listed.keySet().forEach(this::node);
        for (NetDevice device : present()) {
            Node node = node(device.name());
            place(node, device);
            node.attach(device);
            synchronized (nodes) {
                if (devices.get(device.name()) == device) {
                    continue;
                }
            }
            // it has gone meanwhile, perhaps before there was anything to detach
            node.detach(device);
        }
        List<Node> all;
        synchronized (nodes) {
            all = new ArrayList<>(nodes.values());
        }
        for (Node node : all) {
            node.leaveTap(tap(listed.get(node.device()), node.device()));
        }
        for (Node node : all) {
            DeviceEntry.Said said = listed.get(node.device());
            Optional<HostPlan> plan = said == null ? plan(node.device()) : Optional.empty();
            node.settings().lab(said == null ? plan.map(HostPlan::addresses).orElse(List.of()) : said.addresses());
            node.labTap(tap(said, node.device()));
            node.labDhcp(said == null ? Optional.empty() : said.dhcp());
            node.refresh();
        }
        for (DeviceEntry entry : entries()) {
            DeviceEntry.Said said = entry.said();
            boolean counts = said != null && listed.get(said.name()) == said;
            entry.look(counts ? said : null, counts ? device(said.name()) : null);
        }
    }

    /** The tap that a lab wants behind a device: as its entry says, or, where there is none, as its plan. */
    private Optional<String> tap(DeviceEntry.Said said, String device) {
        return said == null ? plan(device).flatMap(HostPlan::tap) : said.tap();
    }

    /** The device that a host is above, or {@code null}. */
    private NetDevice device(String name) {
        synchronized (nodes) {
            Node node = nodes.get(name);
            return node == null ? null : node.netDevice().orElse(null);
        }
    }

    /** The host of a device name, made if there is none. */
    Node node(String device) {
        Node made;
        synchronized (nodes) {
            Node node = nodes.get(device);
            if (node != null) {
                return node;
            }
            if (nodes.size() >= MOST) {
                nodes.values().removeIf(Node::isForgettable);
            }
            made = new Node(device, clock, () -> save(device), this::news);
            nodes.put(device, made);
        }
        return made;
    }

    /** A device that has come brings what was set on its port: in another lab that is something else. */
    private void place(Node node, NetDevice device) {
        SavedSettings from = saved;
        if (from == null || node.isPlaced(device)) {
            return;
        }
        String subject = device.keptAs(SavedSettings.HOST).orElseGet(() -> from.subject(SavedSettings.HOST,
                device.address(), device.port()));
        Map<String, String> kept = from.read(subject);
        String former = "inet/" + device.name();
        if (kept.isEmpty() && !from.read(former).isEmpty()) {
            kept = from.read(former);
            keep(from, subject, kept);
            keep(from, former, Map.of());
        }
        boolean early = node.subject() == null && !node.settings().save().isEmpty();
        node.place(device, subject, kept);
        if (early) {
            // it was set when it was not known yet where it is kept
            saving.lock();
            try {
                keep(from, subject, node.settings().save());
            } finally {
                saving.unlock();
            }
        }
    }

    private static void keep(SavedSettings to, String subject, Map<String, String> settings) {
        try {
            to.write(subject, settings);
        } catch (NotKept later) {
            LOG.warn("{}", later.getMessage());
        }
    }

    private void save(String device) {
        SavedSettings to = saved;
        Node node;
        synchronized (nodes) {
            node = nodes.get(device);
        }
        String subject = node == null ? null : node.subject();
        if (to == null || subject == null) {
            return;
        }
        saving.lock();
        try {
            to.write(subject, node.settings().save());
        } finally {
            saving.unlock();
        }
    }

    @Override
    public List<Host> list() {
        synchronized (nodes) {
            return nodes.values().stream().filter(node -> !node.isForgettable()).map(Host.class::cast).toList();
        }
    }

    @Override
    public Optional<Host> find(String device) {
        synchronized (nodes) {
            return Optional.ofNullable(nodes.get(device));
        }
    }
}
