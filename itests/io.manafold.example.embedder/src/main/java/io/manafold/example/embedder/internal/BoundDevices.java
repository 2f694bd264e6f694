package io.manafold.example.embedder.internal;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverCore;
import java.util.function.IntSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Knows how many devices have a driver at work; lives as long as there is a driver core. */
@Component(property = "counts=bound devices")
public final class BoundDevices implements IntSupplier {
    private final DriverCore core;

    @Activate
    public BoundDevices(@Reference DriverCore core) {
        this.core = core;
    }

    @Override
    public int getAsInt() {
        return (int) core.devices().stream().filter(device -> device.state() == DeviceState.BOUND).count();
    }
}
