package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Refusal;
import io.manafold.streams.HeldRegion;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device, with the memory that it knows: what may be sent is registered with it once for all. Any thread may call. */
final class Device {
    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final Map<HeldRegion, MemoryRegion> known = new ConcurrentHashMap<>();

    Device(RdmaDevice device) {
        this.device = device;
        domain = device.allocateDomain();
    }

    String name() {
        return device.name();
    }

    RdmaDevice rdma() {
        return device;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /**
     * Has it reach a region, for reading.
     *
     * @throws Refusal as the device says
     */
    synchronized void register(HeldRegion region) {
        if (known.containsKey(region) || !region.pin()) {
            return;
        }
        try {
            known.put(region, domain.register(region.block(), region.offset(), region.length(), 0));
        } catch (RuntimeException refused) {
            region.unpin();
            throw refused;
        }
    }

    /** Its own keys of a region; {@code null} if it was never told of it. */
    MemoryRegion region(HeldRegion region) {
        return known.get(region);
    }

    /** No transfer of it is under way, and none comes any more. */
    void forget(HeldRegion region) {
        MemoryRegion gone = known.remove(region);
        if (gone != null) {
            quietly(gone::close);
            region.unpin();
        }
    }

    /** It has gone, or is given back: nothing of it is in use any more. */
    void end() {
        known.keySet().forEach(this::forget);
        quietly(domain::close);
    }

    static void quietly(Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            LOG.debug("What is given up anyway: {}", refused.getMessage());
        }
    }
}
