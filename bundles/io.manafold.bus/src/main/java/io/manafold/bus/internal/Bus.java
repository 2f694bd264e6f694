package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.EventLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The driver core as a service: carries news and orders to the loop, and answers from its last snapshot. */
@Component(immediate = true, configurationPid = "io.manafold.bus")
@Designate(ocd = Bus.Config.class)
public final class Bus implements DriverCore {
    /** Beyond the limits of single calls: what a departure with many devices may take before it goes on alone. */
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(60);

    private final EventLog events;
    private final Loop loop = new Loop("manafold-bus", this::publish);
    private final Calls calls = new Calls(loop);
    private final DeviceRegistry registry = new DeviceRegistry();
    private final AdminStore store;
    private final Reconciler reconciler;
    private final Arrivals arrivals;
    /** Done when the loop has ended: what it has not answered by then it never will. */
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile Snapshot snapshot = Snapshot.EMPTY;
    /** What administrators have set, as of the loop's last step. */
    private volatile Map<String, AdminState> administered = Map.of();

    /** How patient the core is, and where it keeps what administrators set. */
    @ObjectClassDefinition(name = "Manafold driver core")
    public @interface Config {
        @AttributeDefinition(description = "How long a probe may take, in milliseconds.")
        long probe_limit() default 10_000;

        @AttributeDefinition(description = "How long a removal may take, in milliseconds.")
        long remove_limit() default 5_000;

        @AttributeDefinition(description = "The folder that keeps overrides and devices unbound by hand. If empty: the "
                + "folder 'state' in the platform's data folder, or the bundle's own storage.")
        String folder() default "";
    }

    @Activate
    public Bus(BundleContext context, Config config, @Reference EventLog events) {
        this.events = events;
        this.store = new AdminStore(new AtomicFile(folder(context, config.folder()).resolve("devices"), Disk.REAL),
                events, () -> administered, PersistedFile.PAUSE);
        this.reconciler = new Reconciler(loop, registry, calls, events, new LossCounters(context),
                Duration.ofMillis(config.probe_limit()), Duration.ofMillis(config.remove_limit()));
        registry.administer(store.load());
        this.administered = registry.administered();
        this.arrivals = new Arrivals(context, loop, calls, registry, reconciler, events,
                Duration.ofMillis(config.probe_limit()), over);
        arrivals.open();
    }

    /** @param configured the folder that a configuration names, or nothing */
    static Path folder(BundleContext context, String configured) {
        if (!configured.isEmpty()) {
            return Path.of(configured);
        }
        String data = context.getProperty("manafold.data");
        return data != null ? Path.of(data, "state") : context.getDataFile("state").toPath();
    }

    @Deactivate
    void stop() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        loop.tell(() -> {
            reconciler.end();
            calls.whenIdle(() -> loop.afterStep(() -> ended.complete(null)));
        });
        try {
            ended.get(DEPARTURE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            events.post(Kind.STUCK, null, null, "the driver core ends although drivers are still at work");
        }
        arrivals.close();
        loop.end();
        over.complete(null);
        store.close();
    }

    private void publish() {
        snapshot = registry.snapshot();
        administered = registry.administered();
    }

    @Override
    public List<DeviceStatus> devices() {
        return snapshot.devices();
    }

    @Override
    public List<DriverStatus> drivers() {
        return snapshot.drivers();
    }

    @Override
    public void bind(String device, DriverChoice driver) throws InterruptedException {
        order(device, new Order(Order.Kind.BIND, driver));
    }

    @Override
    public void unbind(String device) throws InterruptedException {
        order(device, new Order(Order.Kind.UNBIND, null));
    }

    @Override
    public void unbindForNow(String device) throws InterruptedException {
        order(device, new Order(Order.Kind.UNBIND_FOR_NOW, null));
    }

    @Override
    public void override(String device, DriverChoice driver) throws InterruptedException {
        order(device, new Order(Order.Kind.OVERRIDE, driver));
    }

    @Override
    public void overrideForNow(String device, DriverChoice driver) throws InterruptedException {
        order(device, new Order(Order.Kind.OVERRIDE_FOR_NOW, driver));
    }

    @Override
    public void expect(String device, DriverChoice driver) {
        loop.tell(() -> reconciler.expect(device, driver));
    }

    @Override
    public void suspend(String device) throws InterruptedException {
        requireOutside(device);
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.tell(() -> ifHere(device, done, node -> reconciler.suspend(node, done)));
        await(device, done);
    }

    @Override
    public void resume(String device) throws InterruptedException {
        requireOutside(device);
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.tell(() -> ifHere(device, done, node -> reconciler.resume(node, done)));
        await(device, done);
    }

    private void order(String id, Order order) throws InterruptedException {
        requireOutside(id);
        loop.tell(() -> {
            if (registry.device(id) == null && order.forgets() && registry.only(id) != null) {
                registry.expect(id, null);
                registry.administer(id, order.forgotten(registry.admin(id)));
                loop.afterStep(() -> order.done.complete(null));
            } else {
                ifHere(id, order.done, device -> reconciler.order(device, order));
            }
        });
        try {
            await(id, order.done);
        } catch (Refusal refused) {
            keepAfterRefusal();
            throw refused;
        }
        store.keep();
    }

    /**
     * What was kept while the order was under way lacks what the refusal has put back; and one that will be tried again
     * stays set.
     */
    private void keepAfterRefusal() {
        try {
            store.keep();
        } catch (NotKept later) {
            // the refusal is the answer; the file is tried again, and an event tells when it is kept
        }
    }

    private static void requireOutside(String device) {
        if (Calls.insideAny()) {
            throw new Refusal(Errno.EBUSY, "a driver that is being called may not give orders about " + device
                    + "; give them from another thread");
        }
    }

    /** On the loop. */
    private void ifHere(String id, CompletableFuture<Void> done, Consumer<DeviceNode> then) {
        DeviceNode device = registry.device(id);
        if (device == null) {
            loop.afterStep(() -> done.completeExceptionally(new Refusal(Errno.ENODEV,
                    "there is no device " + id + "; 'devices' lists those that are here")));
        } else {
            then.accept(device);
        }
    }

    private void await(String id, CompletableFuture<Void> done) throws InterruptedException {
        try {
            CompletableFuture.anyOf(done, over).get();
            if (!done.isDone()) {
                throw new Refusal(Errno.ENODEV, "the driver core has ended and does nothing about " + id
                        + " any more; ask the one that comes with its bundle");
            }
            done.get();
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof Refusal refusal ? refusal
                    : new Refusal(Errno.EIO, "the order about " + id + " failed", refused.getCause());
        }
    }

    @Override
    public boolean settle(Duration limit) throws InterruptedException {
        CompletableFuture<Void> idle = new CompletableFuture<>();
        loop.tell(() -> calls.whenIdle(() -> loop.afterStep(() -> idle.complete(null))));
        try {
            idle.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException busy) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Waits for a departure, unless the current thread is inside a call about the very service that goes. */
    static void await(CompletableFuture<?> gone, ServiceReference<?> service) {
        if (Calls.inside(service)) {
            return;
        }
        try {
            gone.get(DEPARTURE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // each call has a limit of its own and was named when it passed it; the framework must go on
        }
    }
}
