package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.UnpluggedPortAgent;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.LossCounter;
import io.manafold.api.device.PciAddresses;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.fabric.Link;
import io.manafold.memory.DmaTable;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;

/** An adapter for each configuration: builds it, brings its function onto the bus, leaves nothing behind. */
@Capability(namespace = "osgi.service", uses = Adapter.class,
        attribute = "objectClass:List<String>='io.manafold.api.adapter.Adapter'")
@Capability(namespace = "osgi.service", uses = LossCounter.class,
        attribute = "objectClass:List<String>='io.manafold.api.device.LossCounter'")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.fabric.Link)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.lab.Labs)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=org.osgi.service.cm.ConfigurationAdmin)")
@Component(immediate = true, service = {}, configurationPid = "io.manafold.adapter",
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = AdapterConfig.class, factory = true)
public final class AdapterComponent {
    /** Properties by which a lab knows what has come of it. */
    private static final String LAB = "io.manafold.lab";
    private static final String ENTRY = "io.manafold.lab.entry";

    @Reference
    private PciAddresses addresses;

    private final LinkPlugs plugs = new LinkPlugs();
    private PciAddresses.Held place;
    private UnpluggedPortAgent spare;
    private AdapterFunction function;
    private FunctionRegistration functionRegistration;
    private TurnHosts hosts;
    private ServiceRegistration<LossCounter> losses;
    private ServiceRegistration<Adapter> registration;
    /** Where settings are kept, or {@code null}; guarded by this, together with the function that is told. */
    private SavedSettings saved;
    /** Where events are told, or {@code null}; guarded by this, together with what tells them. */
    private EventLog log;
    private AdapterEvents told;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC,
            updated = "updatedLink")
    void addLink(Link link, Map<String, Object> properties) {
        plugs.add(link, properties);
    }

    void updatedLink(Link link, Map<String, Object> properties) {
        plugs.add(link, properties);
    }

    void removeLink(Link link) {
        plugs.remove(link);
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    synchronized void setSaved(SavedSettings settings) {
        saved = settings;
        if (function != null) {
            function.congestion().store(settings);
        }
    }

    synchronized void unsetSaved(SavedSettings settings) {
        if (saved == settings) {
            setSaved(null);
        }
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    synchronized void setLog(EventLog events) {
        log = events;
        if (told != null) {
            told.log(events);
        }
    }

    synchronized void unsetLog(EventLog events) {
        if (log == events) {
            log = null;
        }
        if (told != null) {
            told.forget(events);
        }
    }

    private synchronized AdapterEvents events(AdapterSettings settings) {
        told = new AdapterEvents(settings.name(), settings.address().toString(), System::nanoTime);
        told.log(log);
        return told;
    }

    @Activate
    void activate(BundleContext context, Map<String, Object> configuration) {
        AdapterSettings asked = AdapterSettings.read(configuration);
        String holder = "the adapter " + asked.name();
        place = asked.address() == null ? addresses.takeFirst(holder, PortMacs.DOMAIN)
                : addresses.take(holder, asked.address());
        try {
            open(context, asked.at(place.address()), configuration);
        } catch (RuntimeException | Error failed) {
            deactivate();
            throw failed;
        }
    }

    private void open(BundleContext context, AdapterSettings settings, Map<String, Object> configuration) {
        AdapterEvents events = events(settings);
        RejectionLog rejections = new RejectionLog(events);
        spare = new UnpluggedPortAgent(settings.name());
        List<EthernetPort> ports = new ArrayList<>();
        for (int i = 0; i < settings.ports(); i++) {
            ports.add(new EthernetPort(settings.name() + "/" + (i + 1), settings.macs().get(i), settings.queues(),
                    settings.speedBits(), settings.frame(), rejections, spare));
        }
        AdapterFunction made = new AdapterFunction(new FunctionParts(settings, new DmaTable(),
                new VectorTable(settings.limits().most(ObjectLimit.VECTORS)), List.copyOf(ports), rejections,
                new Faults(events)));
        synchronized (this) {
            function = made;
        }
        plugs.open(function);
        functionRegistration = new FunctionRegistration(context, function, properties(settings, configuration, LAB));
        // an export that lends the function waits for this service, and must know of it before any driver does
        registration = context.registerService(Adapter.class, new SoftwareAdapter(function, functionRegistration),
                properties(settings, configuration, LAB));
        hosts = new TurnHosts(context, settings.address(), ports);
        losses = context.registerService(LossCounter.class,
                () -> ports.stream().mapToLong(EthernetPort::framesLost).sum(),
                new Hashtable<>(Map.of(LossCounter.DEVICE, settings.address().toString())));
        functionRegistration.begin();
        // a lab's entry has arrived when its function is on the bus
        registration.setProperties(properties(settings, configuration, LAB, ENTRY));
        synchronized (this) {
            function.congestion().store(saved);
        }
    }

    /** @param kept which of the configuration's properties go along, if it has them */
    private static Hashtable<String, Object> properties(AdapterSettings settings, Map<String, Object> configuration,
            String... kept) {
        Hashtable<String, Object> properties = new Hashtable<>();
        for (String key : kept) {
            if (configuration.get(key) instanceof Object value) {
                properties.put(key, value);
            }
        }
        properties.put("name", settings.name());
        properties.put("address", settings.address().toString());
        return properties;
    }

    /** The driver leaves first, then the ports, then the memory. */
    @Deactivate
    void deactivate() {
        if (functionRegistration != null) {
            functionRegistration.end();
            // before a lab sees the entry go: what it brings next may want the address
            place.close();
        }
        unregister(losses);
        unregister(registration);
        if (hosts != null) {
            hosts.close();
        }
        plugs.close();
        try {
            if (function != null) {
                function.close();
            }
        } finally {
            if (spare != null) {
                spare.close();
            }
            place.close();
        }
    }

    private static void unregister(ServiceRegistration<?> registration) {
        if (registration != null) {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
                return;
            }
        }
    }
}
