package io.manafold.bus.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Binding;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.ServiceReference;

/** A device service as the core knows it. Confined to the loop. */
final class DeviceNode {
    final ServiceReference<Device> reference;
    final Device device;
    /** What it was when it came, to match drivers with: the device itself is not asked on the loop. */
    final Device described;
    final String id;
    /** The id of the parent, or {@code null} for a function. */
    final String parent;

    /** Why drivers were found wanting, by their service id. */
    final Map<Long, String> refused = new LinkedHashMap<>();
    final List<Runnable> departure = new ArrayList<>();
    /** The first is being carried out, the others wait. */
    final ArrayDeque<Order> orders = new ArrayDeque<>();

    DeviceState state = DeviceState.FREE;
    String reason;
    DriverNode bound;
    Binding binding;
    /** A call for this device is under way; its end looks at the device again. */
    boolean calling;
    /** The driver is to go: no child may be bound any more. */
    boolean closing;
    boolean leaving;
    /** The driver has stopped it by an administrator's word. */
    boolean suspended;
    /** The driver asked for by hand; forgotten with the device, unlike an override. */
    DriverChoice choice;
    /** The build that the order under way is about, or {@code null}. */
    DriverNode ordered;

    /** The driver that asked for patience, and the count of arrivals at that moment. */
    long deferredBy = -1;
    long deferredAt;
    /** The count of arrivals that the latest probe has seen, those of the device's own children among them. */
    long asOf;
    String waitsFor;
    String deferral;

    /** The driver that made room for a successor, when it began to go ({@link System#nanoTime}), and at what cost. */
    DriverChoice predecessor;
    long predecessorId;
    long removalBegan;
    ReplacementReport account = ReplacementReport.NONE;

    /** Asks the device what it is: on the thread of a call only. */
    DeviceNode(ServiceReference<Device> reference, Device device, String id) {
        this.reference = reference;
        this.device = device;
        this.described = DeviceDescription.of(device);
        this.id = id;
        this.parent = device instanceof AuxiliaryDevice auxiliary ? auxiliary.parent() : null;
    }

    void forgetDeferral() {
        deferredBy = -1;
        waitsFor = null;
        deferral = null;
    }

    boolean atRest() {
        return bound == null && !calling;
    }
}
