package io.manafold.pmd.internal.device;

import io.manafold.api.net.NetDevice;
import java.util.function.LongSupplier;

/** Frames that a network device had no room for, since the port above it was probed. */
final class MissedFrames implements LongSupplier {
    private final NetDevice device;
    private final long before;

    MissedFrames(NetDevice device) {
        this.device = device;
        before = ever();
    }

    private long ever() {
        return device.totals().getOrDefault("rx_missed", 0L);
    }

    @Override
    public long getAsLong() {
        return ever() - before;
    }
}
