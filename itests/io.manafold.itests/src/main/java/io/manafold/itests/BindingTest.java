package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestFunction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.Bundle;

@Timeout(300)
class BindingTest {
    private static final String ADDRESS = "7870:00:00.0";

    @RegisterExtension
    final Platform platform = new Platform();

    @Test
    void deviceBeforeDriver() throws Exception {
        platform.plug(ADDRESS);
        platform.assertFree(ADDRESS);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void driverBeforeDevice() throws Exception {
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.plug(ADDRESS);
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void aDriverThatDoesNotListTheDeviceLeavesItAlone() throws Exception {
        platform.start(DriverBundle.of("other", "8086:1572"));
        platform.plug(ADDRESS);
        platform.assertFree(ADDRESS);
    }

    @Test
    void whoStopsADriverWaitsUntilItHasLeft() throws Exception {
        platform.plug(ADDRESS);
        var bundle = platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
        bundle.stop();
        assertThat(platform.find(ADDRESS).orElseThrow().driver()).isEmpty();
        assertThat(platform.drivers()).isEmpty();
    }

    @Test
    void unboundByHandStaysFreeUntilBoundByHand() throws Exception {
        platform.plug(ADDRESS);
        var bundle = platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.settle();
        platform.core().unbind(ADDRESS);
        assertThat(platform.device(ADDRESS).unboundByHand()).isTrue();
        bundle.stop();
        bundle.start();
        platform.assertFree(ADDRESS);
        platform.core().bind(ADDRESS, null);
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void anOverrideBindsWhateverTheIdTableSaysAndKeepsOthersOut() throws Exception {
        platform.plug(ADDRESS);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.start(DriverBundle.of("lender", "ffff:ffff"));
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
        assertThatThrownBy(() -> platform.core().bind(ADDRESS, new DriverChoice("lender", null)))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV));
        platform.core().override(ADDRESS, new DriverChoice("lender", null));
        platform.assertBound(ADDRESS, "lender 1.0.0");
        platform.core().override(ADDRESS, null);
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void aDeviceThatIsExpectedHasItsDriverAtOnceUntilAnOrderSaysMore() throws Exception {
        DriverChoice lender = new DriverChoice("lender", null);
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.start(DriverBundle.of("lender", "ffff:ffff"));
        platform.settle();
        platform.core().expect(ADDRESS, lender);
        TestFunction device = platform.plug(ADDRESS);
        platform.assertBound(ADDRESS, "lender 1.0.0");
        assertThat(platform.device(ADDRESS).override()).isEmpty();
        platform.core().override(ADDRESS, lender);
        platform.core().override(ADDRESS, null);
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
        device.unplug();
        platform.core().expect(ADDRESS, lender);
        platform.core().expect(ADDRESS, null);
        device.plug();
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    @Test
    void ordersThatMakeNoSenseAreRefusedWithASentence() throws Exception {
        assertRefused(Errno.ENODEV, "no device", () -> platform.core().unbind("0000:00:00.0"));
        platform.plug(ADDRESS);
        platform.settle();
        assertRefused(Errno.ENODEV, "no driver here lists it", () -> platform.core().bind(ADDRESS, null));
        platform.start(DriverBundle.of("ethernet", "1414:00ba"));
        platform.settle();
        assertRefused(Errno.EBUSY, "bound already", () -> platform.core().bind(ADDRESS, null));
        assertRefused(Errno.ENOENT, "there is no driver etherent here",
                () -> platform.core().override(ADDRESS, new DriverChoice("etherent", null)));
        platform.assertBound(ADDRESS, "ethernet 1.0.0");
    }

    private interface Attempt {
        void run() throws Exception;
    }

    private static void assertRefused(Errno errno, String words, Attempt attempt) {
        assertThatThrownBy(attempt::run).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.errno()).isEqualTo(errno);
            assertThat(refusal).hasMessageContaining(words);
        });
    }

    @Test
    void theNarrowerClaimWinsAndTheOtherIsNamed() throws Exception {
        platform.start(DriverBundle.of("broad", "1414:ffffffff").header("Test-Drives", "1414:00ba,1414:00bb"));
        platform.start(DriverBundle.of("rival", "1414:00ba"));
        platform.plug(ADDRESS);
        String first = platform.device(ADDRESS).driver().orElseThrow().name();
        assertThat(platform.device(ADDRESS).reason().orElseThrow())
                .contains("also claimed by " + (first.equals("broad") ? "rival" : "broad"));
    }

    @Test
    void aRivalThatComesLaterIsNamedAsLongAsItIsThere() throws Exception {
        platform.start(DriverBundle.of("first", "1414:00ba"));
        platform.plug(ADDRESS);
        assertThat(platform.device(ADDRESS).reason()).isEmpty();
        Bundle rival = platform.start(DriverBundle.of("second", "1414:00ba"));
        assertThat(platform.device(ADDRESS).reason().orElseThrow()).contains("also claimed by second 1.0.0");
        platform.assertBound(ADDRESS, "first 1.0.0");
        rival.stop();
        assertThat(platform.device(ADDRESS).reason()).isEmpty();
    }

    @Test
    void aSecondDeviceOfTheSameIdWaitsForTheFirstToGo() throws Exception {
        TestFunction first = platform.plug(ADDRESS);
        platform.settle();
        TestFunction second = platform.plug(ADDRESS);
        platform.settle();
        assertThat(platform.core().devices()).hasSize(1);
        first.unplug();
        assertThat(platform.device(ADDRESS).device()).isSameAs(second);
    }

    @Test
    void aDriverThatLeavesBeforeItWasMetLeavesNothingBehind() throws Exception {
        platform.plug(ADDRESS);
        for (int round = 0; round < 50; round++) {
            platform.start(DriverBundle.of("hasty", "1414:00ba")).uninstall();
        }
        platform.assertFree(ADDRESS);
        assertThat(platform.drivers()).isEmpty();
    }

    @Test
    void eventsCanBeWatchedInOrder() throws Exception {
        List<DeviceEvent> seen = new CopyOnWriteArrayList<>();
        try (var following = platform.events().subscribe(seen::add)) {
            platform.plug(ADDRESS);
            var bundle = platform.start(DriverBundle.of("ethernet", "1414:00ba"));
            platform.assertBound(ADDRESS, "ethernet 1.0.0");
            bundle.stop();
            long last = platform.events().recent().getLast().sequence();
            while (seen.isEmpty() || seen.getLast().sequence() < last) {
                Thread.onSpinWait();
            }
        }
        assertThat(seen).isSortedAccordingTo((a, b) -> Long.compare(a.sequence(), b.sequence()));
        assertThat(seen).extracting(DeviceEvent::kind).containsSubsequence(DeviceEvent.Kind.DEVICE_ARRIVED,
                DeviceEvent.Kind.DRIVER_ARRIVED, DeviceEvent.Kind.BOUND, DeviceEvent.Kind.UNBOUND,
                DeviceEvent.Kind.DRIVER_GONE);
    }
}
