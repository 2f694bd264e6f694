package io.manafold.adapter.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.Designate;

/** A fault or a script of faults for each configuration: begun by its adapter whenever that is there. */
@Component(immediate = true, service = FaultComponent.class, configurationPid = "io.manafold.fault",
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = FaultConfig.class, factory = true)
public final class FaultComponent {
    private final Map<String, Adapter> adapters = new HashMap<>();
    private String adapter;
    /** {@code null} if it is a script. */
    private Fault fault;
    /** {@code null} if it is one fault. */
    private List<String> script;
    private String name;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    synchronized void addAdapter(Adapter added) {
        adapters.put(added.name(), added);
        if (added.name().equals(adapter)) {
            begin(added);
        }
    }

    private void begin(Adapter with) {
        if (script != null) {
            with.play(name, script);
        } else {
            with.inject(fault);
        }
    }

    synchronized void removeAdapter(Adapter removed) {
        adapters.remove(removed.name(), removed);
    }

    @Activate
    synchronized void activate(Map<String, Object> configuration) {
        name = String.valueOf(configuration.get("name"));
        String about = String.valueOf(configuration.get("adapter"));
        if (configuration.get("script") instanceof String[] lines
                && List.of(lines).stream().anyMatch(line -> !line.isBlank())) {
            script = List.of(lines);
            new FaultScriptReader(about, name, null).read(script, 0);
        } else {
            fault = read(configuration);
            Faults.check(fault);
        }
        adapter = about;
        Adapter present = adapters.get(adapter);
        if (present != null) {
            begin(present);
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
                    + "'. Choose status, late, twice, short, oversized, reordered, withhold or withhold-completion.");
        }
        Object message = configuration.get(effect == Fault.Effect.WITHHOLD_COMPLETION ? "port" : "message");
        long status = configuration.get("status") instanceof Number given ? given.longValue()
                : Integer.toUnsignedLong(Status.DENIED);
        long delay = configuration.get("delay") instanceof Number given ? given.longValue() : 0;
        String about = message == null || message.toString().isEmpty() ? null : message.toString();
        return new Fault(name, about, effect, (int) status, delay, Boolean.TRUE.equals(configuration.get("once")));
    }

    private boolean isThere(Adapter with) {
        return script == null ? with.faults().stream().anyMatch(one -> one.name().equals(name))
                : with.scripted().stream().anyMatch(one -> one.script().equals(name));
    }

    @Deactivate
    synchronized void deactivate() {
        Adapter present = adapters.get(adapter);
        if (present != null && isThere(present)) {
            present.clearFault(name);
        }
        adapter = null;
    }
}
