package io.manafold.example.embedder.internal;

import io.manafold.api.net.NetDevice;
import java.util.function.LongSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Knows how many packets a network device has received; lives as long as the device is there. */
@Component(property = "counts=received packets")
public final class ReceivedPackets implements LongSupplier {
    private final NetDevice device;

    @Activate
    public ReceivedPackets(@Reference(target = "(name=mana0)") NetDevice device) {
        this.device = device;
    }

    @Override
    public long getAsLong() {
        return device.totals().getOrDefault("rx_packets", 0L);
    }
}
