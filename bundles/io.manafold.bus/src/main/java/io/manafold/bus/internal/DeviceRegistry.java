package io.manafold.bus.internal;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.Driver;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.osgi.framework.ServiceReference;

/** Which devices and drivers are here, and what has been set for each. Confined to the loop. */
final class DeviceRegistry {
    private final Map<String, DeviceNode> devices = new TreeMap<>();
    /** Devices whose id is taken, in order of arrival; the first of an id moves up when it is free. */
    private final List<DeviceNode> doubles = new ArrayList<>();
    private final Map<ServiceReference<Driver>, DriverNode> drivers = new LinkedHashMap<>();
    private final Map<String, AdminState> administered = new HashMap<>();
    /** The drivers for devices that are about to come, until an order about the device. */
    private final Map<String, DriverChoice> expected = new HashMap<>();

    Collection<DeviceNode> devices() {
        return List.copyOf(devices.values());
    }

    Collection<DriverNode> drivers() {
        return drivers.values();
    }

    DeviceNode device(String id) {
        return devices.get(id);
    }

    DeviceNode device(ServiceReference<?> reference) {
        return devices.values().stream().filter(node -> node.reference.equals(reference)).findAny().orElse(null);
    }

    DriverNode driver(ServiceReference<?> reference) {
        return drivers.get(reference);
    }

    List<DeviceNode> children(DeviceNode parent) {
        return devices.values().stream().filter(node -> parent.id.equals(node.parent)).toList();
    }

    /** Whether the device is in; if not, its id is taken and it waits. */
    boolean add(DeviceNode device) {
        boolean free = devices.putIfAbsent(device.id, device) == null;
        if (!free) {
            doubles.add(device);
        }
        return free;
    }

    void add(DriverNode driver) {
        drivers.put(driver.reference, driver);
    }

    /** Takes a device out and, if another waits for its id, puts that in and returns it. */
    DeviceNode drop(DeviceNode device) {
        devices.remove(device.id, device);
        DeviceNode next = doubles.stream().filter(other -> other.id.equals(device.id)).findFirst().orElse(null);
        if (next != null) {
            doubles.remove(next);
            devices.put(next.id, next);
        }
        return next;
    }

    boolean dropDouble(ServiceReference<?> reference) {
        return doubles.removeIf(node -> node.reference.equals(reference));
    }

    boolean drop(DriverNode driver) {
        return drivers.remove(driver.reference, driver);
    }

    AdminState admin(String device) {
        return administered.getOrDefault(device, AdminState.NONE);
    }

    /** The only driver that the device may have, or {@code null} if the id tables decide. */
    DriverChoice only(String device) {
        DriverChoice only = admin(device).only();
        return only != null ? only : expected.get(device);
    }

    /** @param driver {@code null} for none in particular */
    void expect(String device, DriverChoice driver) {
        if (driver == null) {
            expected.remove(device);
        } else {
            expected.put(device, driver);
        }
    }

    void administer(String device, AdminState state) {
        if (state.equals(AdminState.NONE)) {
            administered.remove(device);
        } else {
            administered.put(device, state);
        }
    }

    void administer(Map<String, AdminState> states) {
        administered.putAll(states);
    }

    Map<String, AdminState> administered() {
        return Map.copyOf(administered);
    }

    Snapshot snapshot() {
        Map<String, List<DeviceNode>> children = new HashMap<>();
        for (DeviceNode node : devices.values()) {
            if (node.parent != null) {
                children.computeIfAbsent(node.parent, _ -> new ArrayList<>()).add(node);
            }
        }
        Map<DeviceNode, DeviceStatus> listed = new LinkedHashMap<>();
        for (DeviceNode node : devices.values()) {
            if (node.parent == null || !devices.containsKey(node.parent)) {
                addWithChildren(node, children, listed);
            }
        }
        // a device that hangs in a circle of parents has not been reached from above
        for (DeviceNode node : devices.values()) {
            listed.computeIfAbsent(node, this::status);
        }
        List<DriverStatus> driverList = drivers.values().stream().filter(DriverNode::usable)
                .sorted(Comparator.comparing((DriverNode node) -> node.name).thenComparing(node -> node.version))
                .<DriverStatus>map(node -> new Snapshot.OfDriver(node.name, node.version.toString(), node.bundle,
                        node.table, node.devices.stream().filter(device -> device.bound == node)
                        .map(device -> device.id).sorted().toList()))
                .toList();
        return new Snapshot(List.copyOf(listed.values()), driverList);
    }

    private void addWithChildren(DeviceNode node, Map<String, List<DeviceNode>> children,
            Map<DeviceNode, DeviceStatus> list) {
        list.put(node, status(node));
        for (DeviceNode child : children.getOrDefault(node.id, List.of())) {
            addWithChildren(child, children, list);
        }
    }

    private DeviceStatus status(DeviceNode node) {
        AdminState admin = admin(node.id);
        return new Snapshot.OfDevice(node.device, node.state,
                Optional.ofNullable(node.bound).map(DriverNode::label), Optional.ofNullable(node.reason),
                admin.unbound(), Optional.ofNullable(admin.only()));
    }
}
