package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.Drivers;
import io.manafold.itests.net.Wire;
import io.manafold.itests.verbs.Connecting;
import io.manafold.itests.verbs.Exchanges;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The RDMA driver beside the Ethernet driver, on two functions: messages between them, and connections, while drivers
 * are replaced.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RdmaSwapTest {
    private static final long MESSAGES = Long.getLong("manafold.rdma.messages", 10_000);
    private static final String CHECK = "manafold.rdma.check";
    private static final int SWAPS = Integer.getInteger("manafold.rdma.swaps", 3);
    /**
     * One of each driver, which the compiled loop of an agent may hold until it is left; never more with more
     * replacements.
     */
    private static final Footprint.Figures LIMIT = new Footprint.Figures(Integer.MAX_VALUE, Integer.MAX_VALUE,
            Integer.MAX_VALUE, 2);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private Drivers drivers;

    @BeforeEach
    void begin() throws Exception {
        drivers = new Drivers(platform, folder, "verbs", 1);
    }

    @AfterEach
    void end() throws Exception {
        drivers.close();
    }

    private void nothingIsLeft(Footprint footprint) throws Exception {
        footprint.watch(drivers.rdma().adapt(BundleWiring.class).getClassLoader());
        drivers.rdma().uninstall();
        assertThat(drivers.count(RdmaDevice.class, null)).isZero();
        drivers.assertUsesNo("queue_pairs", "memory_regions", "rdma_completion_queues", "doorbell_pages", "gids");
        assertThat(footprint.measureAgainst(LIMIT).loaders()).as("class loaders of what was replaced")
                .isLessThanOrEqualTo(2);
    }

    @Test
    void messagesArriveWhileDriversAreReplaced() throws Exception {
        Footprint footprint = new Footprint(platform.context());
        try (Exchanges exchanges = Exchanges.ofMessages(platform, Drivers.LEFT, Drivers.RIGHT)) {
            exchanges.arrive("at first", MESSAGES);
            assertThat(drivers.count(RdmaDevice.class, "(name=mana_*)")).isEqualTo(2);
            exchanges.replace(drivers.rdma(), "rdma", SWAPS, footprint);
            exchanges.replace(drivers.ethernet(), "ethernet", SWAPS, footprint);
            drivers.refusedNothing();
            rdmaIsSuspended(exchanges);
            long gone = exchanges.score().gone();
            drivers.adapters().getFirst().requestReset(Adapter.ResetKind.RESET);
            Wire.await("the reset is seen", () -> exchanges.score().gone() > gone);
            exchanges.arrive("after a reset", 1000);
            assertThat(exchanges.score().lost()).as("work that never came back: %s", exchanges.score()).isZero();
            assertThat(exchanges.score().wrong()).as("%s", exchanges.score()).isZero();
            // not each replacement meets work that is under way
            assertThat(exchanges.score().flushed()).as("work that came back").isPositive();
        }
        nothingIsLeft(footprint);
    }

    /** Only the auxiliary device goes, with work posted; all of it comes back, and the port's device stays. */
    private void rdmaIsSuspended(Exchanges exchanges) throws Exception {
        for (Adapter adapter : drivers.adapters()) {
            long gone = exchanges.score().gone();
            NetDevice port = drivers.network(Drivers.LEFT, 1);
            adapter.rdma().suspend();
            Wire.await("a suspended device is seen to go", () -> exchanges.score().gone() > gone);
            // its management has gone as well
            Wire.await("the adapter has all memory back", () -> List.of("queue_pairs", "memory_regions",
                    "rdma_completion_queues", "gids").stream().allMatch(what -> adapter.usage().get(what) == 0));
            Wire.await("its device is withdrawn", () -> drivers.count(RdmaDevice.class, "(name=mana_*)") == 1);
            assertThat(drivers.network(Drivers.LEFT, 1)).as("the network device beside it").isSameAs(port);
            adapter.rdma().resume();
            exchanges.arrive("after RDMA was suspended", 1000);
        }
        drivers.refusedNothing();
    }

    /** A connection that is under way when the driver goes ends with an errno and a sentence, at both ends. */
    @Test
    void connectionsAreMadeWhileTheDriverIsReplaced() throws Exception {
        Footprint footprint = new Footprint(platform.context());
        try (Connecting connecting = new Connecting(platform, Drivers.LEFT, Drivers.RIGHT)) {
            connecting.establish("at first", 3);
            for (int i = 1; i <= SWAPS; i++) {
                footprint.watch(drivers.rdma().adapt(BundleWiring.class).getClassLoader());
                connecting.awaitUnderWay();
                drivers.rdma().update(DriverJar.version("rdma", "1." + i + ".0"));
                connecting.establish("after replacement " + i, 1);
            }
            assertThat(connecting.ended()).as("connections that ended with their driver")
                    .anySatisfy(refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV))
                    .allSatisfy(refused -> assertThat(refused.getMessage()).endsWith("."));
        }
        drivers.refusedNothing();
        nothingIsLeft(footprint);
    }

    /** The property is looked at when a driver probes. */
    @Test
    void whoComesBackToAQueueIsFoundOnAPlatformThatChecks() throws Exception {
        System.setProperty(CHECK, "true");
        try (ExecutorService other = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("other").factory())) {
            drivers.rdma().update(DriverJar.version("rdma", "2.0.0"));
            Wire.await("the device is back", () -> drivers.count(RdmaDevice.class, "(name=mana_0)") == 1);
            var reference = platform.context().getServiceReferences(RdmaDevice.class, "(name=mana_0)").iterator()
                    .next();
            RdmaDevice device = platform.context().getService(reference);
            CompletionQueue queue = device.createCompletionQueue(8);
            Completions completions = new Completions(8);
            queue.poll(completions);
            other.submit(() -> queue.poll(completions)).get();
            assertThatThrownBy(() -> queue.poll(completions)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("'other'").hasMessageContaining("a completion queue has one poller");
            platform.context().ungetService(reference);
        } finally {
            System.clearProperty(CHECK);
        }
    }
}
