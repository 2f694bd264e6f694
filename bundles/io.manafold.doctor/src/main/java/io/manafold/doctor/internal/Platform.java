package io.manafold.doctor.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.PciFunction;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.linux.Shell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Writes down how this platform stands, with the names that Linux has for it. What is not there is not waited for. */
final class Platform {
    /** What Linux calls the driver of synthetic devices; those of pairs here bear it, too. */
    private static final String SYNTHETIC = "hv_netvsc";
    private static final String UP = "0x1003";
    private static final String DOWN = "0x1002";
    private static final String COUNTERS = "ethtool-S.";
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(300);

    private final BundleContext context;

    Platform(BundleContext context) {
        this.context = context;
    }

    private <T> void each(Class<T> type, Consumer<T> with) {
        try {
            for (ServiceReference<T> reference : context.getServiceReferences(type, null)) {
                T service = context.getService(reference);
                if (service != null) {
                    try {
                        with.accept(service);
                    } catch (Refusal e) {
                        // it went while it was asked
                    } finally {
                        context.ungetService(reference);
                    }
                }
            }
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    Evidence evidence() {
        Map<String, String> answers = new LinkedHashMap<>();
        List<String> functions = new ArrayList<>();
        List<String> auxiliary = new ArrayList<>();
        List<String> log = new ArrayList<>();
        each(DriverCore.class, core -> core.devices().forEach(device -> {
            switch (device.device()) {
                case PciFunction function -> functions.add(line(device, function));
                case AuxiliaryDevice other -> auxiliary.add(device.id() + " driver=" + driver(device));
            }
            boolean refused = device.state() == DeviceState.FREE && !device.unboundByHand() && device.reason()
                    .isPresent();
            if (device.state() == DeviceState.FAILED || refused) {
                log.add("mana " + device.id() + ": probe failed: " + device.reason().orElse("no reason was kept"));
            }
        }));
        List<String> interfaces = new ArrayList<>();
        each(NetDevice.class, device -> interfaces.add(line(device, functions)));
        List<String> adapters = new ArrayList<>();
        each(Adapter.class, adapter -> adapters.add(line(adapter)));
        answers.put("functions", lines(functions));
        answers.put("interfaces", lines(interfaces));
        answers.put("infiniband", lines(rdmaDevices()));
        answers.put("auxiliary", lines(auxiliary));
        answers.put("adapters", lines(adapters));
        answers.put("dmesg", lines(log));
        List<String> addresses = new ArrayList<>();
        List<String> management = new ArrayList<>();
        each(Hosts.class, hosts -> hosts.list().forEach(host -> behind(host, addresses, management)));
        answers.put("ip-addr", lines(addresses));
        answers.put("management", lines(management));
        counters(answers, "");
        if (answers.keySet().stream().anyMatch(name -> name.startsWith(COUNTERS)) && rest()) {
            counters(answers, ".later");
        }
        return Answers.of("this platform", answers);
    }

    /** What a host has of its own; one above whose device another user is has nothing there. */
    private static void behind(Host host, List<String> addresses, List<String> management) {
        if (host.mode() != Host.Mode.BUILT_IN && host.mode() != Host.Mode.TAP) {
            return;
        }
        host.addresses().forEach(address -> addresses.add(address.prefix() + " dev=" + host.device()));
        if (host.routes().stream().anyMatch(route -> route.destination().length() == 0)) {
            management.add("default-route dev=" + host.device());
        }
    }

    /** Counters of synthetic devices, as {@code ethtool -S} shows them. */
    private void counters(Map<String, String> answers, String when) {
        each(NetDevice.class, device -> {
            if (device.driverInfo().getOrDefault("driver", "").equals(SYNTHETIC)) {
                StringBuilder text = new StringBuilder("NIC statistics:\n");
                device.statistics().forEach(counter -> text.append("     ").append(counter.name()).append(": ")
                        .append(counter.value()).append('\n'));
                answers.put(COUNTERS + device.name() + when, text.toString());
            }
        });
    }

    /** Between the first and the second look at counters; false if the examination no longer waits. */
    private static boolean rest() {
        try {
            Thread.sleep(BETWEEN_LOOKS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String line(DeviceStatus device, PciFunction function) {
        return "%s vendor=%04x device=%04x class=%06x driver=%s".formatted(device.id(), function.identity().vendor(),
                function.identity().device(), function.identity().classCode(), driver(device));
    }

    /** Linux calls the driver mana, whatever the bundle is called that has the function here. */
    private static String line(NetDevice device, List<String> functions) {
        String driver = device.driverInfo().getOrDefault("driver", "");
        boolean ours = functions.stream().anyMatch(line -> line.startsWith(device.address() + " vendor=1414 "));
        boolean synthetic = driver.equals(SYNTHETIC);
        return "%s mac=%s mtu=%d flags=%s dev_port=%d operstate=%s driver=%s device=%s master=%s".formatted(
                device.name(),
                device.mac(), device.mtu(), device.isUp() ? UP : DOWN, device.port() - 1, device.hasCarrier() ? "up"
                : "down", synthetic ? SYNTHETIC : ours ? "mana" : "", synthetic ? "" : device.address(),
                device.master());
    }

    private static String driver(DeviceStatus device) {
        return device.driver().map(choice -> choice.name()).orElse("");
    }

    /** By what they are registered with: to get one would make a context of it. */
    private List<String> rdmaDevices() {
        List<String> devices = new ArrayList<>();
        try {
            Collection<ServiceReference<RdmaDevice>> references = context.getServiceReferences(RdmaDevice.class, null);
            references.forEach(reference -> devices.add(reference.getProperty("name") + " device="
                    + reference.getProperty("address") + " parent=" + reference.getProperty("parent")));
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
        return devices;
    }

    private static String line(Adapter adapter) {
        return "%s address=%s firmware=%s state=%s ports=%d rdma=%s serial=%d announced=%d macs=%s".formatted(
                adapter.name(), adapter.address(), adapter.firmware(), adapter.state(), adapter.ports().size(),
                adapter.rdma().mode(), adapter.serial(), adapter.announced(), adapter.ports().stream()
                .map(port -> port.mac().toString().toLowerCase(Locale.ROOT)).collect(Collectors.joining(",")));
    }

    private static String lines(List<String> lines) {
        return lines.stream().sorted().reduce("", (all, line) -> all + line + "\n");
    }

    List<String> adapters() {
        List<String> names = new ArrayList<>();
        each(Adapter.class, adapter -> names.add(adapter.name()));
        names.sort(Comparator.naturalOrder());
        return names;
    }

    /** What an adapter knows of its driver: nothing that only the driver knows. */
    Evidence guest(String name) {
        Map<String, String> answers = new LinkedHashMap<>();
        each(Adapter.class, adapter -> {
            if (adapter.name().equals(name)) {
                boolean driven = List.of("running", "starting").contains(adapter.state());
                answers.put("functions",
                        "%s vendor=1414 device=00ba class=020000 driver=%s%n".formatted(adapter.address(),
                        driven ? "present" : ""));
                answers.put("adapter-state", line(adapter) + "\n");
                answers.put("handshake", lines(handshake(adapter)));
                answers.put("ports", lines(adapter.ports().stream().map(Platform::port).toList()));
                answers.put("rejections", lines(adapter.rejections().stream().map(Platform::rejection).toList()));
                answers.put("links", lines(links(adapter.name() + "/")));
                answers.put("poll-mode", lines(pollMode(adapter.address().toString())));
                answers.put("usage", lines(adapter.usage().entrySet().stream().map(one -> one.getKey().replace(' ', '-')
                        + " now=" + one.getValue()).toList()));
            }
        });
        if (answers.isEmpty()) {
            throw new Refusal(Errno.ENODEV, "There is no adapter '" + name + "'"
                    + (adapters().isEmpty() ? "; 'lab up default' brings one." : "; there are "
                    + String.join(", ", adapters()) + "."));
        }
        return Answers.of("driver of " + name, answers);
    }

    /** What the driver has told of itself, and what it has asked last. Its words are a stranger's. */
    static List<String> handshake(Adapter adapter) {
        List<String> lines = new ArrayList<>();
        adapter.driverSystem().ifPresent(system -> lines.add("driver-system " + Shell.line(system)));
        if (!adapter.driverFeatures().isEmpty()) {
            lines.add("driver-features " + adapter.driverFeatures().stream().sorted()
                    .map(feature -> feature.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(" ")));
        }
        adapter.lastMessage().ifPresent(last -> lines.add("last-message %s status=0x%08x %s at=%s".formatted(
                Shell.line(last.name()), last.status(), last.outcome(), last.time())));
        return lines;
    }

    /** Links that the adapter's ports are plugged into: what they have lost, and what waits in front of a port. */
    private List<String> links(String ports) {
        List<String> found = new ArrayList<>();
        each(Link.class, link -> {
            LinkStatus status = link.status();
            List<LinkStatus.PortStatus> plugged = status.ports().stream().filter(one -> one.name().startsWith(ports))
                    .toList();
            if (plugged.isEmpty()) {
                return;
            }
            StringBuilder line = new StringBuilder("%s kind=%s".formatted(status.name(), status.kind()));
            plugged.forEach(one -> line.append(" %s.plugged=%s %s.tx=%d %s.rx=%d".formatted(one.name(), one.plugged()
                    ? "yes" : "no", one.name(), one.txFrames(), one.name(), one.rxFrames())));
            status.counters().forEach((counter, value) -> line.append(value == 0 ? "" : " " + counter + "=" + value));
            status.queues().stream().filter(queue -> queue.port().startsWith(ports) && queue.dropped() > 0)
                    .forEach(queue -> line.append(" %s.dropped=%d".formatted(queue.port(), queue.dropped())));
            status.problems().forEach(problem -> found.add(status.name() + " problem: " + problem));
            found.add(line.toString());
        });
        return found;
    }

    /**
     * Ports of the function that poll-mode applications of this platform have; those of a virtual machine only it
     * knows.
     */
    private List<String> pollMode(String address) {
        List<String> found = new ArrayList<>();
        each(EthDev.class, device -> {
            EthDevInfo info = device.info();
            if (info.address().equals(address)) {
                found.add("%s port=%d mac=%s driver=%s started=%s mtu=%d".formatted(device.name(), info.port(),
                        info.mac(), info.driver(), device.isStarted() ? "yes" : "no", device.mtu()));
            }
        });
        return found;
    }

    private static String port(PortStatus port) {
        StringBuilder line = new StringBuilder("%s mac=%s open=%s link=%s queues=%d".formatted(port.name(), port.mac(),
                port.open() ? "yes" : "no", port.link() == null ? "" : port.link(), port.queues().size()));
        port.counters().forEach((counter, value) -> {
            if (value != 0 || counter.endsWith("_packets")) {
                line.append(' ').append(counter).append('=').append(value);
            }
        });
        return line.toString();
    }

    private static String rejection(Rejection rejection) {
        return "%s: %s; %s (%d times)".formatted(rejection.where(), rejection.rule(), rejection.consequence(),
                rejection.times());
    }
}
