package io.manafold.itests;

import io.manafold.api.lab.Labs;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ManagedServiceFactory;

/** Takes the devices of a lab, so that it may list some where drivers are played that make none. */
final class DeviceTaker implements ManagedServiceFactory {
    static final String PID = "io.manafold.device";

    private final BundleContext context;
    private final Map<String, ServiceRegistration<?>> entries = new ConcurrentHashMap<>();

    DeviceTaker(BundleContext context) {
        this.context = context;
    }

    @Override
    public String getName() {
        return "devices of labs";
    }

    @Override
    public void updated(String pid, Dictionary<String, ?> properties) {
        deleted(pid);
        Object entry = properties.get(Labs.ENTRY);
        if (entry != null) {
            entries.put(pid, context.registerService(Object.class, this,
                    new Hashtable<>(Map.of(Labs.ENTRY, entry))));
        }
    }

    @Override
    public void deleted(String pid) {
        ServiceRegistration<?> entry = entries.remove(pid);
        if (entry != null) {
            entry.unregister();
        }
    }

    void close() {
        entries.keySet().forEach(this::deleted);
    }
}
