package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.lab.Labs;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broken state that a lab lists. It is brought about on a thread of its own once the adapter is driven, and its entry
 * has arrived then; with the lab it ends.
 */
@Component(immediate = true, service = {}, configurationPid = "io.manafold.state",
        configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class LabState {
    private static final Logger LOG = LoggerFactory.getLogger(LabState.class);
    private static final long GLANCE = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BundleContext context;
    private final Topology topology;
    private final BrokenState state;
    private final String adapterName;
    private final Dictionary<String, Object> properties = new Hashtable<>();
    private final Thread thread;
    /** Guarded by this object. */
    private ServiceRegistration<LabState> arrived;
    private boolean over;

    @Activate
    public LabState(BundleContext context, @Reference Topology topology, Map<String, Object> configuration) {
        this.context = context;
        this.topology = topology;
        state = BrokenState.of(String.valueOf(configuration.get("state")));
        adapterName = String.valueOf(configuration.get("adapter"));
        for (String name : new String[] {Labs.LAB, Labs.ENTRY}) {
            Optional.ofNullable(configuration.get(name)).ifPresent(value -> properties.put(name, value));
        }
        thread = Thread.ofPlatform().daemon().name("manafold-state-" + adapterName).start(this::bringAbout);
    }

    private void bringAbout() {
        try {
            Adapter adapter = awaitAdapter();
            topology.awaitDriven(adapter.address());
            state.bringAbout(topology, adapter);
            ServiceRegistration<LabState> mine = context.registerService(LabState.class, this, properties);
            boolean late;
            synchronized (this) {
                late = over;
                arrived = late ? null : mine;
            }
            if (late) {
                mine.unregister();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException refused) {
            LOG.warn("The state {} of the adapter {} is not brought about: {}", state.word(), adapterName,
                    refused.getMessage());
        }
    }

    private Adapter awaitAdapter() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            Optional<Adapter> found = topology.findAdapter(adapterName);
            if (found.isPresent()) {
                return found.get();
            }
            Thread.sleep(GLANCE);
        }
        throw new Refusal(Errno.ENODEV, "The adapter " + adapterName + " has not come within " + PATIENCE.toSeconds()
                + " s.");
    }

    /** What the driver core keeps of the state would otherwise outlive the lab. */
    @Deactivate
    void end() throws InterruptedException {
        ServiceRegistration<LabState> leaving;
        synchronized (this) {
            over = true;
            leaving = arrived;
            arrived = null;
        }
        if (leaving != null) {
            leaving.unregister();
        }
        thread.interrupt();
        thread.join(PATIENCE);
        try {
            Optional<Adapter> adapter = topology.findAdapter(adapterName);
            if (adapter.isPresent()) {
                state.takeBack(topology, adapter.get());
            }
        } catch (RuntimeException refused) {
            LOG.warn("The state {} of the adapter {} is not taken back: {}", state.word(), adapterName,
                    refused.getMessage());
        }
    }
}
