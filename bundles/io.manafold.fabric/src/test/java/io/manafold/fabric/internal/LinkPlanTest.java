package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkPlanTest {
    private record Given(String name, String kind, String[] ports, String interface$, double loss, double duplicate,
            double reorder, long delay, long seed, String capture) implements LinkComponent.Config {
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
}
