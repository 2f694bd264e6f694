package io.manafold.adapter.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Status;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** A fault for each configuration: injected into its adapter whenever that is there. */
@Component(immediate = true, service = FaultComponent.class, configurationPid = "io.manafold.fault",
        configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class FaultComponent {
    private final Map<String, Adapter> adapters = new HashMap<>();
    private String adapter;
    private Fault fault;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    synchronized void addAdapter(Adapter added) {
        adapters.put(added.name(), added);
        if (fault != null && added.name().equals(adapter)) {
            added.inject(fault);
        }
    }

    synchronized void removeAdapter(Adapter removed) {
        adapters.remove(removed.name(), removed);
    }

    @Activate
    synchronized void activate(Map<String, Object> configuration) {
        fault = read(configuration);
        Faults.check(fault);
        adapter = String.valueOf(configuration.get("adapter"));
        Adapter present = adapters.get(adapter);
        if (present != null) {
            present.inject(fault);
        }
    }

    private static Fault read(Map<String, Object> configuration) {
        String name = String.valueOf(configuration.get("name"));
        Object word = configuration.getOrDefault("effect", "status");
        Fault.Effect effect;
        try {
            effect = Fault.Effect.valueOf(word.toString().toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new Refusal(Errno.EINVAL, "The fault " + name + " cannot be: there is no effect '" + word
                    + "'. Choose status, late, twice, short, withhold or withhold-completion.");
        }
        Object message = configuration.get(effect == Fault.Effect.WITHHOLD_COMPLETION ? "port" : "message");
        long status = configuration.get("status") instanceof Number given ? given.longValue()
                : Integer.toUnsignedLong(Status.DENIED);
        long delay = configuration.get("delay") instanceof Number given ? given.longValue() : 0;
        return new Fault(name, message == null ? null : message.toString(), effect, (int) status, delay,
                Boolean.TRUE.equals(configuration.get("once")));
    }

    @Deactivate
    synchronized void deactivate() {
        Adapter present = adapters.get(adapter);
        if (present != null && present.faults().stream().anyMatch(one -> one.name().equals(fault.name()))) {
            present.clearFault(fault.name());
        }
        fault = null;
    }
}
