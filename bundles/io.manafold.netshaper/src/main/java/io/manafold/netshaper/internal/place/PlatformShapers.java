package io.manafold.netshaper.internal.place;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperOperation;
import io.manafold.api.shaper.ShaperOps;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.Shapers;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.family.Operation;
import io.manafold.netshaper.internal.serve.Devices;
import io.manafold.netshaper.internal.serve.Operations;
import io.manafold.netshaper.internal.serve.Server;
import io.manafold.netshaper.internal.tree.ShapedDevice;
import io.manafold.netshaper.internal.wire.AttributeReader;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
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
 * The shapers of this platform's devices. What asks in words goes through the same messages as what comes over a
 * socket, so that there is one set of rules.
 */
@Component(service = {Shapers.class, PlatformShapers.class}, immediate = true, property = "place=platform")
public final class PlatformShapers implements Shapers, Devices {
    private static final Logger LOG = LoggerFactory.getLogger(PlatformShapers.class);

    /** @param turns what is done with the device, so that one whose driver is slow keeps no other waiting */
    private record Entry(ShapedDevice device, Executor turns, AutoCloseable watch) {
    }

    private final SavedSettings settings;
    private final ExecutorService workers = Executors.newCachedThreadPool(factory("manafold-netshaper"));
    private final ExecutorService teller = Executors.newSingleThreadExecutor(factory("manafold-netshaper-events"));
    private final Map<ShaperOps, Entry> shaped = new ConcurrentHashMap<>();
    private final List<NetDevice> devices = new CopyOnWriteArrayList<>();
    private final List<ShaperPlan> plans = new CopyOnWriteArrayList<>();
    private final List<Consumer<ShaperEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Operations operations = new Operations(this);
    private final Server server = new Server(operations);
    private final Conversation conversation = new Conversation(new LocalLine(server), "The platform");

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile EventLog events;

    @Activate
    public PlatformShapers(@Reference SavedSettings settings) {
        this.settings = settings;
    }

    private static ThreadFactory factory(String name) {
        return Thread.ofPlatform().daemon().name(name).factory();
    }

    @Deactivate
    void end() {
        shaped.keySet().forEach(this::removeOps);
        workers.shutdown();
        teller.shutdown();
    }

    /** What answers messages. */
    Server server() {
        return server;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addDevice(NetDevice device) {
        devices.add(device);
    }

    void removeDevice(NetDevice device) {
        devices.remove(device);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addOps(ShaperOps ops) {
        Executor turns = new SerialExecutor(workers);
        ShapedDevice device = new ShapedDevice(ops, settings, turns, this::later);
        shaped.put(ops, new Entry(device, turns, ops.watch(device)));
        turns.execute(() -> {
            List<ShaperPlan> meant = plans.stream().filter(plan -> plan.device().equals(device.name())).toList();
            device.begin(meant.stream().map(ShaperPlan::shaper).toList());
            meant.forEach(ShaperPlan::arrive);
        });
    }

    void removeOps(ShaperOps ops) {
        Entry entry = shaped.remove(ops);
        if (entry != null) {
            entry.device.leave();
            try {
                entry.watch.close();
            } catch (Exception failed) {
                LOG.warn("{}: its shapers could not be left: {}", entry.device.name(), failed.getMessage());
            }
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addPlan(ShaperPlan plan) {
        plans.add(plan);
        named(plan, device -> {
            device.plan(plan.shaper());
            plan.arrive();
        });
    }

    void removePlan(ShaperPlan plan) {
        plans.remove(plan);
        named(plan, device -> device.unplan(plan.shaper().handle()));
    }

    /** Does something with the device that a plan is for, when it is that device's turn. */
    private void named(ShaperPlan plan, Consumer<ShapedDevice> call) {
        shaped.values().stream().filter(entry -> entry.device.name().equals(plan.device()))
                .forEach(entry -> entry.turns.execute(() -> call.accept(entry.device)));
    }

    private void later(ShaperEvent event) {
        try {
            teller.execute(() -> tell(event));
        } catch (RejectedExecutionException over) {
            LOG.debug("no listener is told any more", over);
        }
    }

    private void tell(ShaperEvent event) {
        EventLog log = events;
        if (log != null && event.cause() != ShaperEvent.Cause.REPLAYED) {
            log.post(DeviceEvent.Kind.SHAPERS_CHANGED, devices.stream()
                    .filter(device -> device.name().equals(event.device())).findFirst()
                    .map(device -> device.address().toString()).orElse(null), null, ShaperNews.sentence(event));
        }
        listeners.forEach(listener -> {
            try {
                listener.accept(event);
            } catch (RuntimeException failed) {
                listeners.remove(listener);
                LOG.warn("a listener of shapers failed and is dropped", failed);
            }
        });
    }

    @Override
    public boolean has(int index) {
        return devices.stream().anyMatch(device -> device.index() == index);
    }

    @Override
    public ShapedDevice shaped(int index) {
        return shaped.values().stream().map(Entry::device).filter(device -> device.index() == index).findFirst()
                .orElse(null);
    }

    @Override
    public String place() {
        return "platform";
    }

    @Override
    public List<? extends ShaperOperation> operations() {
        return Family.NET_SHAPER.operations();
    }

    @Override
    public List<String> devices() {
        return devices.stream().sorted(Comparator.comparingInt(NetDevice::index)).map(NetDevice::name).toList();
    }

    @Override
    public boolean has(String device) {
        return devices.stream().anyMatch(one -> one.name().equals(device));
    }

    @Override
    public int index(String device) {
        return devices.stream().filter(one -> one.name().equals(device)).findFirst().map(NetDevice::index)
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "There is no network device '" + device
                        + "' on this platform; 'ip link' shows those there are."));
    }

    @Override
    public Map<String, Object> perform(String operation, Map<String, Object> attributes) {
        List<Map<String, Object>> replies = conversation.perform(Server.FAMILY_ID, operation, attributes, false);
        return replies.isEmpty() ? Map.of() : replies.getFirst();
    }

    @Override
    public List<Map<String, Object>> dump(String operation, Map<String, Object> attributes) {
        return conversation.perform(Server.FAMILY_ID, operation, attributes, true);
    }

    @Override
    public List<ShaperCall> plan(String name, Map<String, Object> attributes) {
        Operation operation = conversation.operation(name);
        byte[] request = conversation.request(Server.FAMILY_ID, operation, attributes, false);
        return operations.plan(operation, new AttributeReader(request).request(operation.set(), operation.request()));
    }

    @Override
    public List<ShaperStatus> status(String device) {
        ShapedDevice found = shaped(index(device));
        return found == null ? List.of() : found.status();
    }

    @Override
    public AutoCloseable watch(Consumer<ShaperEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
