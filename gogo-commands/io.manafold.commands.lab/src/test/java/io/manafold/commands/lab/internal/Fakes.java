package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.adapter.Rdma;
import io.manafold.api.adapter.RdmaParameter;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.adapter.ScriptedFault;
import io.manafold.api.device.Bar;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.fabric.Wire;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.BorrowStatus;
import io.manafold.api.vfio.ExportCosts;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Small stand-ins for the services that the commands speak to. */
final class Fakes {
    private Fakes() {
    }

    /** What a command answered. */
    record Answer(int status, String out, String err) {
        /** The answer without white space. */
        String dense() {
            return out.replaceAll("\\s", "");
        }
    }

    static Answer run(Command command, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = CommandLine.run(command, List.of(words), new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** What completion offers for an argument of a verb. */
    static List<String> completed(Command command, String verb, String argument, Map<String, String> before) {
        Syntax syntax = command.syntax().verbs().stream().filter(one -> one.name().equals(verb)).findFirst()
                .orElseThrow();
        Completer completer = syntax.arguments().stream().filter(one -> one.name().equals(argument)).findFirst()
                .orElseThrow().completer();
        return completer.candidates(new Typed() {
            @Override
            public String prefix() {
                return "";
            }

            @Override
            public List<String> words() {
                return List.of();
            }

            @Override
            public Optional<String> argument(String name) {
                return Optional.ofNullable(before.get(name));
            }
        }).stream().map(Candidate::value).toList();
    }

    record Port(String name, MacAddress mac, String link, boolean open, long speedBits, long clampBits,
            Map<String, Long> counters, List<Map<String, Long>> queues) implements PortStatus {
        static Port of(String name, String mac) {
            return new Port(name, MacAddress.parse(mac), null, false, 200_000_000_000L, 0, Map.of(), List.of());
        }

        Port on(String now) {
            return new Port(name, mac, now, open, speedBits, clampBits, counters, queues);
        }
    }

    /** A device with its driver. */
    record Driven(Device device, Optional<DriverChoice> driver) implements DeviceStatus {
        @Override
        public DeviceState state() {
            return driver.isPresent() ? DeviceState.BOUND : DeviceState.FREE;
        }

        @Override
        public Optional<String> reason() {
            return Optional.empty();
        }

        @Override
        public boolean unboundByHand() {
            return false;
        }

        @Override
        public Optional<DriverChoice> override() {
            return Optional.empty();
        }
    }

    /** A driver core that knows devices and does nothing else. */
    static DriverCore core(DeviceStatus... devices) {
        return (DriverCore) Proxy.newProxyInstance(Fakes.class.getClassLoader(), new Class<?>[] {DriverCore.class},
                (_, method, _) -> {
                    if (method.getName().equals("devices")) {
                        return List.of(devices);
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** A driver core that notes which devices it is to have suspended and resumed. */
    static DriverCore core(List<String> orders) {
        return (DriverCore) Proxy.newProxyInstance(Fakes.class.getClassLoader(), new Class<?>[] {DriverCore.class},
                (_, method, arguments) -> {
                    orders.add(method.getName() + " " + arguments[0]);
                    return null;
                });
    }

    /** Notes what it is told to do. */
    static final class OneAdapter implements Adapter {
        final List<PortStatus> ports = new CopyOnWriteArrayList<>();
        final List<Rejection> rejections = new ArrayList<>();
        final List<Fault> faults = new ArrayList<>();
        final List<ScriptedFault> scripted = new ArrayList<>();
        /** What a script gets. */
        Refusal refusesToPlay;
        final List<FaultTrace> traces = new ArrayList<>();
        final List<String> orders = new ArrayList<>();
        final Map<String, Long> limits = new LinkedHashMap<>();
        final Map<String, Long> usage = new LinkedHashMap<>();
        final OneRdma rdma = new OneRdma(orders);
        ChannelMessage message;
        /** Whether its driver comes as far as it is waited for. */
        boolean comesUp = true;
        /** What it is while its driver begins anew, or for good. */
        String state = "running";
        /** Whether its driver does as it is asked. */
        boolean obeys = true;
        private long sessions = 1;
        private int serial = 1;
        private int announced = 1;
        private final String name;
        private final PciAddress address;

        OneAdapter(String name, String address) {
            this.name = name;
            this.address = PciAddress.parse(address);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public PciAddress address() {
            return address;
        }

        @Override
        public String firmware() {
            return "2026-10";
        }

        @Override
        public String shapers() {
            return "full";
        }

        @Override
        public Rdma rdma() {
            return rdma;
        }

        @Override
        public String state() {
            return state;
        }

        @Override
        public List<PortStatus> ports() {
            return ports;
        }

        @Override
        public long objectBytes() {
            return 4096;
        }

        @Override
        public Map<String, Long> limits() {
            return limits;
        }

        @Override
        public Map<String, Long> usage() {
            return usage;
        }

        @Override
        public int vectors() {
            return 65;
        }

        @Override
        public int armedVectors() {
            return 5;
        }

        @Override
        public Set<DriverFeature> driverFeatures() {
            return Set.of();
        }

        @Override
        public Optional<String> driverSystem() {
            return Optional.of("Linux 7.2.12");
        }

        @Override
        public long sessions() {
            return sessions;
        }

        @Override
        public Optional<ChannelMessage> lastMessage() {
            return Optional.ofNullable(message);
        }

        @Override
        public List<Rejection> rejections() {
            return List.copyOf(rejections);
        }

        @Override
        public void forgetRejections() {
            rejections.clear();
        }

        @Override
        public void requestReset(ResetKind kind) {
            if (usage.isEmpty()) {
                throw new Refusal(Errno.ENODEV, "Adapter 'one' has no driver that could be asked.");
            }
            orders.add("reset " + kind);
            sessions += obeys ? 1 : 0;
        }

        @Override
        public void revoke() {
            orders.add("revoke");
        }

        @Override
        public void restore() {
            orders.add("restore");
        }

        @Override
        public void restore(int other) {
            serial = other;
            orders.add("restore as " + other);
        }

        @Override
        public int serial() {
            return serial;
        }

        @Override
        public int announced() {
            return announced;
        }

        @Override
        public void announce() {
            announced = serial;
            orders.add("announce");
        }

        @Override
        public boolean await(Milestone milestone, Duration limit) {
            orders.add("await " + milestone);
            return comesUp;
        }

        @Override
        public void inject(Fault fault) {
            faults.add(fault);
        }

        @Override
        public List<Fault> faults() {
            return List.copyOf(faults);
        }

        @Override
        public void play(String script, List<String> lines) {
            if (refusesToPlay != null) {
                throw refusesToPlay;
            }
            orders.add("play " + script + " " + String.join("|", lines));
        }

        @Override
        public List<ScriptedFault> scripted() {
            return List.copyOf(scripted);
        }

        @Override
        public List<FaultTrace> faultTraces() {
            return List.copyOf(traces);
        }

        @Override
        public void clearFault(String fault) {
            faults.removeIf(one -> one.name().equals(fault));
            scripted.removeIf(one -> one.script().equals(fault) || one.fault().name().equals(fault));
        }
    }

    /** Notes what it is told to do, and keeps one parameter. */
    static final class OneRdma implements Rdma {
        static final String KEY = "rpg_ai_rate";
        RdmaStatus status = new RdmaStatus(false, false, List.of(), List.of(), List.of(), List.of());
        int value = 5;
        private final List<String> orders;

        OneRdma(List<String> orders) {
            this.orders = orders;
        }

        @Override
        public String mode() {
            return "first";
        }

        @Override
        public RdmaStatus status() {
            return status;
        }

        @Override
        public List<RdmaTrace> traces(int requests) {
            return List.of();
        }

        @Override
        public RdmaTrace trace(int number, int requests) {
            throw new Refusal(Errno.ENOENT, "There is no such queue pair.");
        }

        @Override
        public void suspend() {
            orders.add("suspend");
        }

        @Override
        public void resume() {
            orders.add("resume");
        }

        @Override
        public List<RdmaParameter> parameters() {
            return List.of(new RdmaParameter(KEY, value, 5, 1, 400_000, "Mb/s", "additive step"));
        }

        @Override
        public void set(Map<String, Integer> values) {
            if (!values.keySet().equals(Set.of(KEY))) {
                throw new Refusal(Errno.EINVAL, "There is no such parameter.");
            }
            value = values.get(KEY);
        }
    }

    /** A function that has an address and nothing else. */
    record Function(PciAddress address) implements PciFunction {
        static Function at(String address) {
            return new Function(PciAddress.parse(address));
        }

        @Override
        public PciId identity() {
            return new PciId(0x1414, 0x00ba, 0x1414, 0x00ba, 0x020000, 0);
        }

        @Override
        public int configSize() {
            return 4096;
        }

        @Override
        public int readConfig(int offset, int width) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void writeConfig(int offset, int width, int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Bar> bars() {
            return List.of();
        }

        @Override
        public Interrupts interrupts() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DmaSpace dma() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException();
        }
    }

    record Status(String name, String kind, List<PortStatus> ports, Impairments impairments, List<RuleStatus> rules,
            Optional<Queueing> queueing, List<QueueStatus> queues, Map<String, Long> counters,
            Map<String, String> stations, List<String> problems) implements LinkStatus {
    }

    static final class OneLink implements Link {
        final List<LinkStatus.PortStatus> ports = new ArrayList<>();
        final Map<String, Long> counters = new LinkedHashMap<>();
        final Map<String, String> stations = new LinkedHashMap<>();
        final List<String> problems = new ArrayList<>();
        final List<CaptureStatus> captures = new ArrayList<>();
        final List<PacketRule> rules = new ArrayList<>();
        final List<LinkStatus.QueueStatus> queues = new ArrayList<>();
        Queueing queueing;
        Impairments impairments = Impairments.NONE;
        int snap;
        long count;
        private final String name;
        private final String kind;

        OneLink(String name, String kind) {
            this.name = name;
            this.kind = kind;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Wire plug(Plug plug) {
            throw new UnsupportedOperationException();
        }

        @Override
        public LinkStatus status() {
            return new Status(name, kind, List.copyOf(ports), impairments,
                    rules.stream().map(rule -> new LinkStatus.RuleStatus(rule, 5)).toList(),
                    Optional.ofNullable(queueing), queues, counters, stations, problems);
        }

        @Override
        public void impair(Impairments wanted) {
            impairments = wanted;
        }

        @Override
        public void impair(PacketRule rule) {
            rules.add(rule);
        }

        @Override
        public void clearRules() {
            rules.clear();
        }

        @Override
        public CaptureStatus startCapture(Path file, int bytes, long wanted) {
            if (captures.stream().anyMatch(one -> one.file().equals(file))) {
                throw new Refusal(Errno.EEXIST, "The file " + file + " is there already; choose another name.");
            }
            snap = bytes;
            count = wanted;
            CaptureStatus capture = new CaptureStatus(name, file, 3, 180, 0, wanted <= 3, null);
            captures.add(capture);
            return capture;
        }

        @Override
        public CaptureStatus stopCapture(Path file) {
            CaptureStatus ended = captures.stream().filter(one -> one.file().equals(file)).findFirst().orElseThrow();
            captures.remove(ended);
            return ended;
        }

        @Override
        public List<CaptureStatus> captures() {
            return List.copyOf(captures);
        }
    }

    record Export(String name, String adapter, String function, Path socket, boolean connected, boolean listening,
            int maps, long mappedBytes, long mostBytes, long sessions, ExportCosts costs, List<String> qemuArguments,
            List<String> problems) implements ExportStatus {
        @Override
        public List<String> qemuArguments(int mebibytes) {
            return qemuArguments;
        }

        static Export of(String adapter, String socket) {
            return new Export(adapter, adapter, "7870:00:00.0", Path.of(socket), false, true, 0, 0, 1L << 40, 0,
                    ExportCosts.NONE, List.of("-machine", "q35,memory-backend=mem", "-m", "1G", "-object",
                            "memory-backend-memfd,id=mem,size=1G,share=on", "-device",
                            "{\"driver\": \"vfio-user-pci\", \"socket\": {\"type\": \"unix\", \"path\": \"" + socket
                                    + "\"}}"),
                    List.of());
        }

        Export guest(int ranges, long bytes) {
            return new Export(name, adapter, function, socket, true, true, ranges, bytes, 1L << 40, 1,
                    new ExportCosts(30, 20, 10, 0), qemuArguments, problems);
        }

        Export broken(String problem) {
            return new Export(name, adapter, null, socket, false, false, 0, 0, 0, 0, costs, qemuArguments,
                    List.of(problem));
        }
    }

    record Borrowed(String name, Path socket, PciAddress address, boolean connected, List<String> problems)
            implements BorrowStatus {
        @Override
        public int maps() {
            return 1;
        }

        @Override
        public long mappedBytes() {
            return 4096;
        }

        @Override
        public long sessions() {
            return 1;
        }
    }
}
