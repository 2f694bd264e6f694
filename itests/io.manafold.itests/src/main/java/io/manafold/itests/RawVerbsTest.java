package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.lab.Labs;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.Wire;
import io.manafold.itests.verbs.Exchanges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Raw packets by verbs between the first ports of two functions, spread over four receive work queues, while frames travel between
 * the network devices of ports 2 and 3 of the first and drivers are replaced.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RawVerbsTest {
    private static final String LEFT = "7870:00:00.0";
    private static final String RIGHT = "7870:00:01.0";
    private static final long PACKETS = Long.getLong("manafold.rdma.messages", 10_000);
    private static final int SWAPS = Integer.getInteger("manafold.rdma.swaps", 3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final Flow second = new Flow("second", MacAddress.parse("00:0d:3a:30:00:04"), 0);
    private final Flow third = new Flow("third", MacAddress.parse("00:0d:3a:30:00:03"), 0);
    private final ServiceListener listener = this::changed;
    private BundleContext context;
    private Bundle ethernet;
    private Bundle rdma;
    private Exchanges exchanges;

    @BeforeEach
    void begin() throws Exception {
        context = platform.context();
        platform.folder(folder);
        Path lab = Files.writeString(folder.resolve("raw.yaml"), """
                adapters:
                  - name: left
                    address: %s
                    ports: 3
                    macs: ["00:0d:3a:30:00:01", "00:0d:3a:30:00:03", "00:0d:3a:30:00:04"]
                  - name: right
                    address: %s
                    macs: ["00:0d:3a:30:00:02"]
                links:
                  - name: between
                    ports: [left/1, left/2, left/3, right/1]
                """.formatted(LEFT, RIGHT));
        Labs labs = platform.service(Labs.class);
        labs.up(lab.toString());
        // the core may just have begun anew with another folder, and the labs not have heard of it
        List<String> missing = labs.settle(PATIENCE);
        for (int again = 0; again < 100 && !missing.isEmpty(); again++) {
            Thread.sleep(100);
            missing = labs.settle(PATIENCE);
        }
        assertThat(missing).isEmpty();
        context.addServiceListener(listener, "(&(objectClass=" + NetDevice.class.getName() + ")(address=" + LEFT + "))");
        ethernet = context.installBundle("test:ethernet-raw", EthernetBundle.version("1.0.0"));
        ethernet.start();
        rdma = context.installBundle("test:rdma-raw", DriverJar.version("rdma", "1.0.0"));
        rdma.start();
        Wire.await("both devices are there", () -> devices() == 2);
    }

    @AfterEach
    void end() throws Exception {
        if (exchanges != null) {
            exchanges.close();
        }
        if (rdma.getState() != Bundle.UNINSTALLED) {
            rdma.uninstall();
        }
        ethernet.uninstall();
        context.removeServiceListener(listener);
        Labs labs = platform.service(Labs.class);
        labs.down("raw");
        labs.settle(PATIENCE);
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }

    private void changed(ServiceEvent event) {
        int port = (Integer) event.getServiceReference().getProperty("port");
        if (port == 1) {
            return;
        }
        Flow flow = port == 2 ? second : third;
        if (event.getType() == ServiceEvent.REGISTERED) {
            flow.attach((NetDevice) context.getService(event.getServiceReference()));
        } else if (event.getType() == ServiceEvent.UNREGISTERING) {
            flow.detach();
            context.ungetService(event.getServiceReference());
        }
    }

    private int devices() {
        try {
            return context.getServiceReferences(RdmaDevice.class, "(name=manae_*)").size();
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void setUp(String address, boolean up) throws Exception {
        context.getService(context.getServiceReferences(NetDevice.class, "(&(address=" + address + ")(port=1))").iterator().next())
                .setUp(up);
    }

    private List<Adapter> adapters() throws InvalidSyntaxException {
        return context.getServiceReferences(Adapter.class, null).stream().map(context::getService).toList();
    }

    private void arrive(String when, long packets) {
        long before = exchanges.score().arrived();
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (exchanges.score().arrived() - before < packets) {
            assertThat(exchanges.mistake()).as("what went wrong %s", when).isNull();
            assertThat(System.nanoTime()).as("time for %d packets %s: %s", packets, when, exchanges.score()).isLessThan(giveUp);
            Thread.yield();
        }
    }

    private static void assertBusy(ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).as(refused.getMessage()).isEqualTo(Errno.EBUSY));
    }

    /** As one bundle more: takes port 1, and gives it back. */
    private void take(String address) throws Exception {
        var reference = context.getServiceReferences(RdmaDevice.class, "(&(name=manae_*)(address=" + address + "))").iterator().next();
        RdmaDevice device = context.getService(reference);
        try {
            ParentDomain domain = device.allocateDomain().createParentDomain(1);
            domain.createQueuePair(QueuePairPlan.raw(device.createCompletionQueue(64), 8));
        } finally {
            context.ungetService(reference);
        }
    }

    /** The driver's own classes meet those of another bundle, and are let go of when the driver is replaced. */
    @Test
    void aQueueIsHandedOutToAnotherBundle() throws Exception {
        setUp(LEFT, false);
        var reference = context.getServiceReferences(RdmaDevice.class, "(&(name=manae_*)(address=" + LEFT + "))").iterator().next();
        RdmaDevice device = context.getService(reference);
        AtomicInteger asked = new AtomicInteger();
        ParentDomain domain = device.allocateDomain().createParentDomain(1);
        QueuePair pair = domain.createQueuePair(QueuePairPlan.raw(device.createCompletionQueue(64), 8));
        DirectQueue direct = pair.direct(DirectQueue.class, asked::incrementAndGet);
        assertThat(direct.work().id()).isEqualTo(pair.number());
        assertThat(direct.completions().slots()).isEqualTo(64);
        assertBusy(() -> setUp(LEFT, true));
        rdma.update(DriverJar.version("rdma", "2.0.0"));
        assertThat(asked).hasValue(1);
        context.ungetService(reference);
        setUp(LEFT, true);
        for (Adapter adapter : adapters()) {
            assertThat(adapter.rejections()).isEmpty();
            assertThat(adapter.usage()).containsEntry("doorbell_pages", 0L);
        }
    }

    @Test
    void packetsArriveWhileDriversAreReplaced() throws Exception {
        Footprint footprint = new Footprint(context);
        assertBusy(() -> take(LEFT));
        setUp(LEFT, false);
        take(LEFT);
        setUp(RIGHT, false);
        long others = third.received();
        exchanges = Exchanges.ofPackets(platform, LEFT, RIGHT);
        arrive("at first", PACKETS);
        for (int i = 0; i < 4; i++) {
            assertThat(exchanges.score().byQueue(i)).as("packets of queue %d", i).isPositive();
        }
        assertThat(third.received()).as("frames between network devices meanwhile").isGreaterThan(others);
        assertBusy(() -> setUp(LEFT, true));
        assertBusy(() -> setUp(RIGHT, true));
        for (int i = 1; i <= SWAPS; i++) {
            footprint.watch(rdma.adapt(BundleWiring.class).getClassLoader());
            long gone = exchanges.score().gone();
            rdma.update(DriverJar.version("rdma", "1." + i + ".0"));
            arrive("after a replacement of the RDMA driver", 1000);
            assertThat(exchanges.score().gone()).as("devices were seen to go").isGreaterThan(gone);
        }
        for (int i = 1; i <= SWAPS; i++) {
            footprint.watch(ethernet.adapt(BundleWiring.class).getClassLoader());
            long gone = exchanges.score().gone();
            ethernet.update(EthernetBundle.version("1." + i + ".0"));
            arrive("after a replacement of the Ethernet driver", 1000);
            assertThat(exchanges.score().gone()).as("devices were seen to go").isGreaterThan(gone);
        }
        for (Adapter adapter : adapters()) {
            assertThat(adapter.rejections()).as("what the adapter has refused").isEmpty();
        }
        long gone = exchanges.score().gone();
        adapters().getFirst().requestReset(Adapter.ResetKind.RESET);
        Wire.await("the reset is seen", () -> exchanges.score().gone() > gone);
        arrive("after a reset", 1000);
        assertThat(exchanges.score().wrong()).as("%s", exchanges.score()).isZero();
        assertThat(exchanges.score().flushed()).as("work that came back").isPositive();
        assertThat(second.damaged() + third.damaged()).isZero();
        assertBusy(() -> setUp(LEFT, true));
        exchanges.close();
        setUp(LEFT, true);
        setUp(RIGHT, true);
        footprint.watch(rdma.adapt(BundleWiring.class).getClassLoader());
        rdma.uninstall();
        assertThat(devices()).isZero();
        for (Adapter adapter : adapters()) {
            assertThat(adapter.usage()).containsEntry("memory_regions", 0L).containsEntry("doorbell_pages", 0L);
        }
        // a compiler may hold on to one of each driver, whose agents were at work when a loop was compiled
        footprint.measureAgainst(new Footprint.Figures(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 2));
        for (String driver : List.of("io.manafold.rdma", "io.manafold.ethernet")) {
            assertThat(footprint.loaders().stream().filter(loader -> loader.contains(driver)))
                    .as("class loaders of what was replaced: %s", footprint.loaders()).hasSizeLessThanOrEqualTo(1);
        }
    }
}
