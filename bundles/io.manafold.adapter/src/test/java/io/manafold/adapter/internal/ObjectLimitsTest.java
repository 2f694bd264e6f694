package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.AllocateResourceRange;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An adapter that makes fewer objects than it could. */
@Timeout(120)
class ObjectLimitsTest {
    private static final int DOORBELL_PAGES = 27;

    @Test
    void driversAreToldWhatTheyCanHave() {
        try (Bench bench = limited("told", "vectors=3", "event_queues=4", "completion_queues=9", "send_queues=5",
                "receive_queues=6", "doorbell_pages=20", "memory_keys=77"); DmaArena memory = bench.memory(4);
                EthernetSession session = bench.session(memory)) {
            assertThat(session.function().resources())
                    .isEqualTo(new QueryMaxResources.Result(5, 6, 9, 4, 20, 77, 0, 0, 3));
            assertThat(session.function().pci().interrupts().count()).isEqualTo(3);
            assertThat(session.config().eventQueues()).isEqualTo(4);
            assertThat(bench.adapter.limits()).containsEntry("vectors", 3L).containsEntry("event_queues", 4L)
                    .containsEntry("memory_keys", 77L).containsEntry("regions", 131072L);
        }
    }

    @ParameterizedTest
    @CsvSource({"event_queues=1, event queues", "send_queues=1, send queues", "receive_queues=1, receive queues",
        "completion_queues=3, completion queues"})
    void aQueueMoreIsRefusedByTheNameOfItsLimit(String limit, String name) {
        try (Bench bench = limited("queues", limit); DmaArena memory = bench.memory(16);
                EthernetSession session = bench.session(memory)) {
            assertThatThrownBy(() -> new PortSession(session, 0, PortSettings.small(2),
                    (at, length, flags, hash) -> { }).close()).isInstanceOfSatisfying(CommandRefused.class,
                    refused -> assertThat(Status.name(refused.status())).isEqualTo(Status.name(Status.NO_RESOURCES)));
            assertThat(bench.adapter.rejections().getFirst().rule())
                    .isEqualTo("there are at most " + limit.substring(limit.indexOf('=') + 1) + " " + name);
            new PortSession(session, 0, PortSettings.small(1), (at, length, flags, hash) -> { }).close();
        }
    }

    @Test
    void regionsDomainsKeysAndPagesEnd() {
        try (Bench bench = limited("objects", "regions=5", "region_pages=40", "protection_domains=4", "memory_keys=6",
                "doorbell_pages=18"); DmaArena memory = bench.memory(4);
                EthernetSession session = bench.session(memory)) {
            assertThat(until(() -> session.call(new AllocateResourceRange(DOORBELL_PAGES, 1, 0, 0)))).isEqualTo(2);
            refusedWith(bench, "there are at most 18 doorbell pages");
            // the channel has one, and so does the Ethernet device
            assertThat(until(() -> session.call(new CreatePd(1)))).isEqualTo(2);
            refusedWith(bench, "there are at most 4 protection domains");
            refused(() -> session.call(new CreateDmaRegion(41L << 12, 0, 0, 41, new long[0])));
            refusedWith(bench, "there are at most 40 pages in regions (region_pages)");
            long page = memory.allocate(4096).dma();
            assertThat(until(() -> session.call(new CreateDmaRegion(4096, 0, 0, 1, new long[] {page})))).isEqualTo(5);
            refusedWith(bench, "there are at most 5 regions");
        }
        try (Bench bench = limited("keys", "memory_keys=6"); DmaArena memory = bench.memory(4);
                EthernetSession session = bench.session(memory)) {
            long domain = session.call(new CreatePd(1)).handle();
            assertThat(until(() -> session.call(new CreateMr(domain, CreateMr.PHYSICAL, 0, 0,
                    CreateMr.LOCAL_WRITE, 0)))).isEqualTo(4);
            refusedWith(bench, "there are at most 6 memory keys");
        }
    }

    @Test
    void whatCannotBeIsRefusedWithWhatCan() {
        refusedSetting("events=3", "'events' is no limit that can be set; those are vectors, event_queues, "
                + "completion_queues");
        refusedSetting("event_queues=0", "event_queues is set to 1 to 1024, as in event_queues=1, not by "
                + "'event_queues=0'");
        refusedSetting("doorbell_pages", "doorbell_pages is set to 16 to 256");
        refusedSetting("vectors=66", "vectors is set to 2 to 65");
        assertThatThrownBy(() -> AdapterSettings.read(Map.of("name", "a", "limits",
                new String[] {"regions=3", "regions=3"}))).hasMessageContaining("regions is set twice");
        assertThat(AdapterSettings.read(Map.of("name", "a")).limits().most(ObjectLimit.REGIONS)).isEqualTo(1 << 17);
    }

    private static void refusedSetting(String text, String sentence) {
        assertThatThrownBy(() -> AdapterSettings.read(Map.of("name", "a", "limits", new String[] {text})))
                .isInstanceOf(Refusal.class).hasMessageStartingWith("The adapter a cannot be made as its setting "
                        + "limits says: " + sentence);
    }

    private static Bench limited(String name, String... limits) {
        return new Bench(name, "limits", limits);
    }

    private static void refusedWith(Bench bench, String rule) {
        assertThat(bench.adapter.rejections().getLast().rule()).isEqualTo(rule);
    }

    private static void refused(Runnable step) {
        assertThatThrownBy(step::run).isInstanceOfSatisfying(CommandRefused.class,
                refused -> assertThat(Status.name(refused.status())).isEqualTo(Status.name(Status.NO_RESOURCES)));
    }

    /** Does a step until it is refused; how often it was not. */
    private static int until(Runnable step) {
        for (int done = 0; done < 1000; done++) {
            try {
                step.run();
            } catch (CommandRefused refused) {
                assertThat(Status.name(refused.status())).isEqualTo(Status.name(Status.NO_RESOURCES));
                return done;
            }
        }
        throw new AssertionError("never refused");
    }
}
