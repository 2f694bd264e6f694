package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
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
import io.manafold.itests.net.Drivers;
import io.manafold.itests.net.Flow;
import io.manafold.itests.net.Wire;
import io.manafold.itests.verbs.Exchanges;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Raw packets by verbs between the first ports of two functions, spread over four receive work queues, while frames
 * travel between the network devices of ports 2 and 3 of the first and drivers are replaced.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RawVerbsTest {
    private static final long PACKETS = Long.getLong("manafold.rdma.messages", 10_000);
    private static final long SETTLE = 200;
    private static final int SWAPS = Integer.getInteger("manafold.rdma.swaps", 3);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private final Flow second = new Flow("second", Drivers.mac(Drivers.LEFT, 3), 0);
    private final Flow third = new Flow("third", Drivers.mac(Drivers.LEFT, 2), 0);
    private final ServiceListener listener = this::changed;
    private BundleContext context;
    private Drivers drivers;

    @BeforeEach
    void begin() throws Exception {
        context = platform.context();
        context.addServiceListener(listener, "(&(objectClass=" + NetDevice.class.getName() + ")(address=" + Drivers.LEFT
                + "))");
        drivers = new Drivers(platform, folder, "raw", 3);
        Wire.await("both devices are there", () -> devices() == 2);
    }

    @AfterEach
    void end() throws Exception {
        drivers.close();
        context.removeServiceListener(listener);
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
        return drivers.count(RdmaDevice.class, "(name=manae_*)");
    }

    private void setUp(String address, boolean up) throws Exception {
        drivers.network(address, 1).setUp(up);
    }

    private static void assertBusy(ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).as(refused.getMessage()).isEqualTo(Errno.EBUSY));
    }

    /** As one bundle more: takes port 1, and gives it back. */
    private void take(String address) throws Exception {
        var reference = context.getServiceReferences(RdmaDevice.class, "(&(name=manae_*)(address=" + address + "))")
                .iterator().next();
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
        setUp(Drivers.LEFT, false);
        var reference = context.getServiceReferences(RdmaDevice.class, "(&(name=manae_*)(address=" + Drivers.LEFT
                + "))").iterator().next();
        RdmaDevice device = context.getService(reference);
        AtomicInteger asked = new AtomicInteger();
        ParentDomain domain = device.allocateDomain().createParentDomain(1);
        QueuePair pair = domain.createQueuePair(QueuePairPlan.raw(device.createCompletionQueue(64), 8));
        DirectQueue direct = pair.direct(DirectQueue.class, asked::incrementAndGet);
        assertThat(direct.work().id()).isEqualTo(pair.number());
        assertThat(direct.completions().slots()).isEqualTo(64);
        assertBusy(() -> setUp(Drivers.LEFT, true));
        drivers.rdma().update(DriverJar.version("rdma", "2.0.0"));
        assertThat(asked).hasValue(1);
        context.ungetService(reference);
        setUp(Drivers.LEFT, true);
        drivers.refusedNothing();
        drivers.assertUsesNo("doorbell_pages");
    }

    @Test
    void packetsArriveWhileDriversAreReplaced() throws Exception {
        Footprint footprint = new Footprint(context);
        assertBusy(() -> take(Drivers.LEFT));
        setUp(Drivers.LEFT, false);
        take(Drivers.LEFT);
        setUp(Drivers.RIGHT, false);
        long others = third.received();
        try (Exchanges exchanges = Exchanges.ofPackets(platform, Drivers.LEFT, Drivers.RIGHT)) {
            exchanges.arrive("at first", PACKETS);
            for (int i = 0; i < 4; i++) {
                assertThat(exchanges.score().byQueue(i)).as("packets of queue %d", i).isPositive();
            }
            assertThat(third.received()).as("frames between network devices meanwhile").isGreaterThan(others);
            assertBusy(() -> setUp(Drivers.LEFT, true));
            assertBusy(() -> setUp(Drivers.RIGHT, true));
            replaceBesideNetworkDevices(exchanges, footprint);
            exchanges.replace(drivers.ethernet(), "ethernet", SWAPS, footprint);
            drivers.refusedNothing();
            long gone = exchanges.score().gone();
            drivers.adapters().getFirst().requestReset(Adapter.ResetKind.RESET);
            Wire.await("the reset is seen", () -> exchanges.score().gone() > gone);
            exchanges.arrive("after a reset", 1000);
            assertThat(exchanges.score().lost()).as("work that never came back: %s", exchanges.score()).isZero();
            assertThat(exchanges.score().wrong()).as("%s", exchanges.score()).isZero();
            assertThat(exchanges.score().flushed()).as("work that came back").isPositive();
            assertThat(second.damaged() + third.damaged()).isZero();
            assertBusy(() -> setUp(Drivers.LEFT, true));
        }
        setUp(Drivers.LEFT, true);
        setUp(Drivers.RIGHT, true);
        footprint.watch(drivers.rdma().adapt(BundleWiring.class).getClassLoader());
        drivers.rdma().uninstall();
        assertThat(devices()).isZero();
        drivers.assertUsesNo("memory_regions", "doorbell_pages");
        // a compiler may hold on to one of each driver, whose agents were at work when a loop was compiled
        footprint.measureAgainst(new Footprint.Figures(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 2));
        for (String driver : List.of("io.manafold.rdma", "io.manafold.ethernet")) {
            assertThat(footprint.loaders().stream().filter(loader -> loader.contains(driver)))
                    .as("class loaders of what was replaced: %s", footprint.loaders()).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Network devices stay what they are, and every frame goes out and arrives. */
    private void replaceBesideNetworkDevices(Exchanges exchanges, Footprint footprint) throws Exception {
        NetDevice before = drivers.network(Drivers.LEFT, 2);
        Counted counted = new Counted();
        exchanges.replace(drivers.rdma(), "rdma", SWAPS, footprint);
        assertThat(drivers.network(Drivers.LEFT, 2)).as("the network device of port 2").isSameAs(before);
        counted.everyFrameHasArrived();
        everyFrameWasSent();
    }

    /** What the network devices of ports 2 and 3 took so far went out, and is in their counters. */
    private void everyFrameWasSent() throws Exception {
        List<Flow> flows = List.of(second, third);
        flows.forEach(Flow::detach);
        for (int i = 0; i < flows.size(); i++) {
            int port = i + 2;
            long accepted = flows.get(i).accepted();
            Wire.await("port " + port + " has sent all", () -> sent(port) >= accepted);
            assertThat(sent(port)).as("frames that port %d has sent", port).isEqualTo(accepted);
        }
        second.attach(drivers.network(Drivers.LEFT, 2));
        third.attach(drivers.network(Drivers.LEFT, 3));
    }

    /** Frames from one network device to the other and back, as those above and those below count them. */
    private final class Counted {
        private final Map<String, Long> begin;

        Counted() throws Exception {
            begin = settled();
            // what a device has no room for is lost, swap or not
            second.goOn(third);
            third.goOn(second);
        }

        /** What both ends and their devices have counted, nothing being on the way. */
        private Map<String, Long> settled() throws Exception {
            second.hush();
            third.hush();
            Map<String, Long> first = now();
            Map<String, Long> next;
            // what was on the way has come when a fifth of a second brings no more
            for (TimeUnit.MILLISECONDS.sleep(SETTLE); !(next = now()).equals(first); first = next) {
                TimeUnit.MILLISECONDS.sleep(SETTLE);
            }
            return first;
        }

        private Map<String, Long> now() throws Exception {
            Map<String, Long> two = drivers.network(Drivers.LEFT, 2).totals();
            Map<String, Long> three = drivers.network(Drivers.LEFT, 3).totals();
            return Map.of("second sent", second.accepted(), "third sent", third.accepted(), "second received",
                    second.received(), "third received", third.received(), "second tx", two.get("tx_packets"),
                    "third tx", three.get("tx_packets"), "second rx", two.get("rx_packets"), "third rx",
                    three.get("rx_packets"));
        }

        void everyFrameHasArrived() throws Exception {
            Map<String, Long> more = new TreeMap<>(settled());
            more.replaceAll((what, count) -> count - begin.get(what));
            long there = more.get("second sent");
            long back = more.get("third sent");
            assertThat(there).as("%s", more).isPositive();
            assertThat(back).as("%s", more).isPositive();
            assertThat(more).containsAllEntriesOf(Map.of("second tx", there, "third rx", there, "third received",
                    there, "third tx", back, "second rx", back, "second received", back));
            second.goOn();
            third.goOn();
        }
    }

    private long sent(int port) {
        try {
            return drivers.adapters().stream().filter(adapter -> adapter.ports().size() == 3).findFirst().orElseThrow()
                    .ports().get(port - 1).counters().get("tx_packets");
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
