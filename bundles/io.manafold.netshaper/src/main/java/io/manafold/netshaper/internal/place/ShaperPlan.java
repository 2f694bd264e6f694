package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.api.shaper.ShaperScope;
import java.util.Hashtable;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/**
 * A limit that the configuration wants; it is set when its device is there, unless an administrator has set something
 * else. The service carries the entry's properties, by which a lab knows that it has arrived, from then on.
 */
@Component(service = {}, immediate = true, configurationPid = "io.manafold.shaper",
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ShaperPlan.Config.class, factory = true)
public final class ShaperPlan {
    private final String device;
    private final Shaper shaper;
    private final BundleContext context;
    private final Map<String, Object> properties;
    private ServiceRegistration<ShaperPlan> registration;
    private boolean arrived;

    /** One limit. */
    @ObjectClassDefinition(name = "Manafold shaper")
    public @interface Config {
        @AttributeDefinition(description = "The network device.")
        String device();

        @AttributeDefinition(description = "What is limited: netdev, queue or node.")
        String scope() default "netdev";

        @AttributeDefinition(description = "The queue or node, counted from 0.")
        int id() default 0;

        @AttributeDefinition(description = "The node that a queue or node is below; -1 for none.")
        int parent() default -1;

        @AttributeDefinition(description = "What rates and burst count: bps or pps.")
        String metric() default "bps";

        @AttributeDefinition(description = "The ceiling in bits or packets a second; 0 for none.")
        long bw$_$max() default 0;

        @AttributeDefinition(description = "The guarantee in bits or packets a second; 0 for none.")
        long bw$_$min() default 0;

        @AttributeDefinition(description = "What a pause may be made up for at once, in bytes or packets; 0 for the "
                + "usual.")
        long burst() default 0;

        @AttributeDefinition(description = "Strict priority among its neighbours, higher first.")
        int priority() default 0;

        @AttributeDefinition(description = "Share among neighbours of its priority; 0 counts as 1.")
        int weight() default 0;
    }

    @Activate
    public ShaperPlan(BundleContext context, Config config, Map<String, Object> properties) {
        this.context = context;
        this.properties = properties;
        if (config.device() == null || config.device().isEmpty()) {
            throw new Refusal(Errno.EINVAL, "A shaper needs a device.");
        }
        this.device = config.device();
        ShaperHandle handle = switch (config.scope()) {
            case "netdev" -> ShaperHandle.NETDEV;
            case "queue" -> ShaperHandle.queue(config.id());
            case "node" -> ShaperHandle.node(config.id());
            default -> throw new Refusal(Errno.EINVAL, "A shaper's scope is netdev, queue or node, not '"
                    + config.scope() + "'.");
        };
        ShaperMetric metric = switch (config.metric()) {
            case "bps" -> ShaperMetric.BPS;
            case "pps" -> ShaperMetric.PPS;
            default -> throw new Refusal(Errno.EINVAL, "A shaper's metric is bps or pps, not '" + config.metric()
                    + "'.");
        };
        boolean below = config.parent() >= 0 && handle.scope() != ShaperScope.NETDEV;
        this.shaper = new Shaper(handle, below ? ShaperHandle.node(config.parent()) : Shaper.of(handle).parent(),
                metric, config.bw$_$min(), config.bw$_$max(), config.burst(), config.priority(), config.weight());
    }

    @Activate
    void begin() {
        ServiceRegistration<ShaperPlan> made = context.registerService(ShaperPlan.class, this, null);
        synchronized (this) {
            registration = made;
        }
        show();
    }

    @Deactivate
    void end() {
        ServiceRegistration<ShaperPlan> over;
        synchronized (this) {
            over = registration;
            registration = null;
        }
        over.unregister();
    }

    /** It was carried out, or refused: there is nothing to wait for any more. */
    void arrive() {
        synchronized (this) {
            arrived = true;
        }
        show();
    }

    private void show() {
        ServiceRegistration<ShaperPlan> shown;
        synchronized (this) {
            shown = arrived ? registration : null;
        }
        if (shown != null) {
            try {
                shown.setProperties(new Hashtable<>(properties));
            } catch (IllegalStateException over) {
                // the entry went in this moment, and with it the lab that waits for it
                return;
            }
        }
    }

    String device() {
        return device;
    }

    Shaper shaper() {
        return shaper;
    }
}
