package io.manafold.bus.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Binding;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.Driver;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.api.device.Probe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The driver core in a {@link FakeFramework}, with functions and drivers that are a few lines. */
final class FakeCore implements AutoCloseable {
    private static final long PATIENCE_MS = 5000;

    final EventRing events;
    final Bus bus;
    private final FakeFramework framework = new FakeFramework();
    private boolean closed;

    FakeCore(Path folder) {
        events = new EventRing(folder.resolve("events"));
        bus = new Bus(framework.context(), FakeFramework.fake(Bus.Config.class, (_, method, _) ->
                method.getName().equals("folder") ? folder.toString() : method.getDefaultValue()), events);
    }

    /** What was brought is taken away again. */
    record Departure(Runnable unregistration) {
        /** Returns when the core knows of it. */
        CompletableFuture<Void> begin() throws InterruptedException {
            CompletableFuture<Void> over = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform().daemon().start(() -> {
                unregistration.run();
                over.complete(null);
            });
            while (!over.isDone() && thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
            return over;
        }

        void inTime() throws Exception {
            begin().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        }
    }

    Departure plug(String id, int device) {
        return plug(id, () -> new PciId(0x1414, device, 0, 0, 0x020000, 0));
    }

    Departure plug(String id, Callable<PciId> identity) {
        return new Departure(framework.register(Device.class, FakeFramework.fake(PciFunction.class,
                (_, method, _) -> switch (method.getName()) {
                    case "id" -> id;
                    case "identity" -> identity.call();
                    default -> null;
                })));
    }

    /** A part of a device, as its driver offers it. */
    Departure offer(String parent, String name, int number) {
        return new Departure(framework.register(Device.class, FakeFramework.fake(AuxiliaryDevice.class,
                (_, method, _) -> switch (method.getName()) {
                    case "id" -> name + "." + number;
                    case "name" -> name;
                    case "number" -> number;
                    case "parent" -> parent;
                    default -> null;
                })));
    }

    /** What a driver does when it is asked to take a device. */
    interface Code {
        Binding probe(Probe probe) throws Exception;
    }

    Departure load(String name, int device, Code code) {
        return load(name, null, device, code);
    }

    /** @param version of the driver's bundle; {@code null} for a driver without one */
    Departure load(String name, String version, int device, Code code) {
        return new Departure(framework.register(Driver.class, new Driver() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<DeviceMatch> idTable() {
                return List.of(new DeviceMatch.Pci(0x1414, device));
            }

            @Override
            public Binding probe(Probe probe) throws Exception {
                return code.probe(probe);
            }
        }, version == null ? null : FakeFramework.bundle(version)));
    }

    DeviceStatus await(String id, Predicate<DeviceStatus> good) throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (true) {
            for (DeviceStatus device : bus.devices()) {
                if (device.id().equals(id) && good.test(device)) {
                    return device;
                }
            }
            if (System.nanoTime() > giveUp) {
                throw new AssertionError(id + " does not become as it should: " + bus.devices());
            }
            Thread.sleep(1);
        }
    }

    void settle() throws InterruptedException {
        if (!bus.settle(Duration.ofMillis(PATIENCE_MS))) {
            throw new AssertionError("the core does not come to rest");
        }
    }

    /** Ends it on a thread that was interrupted, so that it waits for no driver. */
    void closeHurriedly() {
        Thread.currentThread().interrupt();
        try {
            close();
        } finally {
            Thread.interrupted();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            bus.stop();
            events.stop();
        }
    }
}
