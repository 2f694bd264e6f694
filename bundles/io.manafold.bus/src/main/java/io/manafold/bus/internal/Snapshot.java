package io.manafold.bus.internal;

import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverStatus;
import java.util.List;
import java.util.Optional;

/**
 * How everything stood after a step of the loop; what those who ask are given, so that no command waits for an answer.
 */
record Snapshot(List<DeviceStatus> devices, List<DriverStatus> drivers) {
    static final Snapshot EMPTY = new Snapshot(List.of(), List.of());

    record OfDevice(Device device, DeviceState state, Optional<DriverChoice> driver, Optional<String> reason,
            boolean unboundByHand, Optional<DriverChoice> override) implements DeviceStatus {
    }

    record OfDriver(String name, String version, String bundle, List<DeviceMatch> idTable, List<String> devices)
            implements DriverStatus {
    }
}
