package io.manafold.commands.net.internal;

import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.Hosts;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PagePlanner;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.api.traffic.TrafficRun;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Missing;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Network devices and what stands on them, as far as they are there. Commands outlive them all. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.inet.Hosts)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.net.NetDevice)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.traffic.Traffic)")
@Component(service = Network.class)
public final class Network {
    private static final String INET = "io.manafold.inet";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<NetDevice> devices = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile PagePlanner planner;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Hosts hosts;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile DeviceCaptures captures;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Traffic traffic;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile MemorySource memory;

    /** Shared blocks of memory, by name. */
    List<MemoryBlock> blocks() {
        MemorySource there = memory;
        return there == null ? List.of() : there.blocks();
    }

    /** All devices by number. */
    List<NetDevice> devices() {
        return devices.stream().sorted(Comparator.comparingInt(NetDevice::index)).toList();
    }

    NetDevice device(String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst()
                .orElseThrow(() -> Missing.named(Errno.ENODEV, "network device", name, names(),
                        "'devices' shows what has a driver and what has none"));
    }

    List<String> names() {
        return devices().stream().map(NetDevice::name).toList();
    }

    PagePlanner planner() {
        return Missing.required(planner, "planner of receive pages", "io.manafold.ethernet");
    }

    DeviceCaptures captures() {
        return Missing.required(captures, "service that captures at devices", INET);
    }

    Traffic traffic() {
        return Missing.required(traffic, "traffic generator", "io.manafold.traffic");
    }

    /** What is running and the last that is over, none if no bundle generates traffic. */
    List<TrafficRun> runs() {
        return traffic instanceof Traffic present ? present.runs() : List.of();
    }

    /** All hosts, of devices that are away as well; none if no bundle is above the devices. */
    List<Host> hosts() {
        return hosts instanceof Hosts present ? present.list() : List.of();
    }

    /** The host above a device, there or away. */
    Host host(String name) {
        Hosts present = Missing.required(hosts, "host above network devices", INET);
        Optional<Host> host = present.find(name);
        return host.orElseThrow(() -> new Refusal(Errno.EOPNOTSUPP, "No host is above " + device(name).name()
                + ", so there are no addresses, neighbours and routes; 'log' may say why."));
    }

    List<HostAddress> addresses(String name) {
        return hosts().stream().filter(host -> host.device().equals(name)).findFirst().map(Host::addresses)
                .orElse(List.of());
    }

    /** Devices by name. */
    Completer completeDevices() {
        return typed -> devices().stream()
                .map(device -> new Candidate(device.name(), device.summary(), true)).toList();
    }
}
