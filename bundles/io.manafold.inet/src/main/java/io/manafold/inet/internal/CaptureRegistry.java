package io.manafold.inet.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.inet.PacketListing;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.inet.internal.listing.Listing;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Captures at network devices. They wait for a device that is away, and go on with the next of its name. */
@Component(service = DeviceCaptures.class)
public final class CaptureRegistry implements DeviceCaptures {
    private static final Logger LOG = LoggerFactory.getLogger(CaptureRegistry.class);
    /** As many as a device lets watch. */
    private static final int MOST = 4;

    private final Map<String, NetDevice> devices = new TreeMap<>();
    private final List<DeviceCapture> all = new ArrayList<>();
    /** The devices of files that are being opened, each of which has a place. */
    private final List<String> opening = new ArrayList<>();
    private boolean ended;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addDevice(NetDevice device) {
        synchronized (all) {
            devices.put(device.name(), device);
            for (DeviceCapture capture : all) {
                if (capture.device().equals(device.name())) {
                    goOn(capture, device);
                }
            }
        }
    }

    private static void goOn(DeviceCapture capture, NetDevice device) {
        try {
            capture.watch(device);
        } catch (Refusal refused) {
            LOG.warn("the capture {} does not go on: {}", capture.status().file(), refused.getMessage());
        }
    }

    void removeDevice(NetDevice device) {
        synchronized (all) {
            devices.remove(device.name(), device);
            all.forEach(capture -> capture.leave(device));
        }
    }

    @Deactivate
    void stop() {
        List<DeviceCapture> left;
        synchronized (all) {
            ended = true;
            left = List.copyOf(all);
            all.clear();
        }
        left.forEach(DeviceCapture::close);
    }

    @Override
    public CaptureStatus start(String name, Path file, int snap, long count) {
        reserve(name);
        DeviceCapture capture = open(name, file, snap, count);
        try {
            begin(capture);
        } catch (Refusal refused) {
            capture.discard();
            throw refused;
        }
        return capture.status();
    }

    private void reserve(String name) {
        synchronized (all) {
            NetDevice device = device(name);
            if (!device.claimant().isEmpty()) {
                throw new Refusal(Errno.EBUSY, "Nothing passes " + name + ": " + device.claimant()
                        + " has its port. 'capture start' at the link that the port is on shows its packets.");
            }
            long taken = Stream.concat(all.stream().map(DeviceCapture::device), opening.stream()).filter(name::equals)
                    .count();
            if (taken >= MOST) {
                throw new Refusal(Errno.EBUSY, name + " has " + MOST + " captures already; stop one of them.");
            }
            opening.add(name);
        }
    }

    /** Opens the file, with nothing held, for that may take long, and drivers' devices come and go meanwhile. */
    private DeviceCapture open(String name, Path file, int snap, long count) {
        DeviceCapture capture = null;
        try {
            capture = new DeviceCapture(name, file, snap, count);
            return capture;
        } finally {
            if (capture == null) {
                synchronized (all) {
                    opening.remove(name);
                }
            }
        }
    }

    /** From now on packets come; if the device has gone meanwhile, with the next of its name. */
    private void begin(DeviceCapture capture) {
        synchronized (all) {
            opening.remove(capture.device());
            if (ended) {
                throw new Refusal(Errno.ECANCELED, "The capture at " + capture.device() + " does not begin: captures at"
                        + " network devices came to their end while its file was opened.");
            }
            NetDevice device = devices.get(capture.device());
            if (device != null) {
                capture.watch(device);
            }
            all.add(capture);
        }
    }

    private NetDevice device(String name) {
        NetDevice device = devices.get(name);
        if (device == null) {
            throw new Refusal(Errno.ENODEV, "There is no network device '" + name
                    + "' to capture at; 'ip link' lists those there are.");
        }
        return device;
    }

    @Override
    public PacketListing list(String name, int snap, OutputStream copy) {
        synchronized (all) {
            device(name);
        }
        return new Listing(name, () -> present(name), snap, copy);
    }

    private NetDevice present(String name) {
        synchronized (all) {
            return devices.get(name);
        }
    }

    @Override
    public CaptureStatus stop(String name, Path file) {
        Path wanted = file.toAbsolutePath().normalize();
        DeviceCapture found;
        synchronized (all) {
            found = all.stream().filter(capture -> capture.device().equals(name)
                    && capture.status().file().toAbsolutePath().normalize().equals(wanted)).findFirst()
                    .orElseThrow(() -> new Refusal(Errno.ENOENT, "Nothing at " + name + " is being written to " + file
                            + "; 'capture list' shows what is."));
            all.remove(found);
        }
        found.close();
        return found.status();
    }

    @Override
    public List<CaptureStatus> captures() {
        synchronized (all) {
            return all.stream().map(DeviceCapture::status).toList();
        }
    }
}
