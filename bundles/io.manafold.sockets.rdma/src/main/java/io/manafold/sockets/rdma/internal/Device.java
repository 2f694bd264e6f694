package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.streams.HeldRegion;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device, with the memory that it knows: what may be sent is registered with it once for all. Any thread may call.
 */
final class Device {
    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final RdmaDevice device;
    /** Made when it is first asked for: a device that no socket uses has nothing of ours. */
    private ProtectionDomain domain;
    private boolean ended;
    private final Map<HeldRegion, MemoryRegion> known = new ConcurrentHashMap<>();

    Device(RdmaDevice device) {
        this.device = device;
    }

    String name() {
        return device.name();
    }

    RdmaDevice rdma() {
        return device;
    }

    /** @throws Refusal {@code ENODEV} once it has gone, else as the device says */
    synchronized ProtectionDomain domain() {
        if (ended) {
            throw new Refusal(Errno.ENODEV, "The device " + device.name()
                    + " has gone, or its sockets have been stopped.");
        }
        if (domain == null) {
            domain = device.allocateDomain();
        }
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
            known.put(region, domain().register(region.block(), region.offset(), region.length(), 0));
        } catch (RuntimeException refused) {
            region.unpin();
            throw refused;
        }
        if (region.isClosed() && region.inFlight() == 0) {
            // meanwhile, when there was nothing yet to forget
            forget(region);
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
    synchronized void end() {
        ended = true;
        known.keySet().forEach(this::forget);
        if (domain != null) {
            quietly(domain::close);
        }
    }

    static void quietly(Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            LOG.debug("What is given up anyway: {}", refused.getMessage());
        }
    }
}
