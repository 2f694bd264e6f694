package io.manafold.lab.internal;

import io.manafold.api.device.DriverCore;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.LabStatus;
import io.manafold.api.lab.Labs;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.lab.internal.Configurations.Running;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings labs up and down by making configurations of what their files list. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.adapter.Adapter)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.fabric.Link)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.inet.Hosts)")
@Component(immediate = true, service = Labs.class, configurationPolicy = ConfigurationPolicy.IGNORE)
public final class LabBook implements Labs {
    private static final Logger LOG = LoggerFactory.getLogger(LabBook.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LabLibrary library;
    private final Configurations configurations;
    private final ConfigurationConsumers consumers;
    private final Arrivals arrivals;
    private final ExclusiveChanges exclusive = new ExclusiveChanges(PATIENCE);

    /** May come and go: labs can be read, and brought up, without one. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile DriverCore core;

    /** Without it nothing that was set by hand outlives a lab. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile SavedSettings settings;

    @Activate
    public LabBook(BundleContext context, @Reference ConfigurationAdmin admin,
            @Reference ServiceComponentRuntime runtime) {
        this(new LabLibrary(builtIn(context), folder(context)), new Configurations(admin),
                new ConfigurationConsumerLookup(context, runtime), new ServiceArrivals(context));
    }

    LabBook(LabLibrary library, Configurations configurations, ConfigurationConsumers consumers, Arrivals arrivals) {
        this.library = library;
        this.configurations = configurations;
        this.consumers = consumers;
        this.arrivals = arrivals;
    }

    private static Map<String, URL> builtIn(BundleContext context) {
        Map<String, URL> found = new HashMap<>();
        for (URL url : Collections.list(context.getBundle().findEntries("labs", "*.yaml", false))) {
            found.put(LabLibrary.nameOf(url.getPath()), url);
        }
        return found;
    }

    private static Path folder(BundleContext context) {
        String data = context.getProperty("manafold.data");
        return data == null || data.isBlank() ? null : Path.of(data, "labs");
    }

    @Override
    public List<LabStatus> list() {
        Optional<Running> running = configurations.running();
        List<LabStatus> labs = new ArrayList<>();
        boolean shown = false;
        for (String name : library.names()) {
            LabStatus lab = status(name, running);
            labs.add(lab);
            shown |= lab.up();
        }
        if (running.isPresent() && !shown) {
            Running lab = running.get();
            labs.add(new LabStatus(lab.lab(), true, lab.source(), held(lab.lab()).size(), ""));
        }
        return labs;
    }

    private LabStatus status(String name, Optional<Running> running) {
        LabSource source;
        try {
            source = library.find(name);
        } catch (Refusal e) {
            return new LabStatus(name, false, String.valueOf(library.folder()), 0, firstLine(e));
        }
        boolean up = running.equals(Optional.of(new Running(name, source.origin())));
        try {
            return new LabStatus(name, up, source.origin(), LabReader.read(source).entries().size(), source.title());
        } catch (Refusal e) {
            return new LabStatus(name, up, source.origin(), 0, firstLine(e));
        }
    }

    private static String firstLine(Refusal refusal) {
        return refusal.getMessage().lines().findFirst().orElse("");
    }

    @Override
    public String text(String nameOrFile) {
        return library.find(nameOrFile).text();
    }

    @Override
    public List<LabChange> diff(String nameOrFile) {
        Lab lab = LabReader.read(library.find(nameOrFile));
        List<LabChange> changes = new ArrayList<>(Plan.changes(Plan.towards(lab, configurations.held())));
        changes.addAll(ManualSettings.of(lab.name(), settings));
        return changes;
    }

    @Override
    public List<LabChange> up(String nameOrFile) {
        Lab lab = LabReader.read(library.find(nameOrFile));
        return exclusive.run(() -> up(lab));
    }

    private List<LabChange> up(Lab lab) {
        refuseUnserved(lab);
        Set<String> foreign = configurations.foreign();
        for (Entry entry : lab.entries()) {
            if (foreign.contains(entry.pid())) {
                throw new Refusal(Errno.EEXIST, lab.source().file() + ", line " + entry.line() + ": " + entry.path()
                        + " is there already as the configuration " + entry.pid()
                        + ", which no lab has made; remove that one, or choose another name here.");
            }
        }
        List<Step> steps = new ArrayList<>(Plan.towards(lab, configurations.held()));
        Running now = new Running(lab.name(), lab.source().origin());
        Optional<Running> before = configurations.running();
        if (!before.equals(Optional.of(now))) {
            steps.add(new Step(null, Configurations.RECORD, before.map(Running::properties).orElse(null),
                    now.properties()));
        }
        configurations.take(steps, lab.name());
        List<LabChange> changes = Plan.changes(steps);
        if (!steps.isEmpty()) {
            LOG.info("lab {} is up ({}): {} changed", lab.name(), lab.source().origin(), changes.size());
        }
        return changes;
    }

    private void refuseUnserved(Lab lab) {
        Section asked = null;
        for (Entry entry : lab.entries()) {
            Section section = entry.section();
            if (section != asked && !consumers.serves(section.pid())) {
                throw new Refusal(Errno.EOPNOTSUPP, lab.source().file() + ", line " + entry.line() + ": nothing on "
                        + "this platform takes " + section.title() + ": no component is configured by the factory PID "
                        + section.pid() + ". Add a bundle with such a component, or take " + section.title()
                        + " out of the file.");
            }
            asked = section;
        }
    }

    @Override
    public List<LabChange> down(String nameOrLab) {
        String name = LabLibrary.nameOf(nameOrLab);
        return exclusive.run(() -> {
            SortedMap<String, Map<String, Object>> held = held(name);
            List<Step> steps = new ArrayList<>(Plan.removal(held));
            configurations.running().filter(running -> running.lab().equals(name)).ifPresent(
                    running -> steps.add(new Step(null, Configurations.RECORD, running.properties(), null)));
            if (steps.isEmpty()) {
                // Nothing to take away; but a name of no lab is more likely a slip than a wish.
                library.find(nameOrLab);
                return List.of();
            }
            // a command that waits for their end has to know them
            arrivals.arrived();
            configurations.take(steps, name);
            LOG.info("lab {} is down: {} removed", name, held.size());
            return Plan.changes(steps);
        });
    }

    @Override
    public List<LabChange> forget(String nameOrFile, Duration limit) throws InterruptedException {
        String name = LabReader.read(library.find(nameOrFile)).name();
        List<LabChange> changes = down(nameOrFile);
        List<String> left = settleGone(limit);
        if (!left.isEmpty()) {
            throw new Refusal(Errno.ETIMEDOUT, "What was set on lab '" + name + "' is not forgotten: after "
                    + limit.toSeconds() + " s it is not gone:\n  " + String.join("\n  ", left));
        }
        ManualSettings.forget(name, settings);
        return changes;
    }

    private SortedMap<String, Map<String, Object>> held(String lab) {
        SortedMap<String, Map<String, Object>> held = new TreeMap<>(configurations.held());
        held.values().removeIf(properties -> !lab.equals(properties.get(Labs.LAB)));
        return held;
    }

    @Override
    public List<String> settle(Duration limit) throws InterruptedException {
        return new Settling(arrivals, consumers, limit).await(configurations.held(), core);
    }

    @Override
    public List<String> settleGone(Duration limit) throws InterruptedException {
        return new Settling(arrivals, consumers, limit).awaitGone(configurations.held(), core);
    }

    @Override
    public Path folder() {
        return library.folder();
    }
}
