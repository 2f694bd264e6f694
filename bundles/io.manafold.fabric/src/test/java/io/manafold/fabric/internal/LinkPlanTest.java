package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkPlanTest {
    private record Given(String name, String kind, String[] ports, String interface$, double loss, double duplicate,
            double reorder, long delay, long seed, String capture, long rate, long buffer, long ecn$_$min,
            long ecn$_$max, double ecn$_$probability, String[] pfc, long pfc$_$xoff, long pfc$_$xon)
            implements LinkComponent.Config {
        Given(String name, String kind, String[] ports, String interface$, double loss, double duplicate,
                double reorder, long delay, long seed, String capture) {
            this(name, kind, ports, interface$, loss, duplicate, reorder, delay, seed, capture, 0, 0, 0, 0, 20, null,
                    0, -1);
        }

        static Given queueing(long rate, long buffer, long ecnMin, long ecnMax, double probability, long xoff,
                long xon, String... pfc) {
            return new Given("net", "switch", new String[] {"a/1", "b/1"}, null, 0, 0, 0, 0, 1, null, rate, buffer,
                    ecnMin, ecnMax, probability, pfc, xoff, xon);
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return LinkComponent.Config.class;
        }
    }

    private static Given given(String kind, String hostInterface, String... ports) {
        return new Given("net", kind, ports, hostInterface, 0, 0, 0, 0, 1, null);
    }

    private static void refused(LinkComponent.Config config, String... words) {
        assertThatThrownBy(() -> new LinkComponent(config)).isInstanceOfSatisfying(Refusal.class,
                no -> assertThat(no.errno()).isEqualTo(Errno.EINVAL)).hasMessageContainingAll(words);
    }

    @Test
    void whatCannotBeIsRefusedInASentence() {
        refused(given("hub", null, "a/1"), "hub", "switch, direct, tap or packet");
        refused(given("switch", null), "0 ports");
        refused(given("switch", null, "a/1", "a/1"), "a/1 twice");
        refused(given("switch", null, "a/1", " "), "without a name");
        refused(given("direct", null, "a/1"), "exactly two", "1");
        refused(given("direct", null, "a/1", "b/1", "c/1"), "exactly two", "3");
        refused(given("tap", "tap0", "a/1", "b/1"), "one port");
        refused(given("tap", null, "a/1"), "interface");
        refused(given("packet", "a/b", "a/1"), "a/b");
        refused(given("packet", "tap%d", "a/1"), "tap%d");
        refused(given("tap", "sixteen-letters-", "a/1"), "15");
        refused(new Given(" ", "switch", new String[] {"a/1"}, null, 0, 0, 0, 0, 1, null), "name");
        refused(new Given("net", "switch", new String[] {"a/1"}, null, 101, 0, 0, 0, 1, null), "loss", "net");
        refused(new Given("net", "switch", new String[] {"a/1"}, null, 0, 0, 0, -1, 1, null), "delay");
        refused(new Given("net", "switch", null, null, 0, 0, 0, 0, 1, null), "0 ports");
    }

    @Test
    void aConfigurationBecomesALinkWithItsCapture(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("net.pcapng");
        LinkComponent link = new LinkComponent(new Given("net", "switch", new String[] {"a/1", "b/1"}, null, 1, 2, 3,
                4_000, 5, file.toString()));
        try {
            LinkStatus status = link.status();
            assertThat(link.name()).isEqualTo("net");
            assertThat(status.impairments()).isEqualTo(new Impairments(1, 2, 3, 4000, 5));
            assertThat(status.ports()).extracting(LinkStatus.PortStatus::name).isEqualTo(List.of("a/1", "b/1"));
            assertThat(status.problems()).isEmpty();
            assertThat(link.captures()).singleElement().satisfies(one -> assertThat(one.file()).isEqualTo(file));
        } finally {
            link.stop();
        }
        assertThat(Files.size(file)).isPositive();
        LinkComponent again = new LinkComponent(new Given("net", "switch", new String[] {"a/1"}, null, 0, 0, 0, 0, 1,
                file.toString()));
        try {
            assertThat(again.status().problems()).singleElement().asString().contains("without its capture", "there");
        } finally {
            again.stop();
        }
    }

    @Test
    void aRateMakesQueues() {
        LinkComponent link = new LinkComponent(Given.queueing(1_000_000_000, 0, 5_000, 200_000, 20, 0, -1, "3", "4"));
        try {
            assertThat(link.status().queueing()).contains(
                    new Queueing(1_000_000_000, 1 << 20, 5_000, 200_000, 20, 0x18, 1 << 18, 1 << 17));
            assertThat(link.status().queues()).extracting(LinkStatus.QueueStatus::port).containsExactly("a/1", "b/1");
        } finally {
            link.stop();
        }
        LinkComponent plain = new LinkComponent(given("switch", null, "a/1"));
        try {
            assertThat(plain.status().queueing()).isEmpty();
            assertThat(plain.status().queues()).isEmpty();
        } finally {
            plain.stop();
        }
    }

    @Test
    void queuesThatCannotBeAreRefused() {
        refused(Given.queueing(0, 65_536, 0, 0, 20, 0, -1), "net", "need a rate");
        refused(Given.queueing(0, 0, 0, 5, 20, 0, -1), "need a rate");
        refused(Given.queueing(0, 0, 0, 0, 20, 0, -1, "3"), "need a rate");
        refused(Given.queueing(999_999, 0, 0, 0, 20, 0, -1), "1mbit", "400gbit", "999999");
        refused(Given.queueing(500_000_000_000L, 0, 0, 0, 20, 0, -1), "400gbit");
        refused(Given.queueing(1_000_000_000, 100, 0, 0, 20, 0, -1), "16kib", "100 bytes");
        refused(Given.queueing(1_000_000_000, 17 << 20, 0, 0, 20, 0, -1), "16mib");
        refused(Given.queueing(1_000_000_000, 65_536, 9, 8, 20, 0, -1), "ecn-min", "9, 8 and 65536");
        refused(Given.queueing(1_000_000_000, 65_536, 9, 65_537, 20, 0, -1), "ecn-max");
        refused(Given.queueing(1_000_000_000, 65_536, 0, 9, 101, 0, -1), "ecn-probability", "101");
        refused(Given.queueing(1_000_000_000, 65_536, 0, 9, Double.NaN, 0, -1), "ecn-probability");
        refused(Given.queueing(1_000_000_000, 65_536, 0, 0, 20, 100, 101, "3"), "pfc-xon", "101, 100");
        refused(Given.queueing(1_000_000_000, 65_536, 0, 0, 20, 65_537, 1, "3"), "pfc-xoff");
        refused(Given.queueing(1_000_000_000, 65_536, 0, 0, 20, 0, -1, "8"), "0 to 7", "'8'");
        refused(Given.queueing(1_000_000_000, 65_536, 0, 0, 20, 0, -1, "3", ""), "0 to 7");
        List<String> many = IntStream.range(0, 100).mapToObj(i -> "a/" + i).toList();
        assertThatThrownBy(() -> new LinkPlan("net", LinkPlan.Kind.SWITCH, many, null, Impairments.NONE,
                new Queueing(1_000_000_000, 16 << 20, 0, 0, 0, 0, 0, 0)))
                .isInstanceOf(Refusal.class).hasMessageContainingAll("100 queues", "buffer smaller");
    }
}
