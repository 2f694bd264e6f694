package io.manafold.itests.bundles;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.SavedSettings;
import io.manafold.itests.script.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/** The live platform around a test; afterwards everything the test brought is gone, and nothing else. */
public final class Platform implements AfterEachCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final BundleContext context = FrameworkUtil.getBundle(Platform.class).getBundleContext();
    private final List<Bundle> bundles = new ArrayList<>();
    private final List<TestFunction> functions = new ArrayList<>();
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();

    public BundleContext context() {
        return context;
    }

    public DriverCore core() {
        return service(DriverCore.class);
    }

    /** The drivers of tests; others may have brought one for their own use. */
    public List<DriverStatus> drivers() {
        return core().drivers().stream().filter(driver -> driver.bundle().startsWith("test.")).toList();
    }

    public EventLog events() {
        return service(EventLog.class);
    }

    /** The service, kept in use until the framework ends: some stop working for a bundle that gives them back. */
    public <T> T service(Class<T> type) {
        ServiceTracker<T, ServiceReference<T>> tracker = new ServiceTracker<T, ServiceReference<T>>(context, type,
                null) {
            @Override
            public ServiceReference<T> addingService(ServiceReference<T> reference) {
                return reference;
            }

            @Override
            public void removedService(ServiceReference<T> reference, ServiceReference<T> same) {
                // nothing was taken
            }
        };
        tracker.open();
        try {
            ServiceReference<T> reference = tracker.waitForService(PATIENCE.toMillis());
            assertThat(reference).as("a service of type %s", type).isNotNull();
            return context.getService(reference);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } finally {
            tracker.close();
        }
    }

    public Bundle start(DriverBundle driver) throws BundleException {
        Bundle bundle = driver.install();
        bundles.add(bundle);
        bundle.start();
        return bundle;
    }

    public TestFunction plug(TestFunction function) {
        functions.add(function);
        return function.plug();
    }

    public TestFunction plug(String address) {
        return plug(new TestFunction(address));
    }

    public void script(Script script) {
        register(Script.class, script);
    }

    public <T> void register(Class<T> type, T service) {
        register(type, service, Map.of());
    }

    public <T> void register(Class<T> type, T service, Map<String, Object> properties) {
        registrations.add(context.registerService(type, service, new Hashtable<>(properties)));
    }

    /** Waits until nothing is under way. */
    public Platform settle() throws InterruptedException {
        assertThat(core().settle(PATIENCE)).as("the core comes to rest").isTrue();
        return this;
    }

    public DeviceStatus device(String id) throws InterruptedException {
        settle();
        return find(id).orElseThrow(() -> new AssertionError("no device " + id + " among " + core().devices()));
    }

    public Optional<DeviceStatus> find(String id) {
        return core().devices().stream().filter(device -> device.id().equals(id)).findAny();
    }

    /** Waits for a device that comes in its own time. */
    public void await(String id) throws InterruptedException {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (find(id).isEmpty()) {
            assertThat(System.nanoTime()).as("waiting for %s", id).isLessThan(giveUp);
            Thread.sleep(1);
        }
    }

    public void assertBound(String id, String driver) throws InterruptedException {
        DeviceStatus status = device(id);
        assertThat(status.driver().map(DriverChoice::toString)).as("driver of %s: %s", id, status).contains(driver);
        assertThat(status.state()).isEqualTo(DeviceState.BOUND);
    }

    public void assertFree(String id) throws InterruptedException {
        DeviceStatus status = device(id);
        assertThat(status.driver()).as("driver of %s: %s", id, status).isEmpty();
    }

    /** Gives the core other limits; it restarts with them, and again with its own at the end of the test. */
    public void limits(Duration probe, Duration remove) throws IOException, InterruptedException {
        configure(Map.of("probe.limit", probe.toMillis(), "remove.limit", remove.toMillis()));
    }

    /** Has the core keep what administrators set elsewhere; like {@link #limits}. */
    public void folder(Path folder) throws IOException, InterruptedException {
        configure(Map.of("folder", folder.toString()));
    }

    private void configure(Map<String, Object> settings) throws IOException, InterruptedException {
        configuration().update(new Hashtable<>(settings));
        awaitCore(core -> settings.entrySet().stream()
                .allMatch(entry -> entry.getValue().equals(core.getProperty(entry.getKey()))));
    }

    /**
     * Waits for a core that is as the predicate asks for, and for what it keeps settings in, which starts again on its
     * own: their configuration shows in the properties of their services.
     */
    private void awaitCore(Predicate<ServiceReference<?>> good) throws InterruptedException {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUp) {
            if (Stream.of(DriverCore.class, SavedSettings.class).<ServiceReference<?>>map(context::getServiceReference)
                    .allMatch(now -> now != null && good.test(now))) {
                return;
            }
            Thread.sleep(1);
        }
        throw new AssertionError("the core did not start again as it should");
    }

    private Configuration configuration() throws IOException {
        return service(ConfigurationAdmin.class).getConfiguration("io.manafold.bus", "?");
    }

    @Override
    public void afterEach(ExtensionContext test) throws Exception {
        for (ServiceRegistration<?> registration : registrations) {
            registration.unregister();
        }
        for (Bundle bundle : bundles) {
            if (bundle.getState() != Bundle.UNINSTALLED) {
                bundle.uninstall();
            }
        }
        for (DeviceStatus device : settle().core().devices()) {
            if (device.override().isPresent()) {
                core().override(device.id(), null);
            }
            if (device.unboundByHand()) {
                core().bind(device.id(), null);
            }
        }
        for (TestFunction function : functions) {
            if (function.plugged()) {
                function.unplug();
            }
        }
        if (configuration().getProperties() != null) {
            configuration().delete();
            awaitCore(core -> ((String) core.getProperty("folder")).isEmpty()
                    && core.getProperty("probe.limit").equals(10_000L));
        }
        settle();
        assertThat(core().devices()).as("devices left behind").isEmpty();
        assertThat(drivers()).as("drivers left behind").isEmpty();
    }
}
