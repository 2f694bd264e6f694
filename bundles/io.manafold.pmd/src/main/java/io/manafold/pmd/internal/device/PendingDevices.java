package io.manafold.pmd.internal.device;

import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * Devices that are registered and have not been handed to the component yet. Those who start an environment may be told
 * of a device first, on the very thread that would tell the component next: so nothing is waited for, and what is
 * registered is taken.
 */
final class PendingDevices {
    private final BundleContext context;
    private final Directory directory;
    /**
     * What was taken early, until the component has it too: a device that no bundle holds forgets what was made of it.
     */
    private final Map<Object, ServiceReference<?>> early = new HashMap<>();

    PendingDevices(BundleContext context, Directory directory) {
        this.context = context;
        this.directory = directory;
    }

    /**
     * Has the directory know all that is registered.
     *
     * @param raw which devices of RDMA are wanted
     * @param ofPorts which network devices are wanted
     * @return devices that were taken early and have gone before the component heard of them
     */
    synchronized List<Object> take(String raw, String ofPorts) {
        List<Object> gone = early.entrySet().stream().filter(one -> one.getValue().getBundle() == null)
                .map(Map.Entry::getKey).toList();
        gone.forEach(early::remove);
        for (ServiceReference<RdmaDevice> one : registered(RdmaDevice.class, raw)) {
            RdmaDevice device = context.getService(one);
            if (device != null && !isKnown(one, device, directory.has(device))) {
                directory.add(device, String.valueOf(one.getProperty("address")),
                        String.valueOf(one.getProperty("name")));
            }
        }
        for (ServiceReference<NetDevice> one : registered(NetDevice.class, ofPorts)) {
            NetDevice device = context.getService(one);
            if (device != null && !isKnown(one, device, directory.has(device))) {
                directory.add(device);
            }
        }
        return gone;
    }

    private boolean isKnown(ServiceReference<?> reference, Object device, boolean known) {
        if (known || early.putIfAbsent(device, reference) != null) {
            context.ungetService(reference);
            return true;
        }
        return false;
    }

    private <T> Collection<ServiceReference<T>> registered(Class<T> type, String filter) {
        try {
            return context.getServiceReferences(type, filter);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The component has a device now. */
    synchronized void here(Object device) {
        ServiceReference<?> reference = early.remove(device);
        if (reference != null) {
            context.ungetService(reference);
        }
    }
}
