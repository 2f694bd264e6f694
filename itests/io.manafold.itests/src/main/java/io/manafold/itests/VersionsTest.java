package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.LossCounter;
import io.manafold.api.device.Probe;
import io.manafold.api.device.Removal;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.script.Script;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.ServiceRegistration;

/** Two versions of one driver beside each other. */
@Timeout(300)
class VersionsTest {
    private static final String ONE = "7870:00:00.0";
    private static final String TWO = "7871:00:00.0";

    @RegisterExtension
    final Platform platform = new Platform();

    private static DriverBundle ethernet(String version) {
        return DriverBundle.of("ethernet", "1414:00ba").version(version).offers("mana.rdma");
    }

    @Test
    void aNewerVersionTakesOverAndTheOldStaysForWhoeverWantsIt() throws Exception {
        platform.plug(ONE);
        platform.start(ethernet("1.0.0"));
        platform.start(DriverBundle.of("rdma", "mana.rdma").busy());
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
        platform.start(ethernet("1.1.0"));
        platform.assertBound(ONE, "ethernet 1.1.0");
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
        assertThat(platform.events().recent().reversed().stream()
                .filter(event -> event.kind() == DeviceEvent.Kind.SWAPPED).findFirst().orElseThrow().sentence())
                .startsWith(ONE + " went from ethernet 1.0.0 to ethernet 1.1.0: gap ");
        platform.core().override(ONE, new DriverChoice("ethernet", "1.0.0"));
        platform.assertBound(ONE, "ethernet 1.0.0");
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
    }

    @Test
    void aVersionWithoutAQualifierMeansItsNewestBuild() throws Exception {
        platform.plug(ONE);
        platform.start(ethernet("1.0.0.202601010000"));
        platform.start(ethernet("1.0.0.202602010000"));
        platform.start(ethernet("1.1.0.202601010000"));
        platform.assertBound(ONE, "ethernet 1.1.0.202601010000");
        platform.core().override(ONE, new DriverChoice("ethernet", "1.0.0"));
        platform.assertBound(ONE, "ethernet 1.0.0.202602010000");
        platform.core().override(ONE, new DriverChoice("ethernet", "1.0.0.202601010000"));
        platform.assertBound(ONE, "ethernet 1.0.0.202601010000");
    }

    @Test
    void aSwapTellsWhatItHasCost() throws Exception {
        platform.plug(ONE);
        AtomicLong lost = new AtomicLong(10);
        ServiceRegistration<LossCounter> counter = platform.context().registerService(LossCounter.class,
                () -> lost.getAndAdd(7), new Hashtable<>(Map.of(LossCounter.DEVICE, ONE)));
        try {
            platform.start(ethernet("1.0.0"));
            platform.assertBound(ONE, "ethernet 1.0.0");
            platform.start(ethernet("1.1.0"));
            platform.assertBound(ONE, "ethernet 1.1.0");
            DeviceEvent swapped = platform.events().recent().reversed().stream()
                    .filter(event -> event.kind() == DeviceEvent.Kind.SWAPPED).findFirst().orElseThrow();
            assertThat(swapped.sentence()).matches(".*: gap [0-9.]+ ms, 7 frames lost");
            assertThat(swapped.figures()).containsOnlyKeys("gap_ms", "frames_lost").containsEntry("frames_lost", 7L);
        } finally {
            counter.unregister();
        }
    }

    @Test
    void anOlderVersionThatArrivesLaterDisturbsNobody() throws Exception {
        platform.plug(ONE);
        platform.start(ethernet("1.1.0"));
        platform.start(ethernet("1.0.0"));
        platform.assertBound(ONE, "ethernet 1.1.0");
    }

    @Test
    void eachDeviceHasItsOwnChoice() throws Exception {
        platform.plug(ONE);
        platform.plug(TWO);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.start(DriverBundle.of("ethernet", "1414:00ba").version("1.1.0"));
        platform.settle();
        platform.core().override(ONE, new DriverChoice("ethernet", "1.0.0"));
        platform.assertBound(ONE, "ethernet 1.0.0");
        platform.assertBound(TWO, "ethernet 1.1.0");
        platform.core().bind(TWO, new DriverChoice("ethernet", "1.0.0"));
        platform.assertBound(TWO, "ethernet 1.0.0");
    }

    @Test
    void aNewVersionThatFailsItsProbeIsRolledBack() throws Exception {
        failing("ethernet 1.1.0");
        platform.plug(ONE);
        platform.start(ethernet("1.0.0"));
        platform.assertBound(ONE, "ethernet 1.0.0");
        platform.start(ethernet("1.1.0"));
        platform.assertBound(ONE, "ethernet 1.0.0");
        assertThat(platform.events().recent()).extracting(DeviceEvent::kind)
                .containsSubsequence(DeviceEvent.Kind.PROBE_FAILED, DeviceEvent.Kind.ROLLED_BACK);
    }

    @Test
    void anOverrideToAVersionThatFailsIsTakenBackAndSaysWhy() throws Exception {
        failing("ethernet 1.1.0");
        platform.plug(ONE);
        platform.start(ethernet("1.0.0"));
        platform.start(ethernet("1.1.0"));
        platform.settle();
        assertThatThrownBy(() -> platform.core().override(ONE, new DriverChoice("ethernet", "1.1.0")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("no firmware for it")
                .hasMessageEndingWith("it is back with ethernet 1.0.0");
        platform.assertBound(ONE, "ethernet 1.0.0");
        assertThat(platform.device(ONE).override()).isEmpty();
    }

    @Test
    void aNewVersionThatWantsToWaitIsRolledBackToo() throws Exception {
        platform.script(new Probes() {
            @Override
            public void probe(String driver, Probe probe) {
                if (driver.equals("ethernet 1.1.0")) {
                    throw probe.defer(null, "the clock has not come");
                }
            }
        });
        platform.plug(ONE);
        platform.start(ethernet("1.0.0"));
        platform.settle();
        platform.start(ethernet("1.1.0"));
        platform.assertBound(ONE, "ethernet 1.0.0");
    }

    private void failing(String version) {
        platform.script(new Probes() {
            @Override
            public void probe(String driver, Probe probe) {
                if (driver.equals(version)) {
                    throw new Refusal(Errno.EIO, "no firmware for it");
                }
            }
        });
    }

    /** A script about probes alone. */
    private abstract static class Probes implements Script {
        @Override
        public void remove(String driver, String device, Removal why) {
            // as it comes
        }
    }
}
