package io.manafold.commands.rdma.internal;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.ConnectionStatus;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Missing;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** RDMA devices and the memory for their messages, as far as they are there. Commands outlive them all. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.rdma.RdmaConnections)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.rdma.RdmaDevice)")
@Component(service = Devices.class)
public final class Devices {
    /** What kind of device has reliable connections, the other having raw packets. */
    static final int WITH_CONNECTIONS = 3;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<RdmaDevice> devices = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile MemorySource memory;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<NetDevice> networkDevices = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile RdmaConnections connections;

    /** All by name, {@code mana_2} before {@code mana_10}. */
    List<RdmaDevice> all() {
        return devices.stream().sorted(Comparator.<RdmaDevice>comparingInt(device -> device.name().length())
                .thenComparing(RdmaDevice::name)).toList();
    }

    /** Where a device is among all. */
    int index(RdmaDevice device) {
        return all().indexOf(device);
    }

    /** The index of a network device, if it is there. */
    OptionalInt networkIndex(String name) {
        return networkDevices.stream().filter(device -> device.name().equals(name)).mapToInt(NetDevice::index)
                .findFirst();
    }

    /** Connections and listeners of a device; listeners at all of them belong to each that has connections. */
    List<ConnectionStatus> connections(RdmaDevice device) {
        RdmaConnections there = connections;
        return there == null || device.attributes().part() != WITH_CONNECTIONS ? List.of() : there.list().stream()
                .filter(one -> one.device() == null || one.device().equals(device.name())).toList();
    }

    RdmaConnections connections() {
        return Missing.required(connections, "connection manager", "io.manafold.rdma");
    }

    RdmaDevice device(String name) {
        List<RdmaDevice> all = all();
        return all.stream().filter(device -> device.name().equals(name)).findFirst()
                .orElseThrow(() -> Missing.named(Errno.ENODEV, "RDMA device", name,
                        all.stream().map(RdmaDevice::name).toList(),
                        "'devices' shows what has a driver and what has none"));
    }

    /** The device that is meant if none is named: the first that has connections. */
    RdmaDevice first() {
        return all().stream().filter(device -> device.attributes().part() == WITH_CONNECTIONS).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "There is no RDMA device: 'devices' shows what has a "
                        + "driver and what has none, 'lab up rdma-pingpong' makes two."));
    }

    MemorySource memory() {
        return Missing.required(memory, "memory for messages", "io.manafold.memory");
    }

    /** Devices by name. */
    Completer complete() {
        return typed -> all().stream().map(device -> new Candidate(device.name(), device.summary(), true)).toList();
    }
}
