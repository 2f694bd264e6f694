package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.rdma.GidTable;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.adapter.Rdma;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.adapter.ScriptedFault;
import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Limits;
import io.manafold.memory.DmaTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The adapter as its administrator sees it. */
final class SoftwareAdapter implements Adapter {
    private final AdapterFunction function;
    private final FunctionRegistration registration;
    private final AdapterRdma rdma;

    SoftwareAdapter(AdapterFunction function, FunctionRegistration registration) {
        this.function = function;
        this.registration = registration;
        this.rdma = new AdapterRdma(function);
    }

    private FunctionParts hardware() {
        return function.hardware();
    }

    @Override
    public String name() {
        return hardware().settings().name();
    }

    @Override
    public PciAddress address() {
        return function.address();
    }

    @Override
    public String firmware() {
        return hardware().firmware().toString();
    }

    @Override
    public String shapers() {
        return hardware().settings().shapers() ? AdapterSettings.FULL : AdapterSettings.PARITY;
    }

    @Override
    public Rdma rdma() {
        return rdma;
    }

    @Override
    public String state() {
        Session session = function.session();
        if (registration.isRevoked()) {
            return "revoked";
        }
        if (session == null) {
            return "idle";
        }
        return session.channel().isBroken() ? "failed" : session.isRunning() ? "running" : "starting";
    }

    @Override
    public List<PortStatus> ports() {
        return hardware().ports().stream().map(EthernetPort::status).toList();
    }

    @Override
    public Map<String, Long> limits() {
        Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("ports", (long) hardware().ports().size());
        limits.put("queue_pairs_per_port", (long) hardware().settings().queues());
        limits.put("frame_bytes", (long) hardware().settings().frame());
        limits.put("indirection_entries", (long) EthernetClient.INDIRECTION);
        put(limits, ObjectLimit.VECTORS);
        limits.put("channel_depth", (long) Channel.DEPTH);
        limits.put("message_bytes", (long) Limits.MESSAGE);
        put(limits, ObjectLimit.EVENT_QUEUES);
        put(limits, ObjectLimit.COMPLETION_QUEUES);
        put(limits, ObjectLimit.SEND_QUEUES);
        put(limits, ObjectLimit.RECEIVE_QUEUES);
        limits.put("queue_bytes", (long) FunctionObjects.MOST_QUEUE_BYTES);
        put(limits, ObjectLimit.REGIONS);
        put(limits, ObjectLimit.REGION_PAGES);
        put(limits, ObjectLimit.PROTECTION_DOMAINS);
        put(limits, ObjectLimit.MEMORY_KEYS);
        put(limits, ObjectLimit.DOORBELL_PAGES);
        boolean rdma = !hardware().engines().isEmpty();
        limits.put(ObjectLimit.QUEUE_PAIRS.label(), rdma ? (long) most(ObjectLimit.QUEUE_PAIRS) : 0L);
        limits.put("gids", rdma ? (long) GidTable.MOST : 0L);
        limits.put("object_bytes", hardware().budget().most());
        limits.put("mapped_ranges", (long) DmaTable.MOST_RANGES);
        return limits;
    }

    private void put(Map<String, Long> limits, ObjectLimit limit) {
        limits.put(limit.label(), (long) most(limit));
    }

    private int most(ObjectLimit limit) {
        return hardware().settings().limits().most(limit);
    }

    @Override
    public Map<String, Long> usage() {
        Map<String, Long> usage = new LinkedHashMap<>();
        function.control().await(() -> {
            Session session = function.session();
            if (session != null) {
                session.usage(usage);
                usage.put("channel_requests", session.channel().served());
            }
        });
        int shapers = hardware().ports().stream().mapToInt(EthernetPort::shapers).sum();
        if (shapers > 0) {
            usage.put("shapers", (long) shapers);
        }
        usage.put("object_bytes", objectBytes());
        usage.put("mapped_ranges", (long) hardware().memory().ranges());
        usage.put("mapped_bytes", hardware().memory().bytes());
        usage.put("rejections", hardware().rejections().total());
        return usage;
    }

    @Override
    public long objectBytes() {
        return hardware().budget().bytes();
    }

    @Override
    public int vectors() {
        return hardware().vectors().count();
    }

    @Override
    public int armedVectors() {
        return hardware().vectors().armed();
    }

    @Override
    public Optional<String> driverSystem() {
        Session session = function.session();
        return session == null ? Optional.empty() : Optional.ofNullable(session.system());
    }

    @Override
    public Set<DriverFeature> driverFeatures() {
        Session session = function.session();
        return session == null ? Set.of() : session.features();
    }

    @Override
    public long sessions() {
        return function.sessions();
    }

    @Override
    public Optional<ChannelMessage> lastMessage() {
        Session session = function.session();
        return session == null ? Optional.empty() : Optional.ofNullable(session.lastMessage());
    }

    @Override
    public List<Rejection> rejections() {
        return hardware().rejections().all();
    }

    @Override
    public void forgetRejections() {
        hardware().rejections().forget();
    }

    @Override
    public void requestReset(ResetKind kind) {
        if (!hardware().firmware().sendsEvents()) {
            throw new Refusal(Errno.EOPNOTSUPP, "The adapter " + name() + " cannot ask for a reset: its firmware "
                    + firmware() + " is too old. Give it a newer one.");
        }
        int event = kind == ResetKind.RESET ? EventEntry.RESET_REQUEST : EventEntry.RECONFIGURATION;
        function.control().await(() -> {
            Session session = function.session();
            boolean running = session != null && session.isRunning();
            if (running && !session.channel().events().hasRoom()) {
                throw new Refusal(Errno.EBUSY, "The adapter " + name() + " has asked for resets that its driver has not"
                        + " taken note of yet. Wait for the driver.");
            }
            if (!running || !session.channel().events().post(event, 0)) {
                throw new Refusal(Errno.ENODEV, "The adapter " + name() + " has no driver that could be asked for a "
                        + "reset; it is " + state() + ". Wait until a driver has taken it.");
            }
        });
    }

    @Override
    public void revoke() {
        registration.revoke();
    }

    @Override
    public void restore() {
        registration.restore(registration.serial());
    }

    @Override
    public void restore(int serial) {
        registration.restore(serial);
    }

    @Override
    public int serial() {
        return registration.serial();
    }

    @Override
    public int announced() {
        return registration.announced();
    }

    @Override
    public void announce() {
        registration.announce();
    }

    @Override
    public boolean await(Milestone milestone, Duration limit) throws InterruptedException {
        return function.milestones().await(milestone, limit);
    }

    @Override
    public void inject(Fault fault) {
        if (fault.effect() == Fault.Effect.WITHHOLD_COMPLETION) {
            EthernetPort port = hardware().ports().stream().filter(one -> one.name().equals(fault.message()))
                    .findFirst().orElseThrow(() -> new Refusal(Errno.EINVAL, "The fault " + fault.name()
                            + " cannot be: the adapter " + name() + " has no port '" + fault.message()
                            + "'. Name one of " + hardware().ports().stream().map(EthernetPort::name).toList() + "."));
            port.withholdCompletion();
            hardware().faults().happened(fault, port.name());
        } else {
            hardware().faults().add(fault);
        }
    }

    @Override
    public List<Fault> faults() {
        return hardware().faults().all();
    }

    @Override
    public void play(String script, List<String> lines) {
        List<String> ports = hardware().ports().stream().map(EthernetPort::name).toList();
        hardware().faults().play(new FaultScriptReader(name(), script, ports), lines);
        function.wake();
    }

    @Override
    public List<ScriptedFault> scripted() {
        return hardware().faults().scripted();
    }

    @Override
    public List<FaultTrace> faultTraces() {
        return hardware().faults().traces();
    }

    @Override
    public void clearFault(String name) {
        if (!hardware().faults().remove(name)) {
            throw new Refusal(Errno.ENOENT, "The adapter " + name() + " has no fault '" + name + "'. It is spent, or "
                    + "was never there.");
        }
    }
}
