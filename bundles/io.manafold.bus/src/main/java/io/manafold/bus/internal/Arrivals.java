package io.manafold.bus.internal;

import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.EventLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;

/**
 * The registry as a bus. An arrival is only noted; the service is fetched and asked who it is on a thread of its own. A
 * departure waits until the core is done with the service.
 */
final class Arrivals {
    private static final Pattern NAME = Pattern.compile("[\\p{Graph}&&[^'\"]]{1,128}");

    private final BundleContext context;
    private final Loop loop;
    private final Calls calls;
    private final DeviceRegistry registry;
    private final Reconciler reconciler;
    private final EventLog events;
    private final Duration limit;
    private final CompletableFuture<Void> over;
    private final ServiceTracker<Device, ServiceReference<Device>> devices;
    private final ServiceTracker<Driver, ServiceReference<Driver>> drivers;
    /** Devices that are being asked who they are. Confined to the loop. */
    private final Set<ServiceReference<Device>> expected = new HashSet<>();
    private volatile boolean closed;

    /** @param over is done when the loop has ended, and nothing is done about what leaves any more */
    Arrivals(BundleContext context, Loop loop, Calls calls, DeviceRegistry registry, Reconciler reconciler,
            EventLog events, Duration limit, CompletableFuture<Void> over) {
        this.context = context;
        this.loop = loop;
        this.calls = calls;
        this.registry = registry;
        this.reconciler = reconciler;
        this.events = events;
        this.limit = limit;
        this.over = over;
        this.devices = new ServiceTracker<>(context, Device.class, customizer(this::meetDevice, this::deviceLeaves));
        this.drivers = new ServiceTracker<>(context, Driver.class, customizer(this::meetDriver, this::driverLeaves));
    }

    void open() {
        devices.open();
        drivers.open();
    }

    void close() {
        closed = true;
        drivers.close();
        devices.close();
    }

    /** What the loop does about a service. */
    private interface Step<S> {
        void take(ServiceReference<S> reference);
    }

    /** What the loop does about the end of a service, and whom it tells when that is done. */
    private interface LastStep<S> {
        void take(ServiceReference<S> reference, Runnable done);
    }

    private <S> ServiceTrackerCustomizer<S, ServiceReference<S>> customizer(Step<S> arrival, LastStep<S> departure) {
        return new ServiceTrackerCustomizer<>() {
            @Override
            public ServiceReference<S> addingService(ServiceReference<S> reference) {
                loop.tell(() -> arrival.take(reference));
                return reference;
            }

            @Override
            public void modifiedService(ServiceReference<S> reference, ServiceReference<S> same) {
                // properties of a device or driver say nothing that the core goes by
            }

            @Override
            public void removedService(ServiceReference<S> reference, ServiceReference<S> same) {
                if (!closed) {
                    CompletableFuture<Void> gone = new CompletableFuture<>();
                    loop.tell(() -> departure.take(reference, () -> gone.complete(null)));
                    Bus.await(CompletableFuture.anyOf(gone, over), reference);
                }
            }
        };
    }

    private void meetDevice(ServiceReference<Device> reference) {
        expected.add(reference);
        meet(reference, () -> {
            Device device = context.getService(reference);
            return device == null ? null : new DeviceNode(reference, device, device.id());
        }, node -> {
            if (node.id == null || !NAME.matcher(node.id).matches()) {
                refuse(reference, "its id has to be 1 to 128 visible characters without quotes");
            } else if (registry.add(node)) {
                reconciler.deviceArrived(node);
            } else {
                refuse(reference, "the id " + node.id + " is taken; it waits until that is free");
            }
        }, () -> expected.contains(reference), () -> expected.remove(reference));
    }

    private void meetDriver(ServiceReference<Driver> reference) {
        DriverNode node = new DriverNode(reference);
        registry.add(node);
        meet(reference, () -> {
            Driver driver = context.getService(reference);
            return driver == null ? null : new Introduction(driver, driver.name(), List.copyOf(driver.idTable()));
        }, introduction -> {
            if (introduction.name == null || !NAME.matcher(introduction.name).matches()) {
                refuse(reference, "its name has to be 1 to 128 visible characters without quotes");
                return;
            }
            node.driver = introduction.driver;
            node.name = introduction.name;
            node.table = introduction.table;
            reconciler.driverArrived(node);
        }, () -> !node.leaving, () -> reconciler.introductionEnded(node));
    }

    private record Introduction(Driver driver, String name, List<DeviceMatch> table) {
    }

    /** @param stillHere whether the service has not left while it was being asked; of one that has, nothing is said */
    private <S, T> void meet(ServiceReference<S> reference, Callable<T> ask, Consumer<T> welcome,
            BooleanSupplier stillHere, Runnable after) {
        calls.<T>start(List.of(reference), "meet " + origin(reference), limit, ask, late -> { }, outcome -> {
            if (stillHere.getAsBoolean()) {
                switch (outcome) {
                    case Calls.Outcome.Returned<T>(T met) when met == null ->
                            refuse(reference, "its bundle did not hand the service out");
                    case Calls.Outcome.Returned<T>(T met) -> welcome.accept(met);
                    case Calls.Outcome.Threw<T>(Throwable cause) -> refuse(reference, Reasons.of(cause));
                    case Calls.Outcome.Overdue<T>(String thread) -> refuse(reference,
                            "it did not say who it is within " + Reasons.seconds(limit) + "; thread '" + thread
                            + "' is left to itself");
                }
            }
            after.run();
        });
    }

    private void refuse(ServiceReference<?> reference, String why) {
        events.post(Kind.PROBE_FAILED, null, null, "a service of " + origin(reference) + " is left out: " + why);
    }

    private static String origin(ServiceReference<?> reference) {
        return reference.getBundle() == null ? "a bundle that is gone"
                : reference.getBundle().getSymbolicName() + " " + reference.getBundle().getVersion();
    }

    private void deviceLeaves(ServiceReference<Device> reference, Runnable done) {
        DeviceNode node = registry.device(reference);
        if (node == null) {
            expected.remove(reference);
            registry.dropDouble(reference);
            loop.afterStep(done);
        } else {
            node.departure.add(done);
            reconciler.deviceLeaves(node);
        }
    }

    private void driverLeaves(ServiceReference<Driver> reference, Runnable done) {
        DriverNode node = registry.driver(reference);
        if (node == null) {
            loop.afterStep(done);
        } else {
            node.departure.add(done);
            reconciler.driverLeaves(node);
        }
    }
}
