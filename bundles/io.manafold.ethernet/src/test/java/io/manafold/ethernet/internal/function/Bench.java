package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.Removal;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.testkit.MemorySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The real adapter with two ports on a real switch, and the driver at work on it. */
final class Bench implements AutoCloseable {
    /** Rounds are quick, and a send that is withheld is soon found. */
    static final Timeouts PATIENT = new Timeouts(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMillis(1));
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    final TestSwitch net = new TestSwitch("one/1", "one/2");
    final TestAdapter adapter;
    final Map<Integer, DevicePlan> plans = new ConcurrentHashMap<>();
    final Devices devices = new Devices(new World(0));
    final MemorySettings settings = new MemorySettings();
    final MemoryCounters counters = new MemoryCounters();
    final List<String> told = new CopyOnWriteArrayList<>();
    final Map<String, AuxiliaryDevice> parts = new ConcurrentHashMap<>();
    /** Is told of a part that is about to go, as its driver is. */
    volatile Consumer<AuxiliaryDevice> withdrawn = part -> { };
    private final boolean trees;
    volatile FunctionDrive drive;

    Bench(Object... settings) {
        this(settings, true);
    }

    /** On a function that lists the RDMA device. */
    static Bench listingRdma() {
        return new Bench(new Object[] {"rdma", "first"}, true);
    }

    /** With a driver that uses no trees of shapers. */
    static Bench parity() {
        return new Bench(new Object[0], false);
    }

    private Bench(Object[] settings, boolean trees) {
        this.trees = trees;
        Object[] all = new Object[settings.length + 2];
        all[0] = "ports";
        all[1] = 2;
        System.arraycopy(settings, 0, all, 2, settings.length);
        adapter = new TestAdapter("one", all);
        adapter.plug(net.link(), "one/1", "one/2");
        begin();
    }

    /** Has the driver take the function. */
    void begin() {
        drive = FunctionDrive.begin(adapter.function(), context(0));
    }

    /** What the driver finds around the function of a number. */
    DriverContext context(int function) {
        return new DriverContext(devices, settings, counters, new World(function), PATIENT, ReceiveMapping.ARENA,
                trees);
    }

    /** What a driver finds that keeps nothing. */
    static DriverContext context(ServiceGateway services) {
        return new DriverContext(new Devices(services), new MemorySettings(), new MemoryCounters(), services, PATIENT,
                ReceiveMapping.ARENA, true);
    }

    /** Where there are this bench's plans, and its parts are known. */
    private final class World extends Alone {
        private final int function;

        World(int function) {
            this.function = function;
        }

        @Override
        public boolean isPlanned(String name) {
            return plans.values().stream().anyMatch(plan -> plan.name().equals(name));
        }

        @Override
        public Optional<DevicePlan> plan(PciAddress address, int port) {
            return Optional.ofNullable(plans.get(port));
        }

        @Override
        public void tell(DeviceEvent.Kind kind, String device, String sentence) {
            told.add(kind + " " + sentence);
        }

        @Override
        public void nameIsFree() {
            FunctionDrive there = drive;
            if (there != null) {
                plans.values().forEach(there::follow);
            }
        }

        @Override
        public int freeNumber(String part) {
            return function;
        }

        @Override
        public Runnable publish(AuxiliaryDevice part) {
            parts.put(part.id(), part);
            return () -> {
                withdrawn.accept(part);
                parts.remove(part.id());
            };
        }
    }

    EthernetDevice left() {
        return drive.offered().get(0);
    }

    EthernetDevice right() {
        return drive.offered().get(1);
    }

    /** Has a device changed beyond what its interface offers. */
    void change(EthernetDevice device, UnaryOperator<PortConfig> step) {
        device.life().lock().lock();
        try {
            device.life().apply(step.apply(device.life().config()));
        } finally {
            device.life().lock().unlock();
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time to wait until " + what).isLessThan(deadline);
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    /** Holds the thread of a device, as a user above it may, until the test releases it. */
    static void holdThread(PacketPort port, CountDownLatch release) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        port.execute(() -> {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(begun.await(PATIENCE, TimeUnit.NANOSECONDS)).as("the thread is held").isTrue();
    }

    /** Takes the driver away and sees that every page has come home. */
    void remove() {
        if (drive != null) {
            FunctionDrive gone = drive;
            drive = null;
            gone.remove(Removal.UNBIND);
            assertThat(gone.memory().pagesInUse()).as("pages that are still in use").isZero();
        }
    }

    @Override
    public void close() {
        try {
            remove();
        } finally {
            adapter.close();
            net.close();
        }
    }
}
