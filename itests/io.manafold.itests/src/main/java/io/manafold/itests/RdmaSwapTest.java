package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.lab.Labs;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Wire;
import io.manafold.itests.verbs.Exchanges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.wiring.BundleWiring;

/** The RDMA driver beside the Ethernet driver, on two functions: messages between them while drivers are replaced. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RdmaSwapTest {
    private static final String LEFT = "7870:00:00.0";
    private static final String RIGHT = "7870:00:01.0";
    private static final long MESSAGES = Long.getLong("manafold.rdma.messages", 10_000);
    private static final int SWAPS = Integer.getInteger("manafold.rdma.swaps", 3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    private BundleContext context;
    private Bundle ethernet;
    private Bundle rdma;
    private Exchanges exchanges;

    @BeforeEach
    void begin() throws Exception {
        context = platform.context();
        platform.folder(folder);
        Path lab = Files.writeString(folder.resolve("verbs.yaml"), """
                adapters:
                  - name: left
                    address: %s
                  - name: right
                    address: %s
                links:
                  - name: between
                    ports: [left/1, right/1]
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
        ethernet = context.installBundle("test:ethernet-verbs", EthernetBundle.version("1.0.0"));
        ethernet.start();
        rdma = context.installBundle("test:rdma", DriverJar.version("rdma", "1.0.0"));
        rdma.start();
        exchanges = Exchanges.ofMessages(platform, LEFT, RIGHT);
    }

    @AfterEach
    void end() throws Exception {
        exchanges.close();
        if (rdma.getState() != Bundle.UNINSTALLED) {
            rdma.uninstall();
        }
        ethernet.uninstall();
        Labs labs = platform.service(Labs.class);
        labs.down("verbs");
        labs.settle(PATIENCE);
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }

    private void arrive(String when, long messages) {
        long before = exchanges.score().arrived();
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (exchanges.score().arrived() - before < messages) {
            assertThat(exchanges.mistake()).as("what went wrong %s", when).isNull();
            assertThat(System.nanoTime()).as("time for %d messages %s: %s", messages, when, exchanges.score()).isLessThan(giveUp);
            Thread.yield();
        }
    }

    private int devices() {
        try {
            return context.getServiceReferences(RdmaDevice.class, "(name=mana_*)").size();
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private List<Adapter> adapters() throws InvalidSyntaxException {
        return context.getServiceReferences(Adapter.class, null).stream().map(context::getService).toList();
    }

    @Test
    void messagesArriveWhileDriversAreReplaced() throws Exception {
        Footprint footprint = new Footprint(context);
        arrive("at first", MESSAGES);
        assertThat(devices()).isEqualTo(2);
        for (int i = 1; i <= SWAPS; i++) {
            footprint.watch(rdma.adapt(BundleWiring.class).getClassLoader());
            long gone = exchanges.score().gone();
            rdma.update(DriverJar.version("rdma", "1." + i + ".0"));
            arrive("after a replacement of the RDMA driver", 1000);
            assertThat(exchanges.score().gone()).as("devices were seen to go").isGreaterThan(gone);
        }
        assertThat(exchanges.score().flushed()).as("work that came back").isPositive();
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
        footprint.watch(rdma.adapt(BundleWiring.class).getClassLoader());
        rdma.uninstall();
        assertThat(devices()).isZero();
        exchanges.close();
        for (Adapter adapter : adapters()) {
            assertThat(adapter.usage()).containsEntry("queue_pairs", 0L).containsEntry("memory_regions", 0L)
                    .containsEntry("rdma_completion_queues", 0L).containsEntry("doorbell_pages", 0L).containsEntry("gids", 0L);
        }
        // one of each driver, which the compiled loop of an agent may hold until it is left; never more with more replacements
        Footprint.Figures none = new Footprint.Figures(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 2);
        assertThat(footprint.measureAgainst(none).loaders()).as("class loaders of what was replaced").isLessThanOrEqualTo(2);
    }
}
