package io.manafold.vfio.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.ExportCosts;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.vfio.internal.borrow.BorrowedFunction;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/**
 * One entry: which adapter is to be lent where. The function is taken when it is there, and given back at the end. The
 * service carries the entry's properties, by which a lab knows that it has arrived, from when a virtual machine can
 * connect or something has to be said.
 */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=org.osgi.service.cm.ConfigurationAdmin)")
@Component(service = {}, immediate = true, configurationPid = ExportComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ExportComponent.Config.class, factory = true)
public final class ExportComponent implements Export {
    static final String PID = "io.manafold.export";

    private static final long LEAST_BYTES = 1 << 20;

    private final String name;
    private final String adapter;
    private final Path socket;
    private final long mostBytes;
    private final ExportOverrides overrides;
    private final BundleContext context;
    private final Map<String, Object> properties;
    private ServiceRegistration<Export> registration;
    private boolean arrived;
    private volatile PciFunction function;
    private volatile Adapter expected;
    private volatile Lease lease;
    private volatile String problem;
    private volatile long sessionsBefore;

    /** An adapter that is lent over a socket. */
    @ObjectClassDefinition(name = "Manafold export")
    public @interface Config {
        @AttributeDefinition(description = "What the export is called; the adapter's name if empty.", required = false)
        String name() default "";

        @AttributeDefinition(description = "The adapter to lend.")
        String adapter();

        @AttributeDefinition(description = "The socket a virtual machine connects to; a relative path lies in the "
                + "folder 'vfio' of the platform's data folder. If empty: the adapter's name there.", required = false)
        String socket() default "";

        @AttributeDefinition(description = "How many bytes of its memory a virtual machine can have mapped here.",
                required = false)
        long memory() default 1L << 40;
    }

    @Activate
    public ExportComponent(BundleContext context, Config config, Map<String, Object> properties,
            @Reference ExportOverrides overrides) {
        this.context = context;
        this.properties = properties;
        this.adapter = Names.checked("an export's adapter", config.adapter());
        this.name = config.name() == null || config.name().isEmpty() ? adapter 
                : Names.checked("an export's name", config.name());
        this.socket = SocketPath.of(context, adapter, config.socket());
        this.mostBytes = config.memory();
        if (mostBytes < LEAST_BYTES) {
            throw new Refusal(Errno.EINVAL, "The export " + name + " cannot be made: its setting memory is " + mostBytes
                    + "; a machine needs " + LEAST_BYTES + " bytes at least.");
        }
        this.overrides = overrides;
    }

    @Activate
    void begin() {
        synchronized (this) {
            registration = context.registerService(Export.class, this, new Hashtable<>(Map.of("name", name)));
        }
        overrides.add(this);
    }

    @Deactivate
    void end() {
        overrides.remove(this);
        synchronized (this) {
            registration.unregister();
            registration = null;
        }
    }

    @Override
    public void tell(Kind kind, String sentence) {
        ServiceReference<EventLog> reference = context.getServiceReference(EventLog.class);
        EventLog events = reference == null ? null : context.getService(reference);
        if (events != null) {
            events.post(kind, function(), null, sentence);
            context.ungetService(reference);
        }
    }

    private void arrive() {
        ServiceRegistration<Export> shown;
        synchronized (this) {
            if (arrived || registration == null) {
                return;
            }
            arrived = true;
            shown = registration;
        }
        try {
            shown.setProperties(new Hashtable<>(properties));
        } catch (IllegalStateException over) {
            // the entry went in this moment, and with it the lab that waits for it
            return;
        }
    }

    /** An adapter is known before its function comes, so that no other driver has that first. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addAdapter(Adapter arrived, Map<String, Object> properties) {
        if (adapter.equals(properties.get("name"))) {
            expected = arrived;
            overrides.expect();
        }
    }

    void removeAdapter(Adapter gone) {
        if (expected == gone) {
            expected = null;
            overrides.expect();
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addFunction(PciFunction arrived, Map<String, Object> properties) {
        // adapters are lent; what is borrowed may be called as it likes
        if (!(arrived instanceof BorrowedFunction) && adapter.equals(properties.get("name"))) {
            function = arrived;
            overrides.look();
        }
    }

    void removeFunction(PciFunction gone) {
        if (function == gone) {
            function = null;
            problem = null;
            overrides.look();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String adapter() {
        return adapter;
    }

    @Override
    public Path socket() {
        return socket;
    }

    @Override
    public long mostBytes() {
        return mostBytes;
    }

    @Override
    public String function() {
        PciFunction seen = function;
        return seen == null ? null : seen.id();
    }

    @Override
    public String expected() {
        Adapter seen = expected;
        return seen == null ? null : seen.address().toString();
    }

    @Override
    public void lent(Lease begun) {
        lease = begun;
        problem = null;
        arrive();
    }

    @Override
    public void returned(Lease over) {
        if (lease == over) {
            sessionsBefore += over.sessions();
            lease = null;
        }
    }

    @Override
    public void problem(String sentence) {
        problem = sentence;
        arrive();
    }

    @Override
    public ExportStatus status() {
        PciFunction lent = function;
        Lease now = lease;
        String wrong = problem != null || now == null ? problem : now.problem();
        return new ExportSnapshot(name, adapter, lent == null ? null : lent.id(), socket,
                now != null && now.connected(), now != null && now.listening(),
                lent == null || now == null ? 0 : lent.dma().ranges(),
                lent == null || now == null ? 0 : lent.dma().bytes(), mostBytes,
                sessionsBefore + (now == null ? 0 : now.sessions()), now == null ? ExportCosts.NONE : now.costs(),
                wrong != null ? List.of(wrong)
                        : lent == null ? List.of("there is no adapter '" + adapter + "'; it is lent when it comes")
                        : now == null ? List.of("the function is not lent yet") : List.of());
    }
}
