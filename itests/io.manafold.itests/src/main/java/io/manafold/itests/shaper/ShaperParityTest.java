package io.manafold.itests.shaper;

import static io.manafold.itests.shaper.DeviceShapers.handle;
import static io.manafold.itests.shaper.DeviceShapers.leaf;
import static io.manafold.itests.shaper.DeviceShapers.node;
import static io.manafold.itests.shaper.DeviceShapers.queue;
import static io.manafold.itests.shaper.DeviceShapers.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter.ResetKind;
import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.itests.OneFramework;
import io.manafold.itests.net.Wire;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the adapter has what Linux knows alone, limits are refused as Linux' driver does, oddities included. */
@OneFramework
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ShaperParityTest extends ShapersOnAWire {
    private static final Map<String, Object> NETDEV = handle("netdev");
    private static final int UNSUPPORTED = 0xffff_ffff;
    private static final int DENIED = 0xc000_0022;
    private static final long STEP = 100_000_000;
    /** A multiple of the step whose kilobits, in 32 bits, are those of 32,704 kbit/s. */
    private static final long WRAPPING = 42_950 * STEP;

    ShaperParityTest() {
        super("parity");
    }

    private long clamp() {
        return wire.adapter().ports().getFirst().clampBits();
    }

    private Errno netdevError(long rate) {
        return on.setError(NETDEV, "metric", "bps", "bw-max", rate);
    }

    private void fault(String message, int status) {
        wire.adapter().inject(new Fault("odd", message, Fault.Effect.STATUS, status, 0, true));
    }

    @Test
    void theSameIsClaimedForEachScopeAndOnlyTheDeviceWorks() {
        assertThat(on.capabilities()).extracting(scope -> scope.get("scope"))
                .containsExactly("unspec", "netdev", "queue", "node");
        assertThat(on.capabilities()).allSatisfy(scope -> assertThat(scope)
                .containsOnlyKeys("ifindex", "scope", "support-metric-bps", "support-bw-max"));
        assertThat(on.setError(queue(0), "metric", "bps", "bw-max", STEP)).isEqualTo(Errno.EINVAL);
        assertThat(on.setError(node(0), "metric", "bps", "bw-max", STEP)).isEqualTo(Errno.ENOENT);
        assertThat(on.groupError(values(), List.of(leaf(0, 0)))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(on.groupError(values("handle", NETDEV), List.of(leaf(0, 0)))).isEqualTo(Errno.EOPNOTSUPP);
        for (String attribute : List.of("bw-min", "burst", "priority", "weight")) {
            assertThat(on.setError(NETDEV, attribute, 1L)).as(attribute).isEqualTo(Errno.EOPNOTSUPP);
        }
        assertThat(on.setError(NETDEV, "metric", "pps", "bw-max", STEP)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(on.dump()).isEmpty();
        assertThat(clamp()).isZero();
    }

    @Test
    void ratesGoInStepsAndLargeOnesWrap() {
        for (long rate : new long[] {0, 1, STEP - 1, STEP + STEP / 2, -STEP}) {
            assertThat(netdevError(rate)).as("%d", rate).isEqualTo(Errno.EINVAL);
        }
        on.set(NETDEV, "metric", "bps", "bw-max", STEP);
        assertThat(clamp()).isEqualTo(STEP);
        on.set(NETDEV, "metric", "bps", "bw-max", WRAPPING);
        assertThat(on.get(NETDEV)).containsEntry("bw-max", WRAPPING);
        assertThat(clamp()).as("what is left of it in 32 bits").isEqualTo(32_000_000);
        // what was set before stays where something is refused
        assertThat(netdevError(1)).isEqualTo(Errno.EINVAL);
        assertThat(clamp()).isEqualTo(32_000_000);
        wire.flows("with a limit");
        on.delete(NETDEV);
        assertThat(clamp()).isZero();
    }

    @Test
    void whatTheDeviceRefusesHasItsOwnNumber() {
        fault("set-bandwidth-clamp", UNSUPPORTED);
        assertThat(netdevError(STEP)).isEqualTo(Errno.EOPNOTSUPP);
        on.set(NETDEV, "metric", "bps", "bw-max", STEP);
        fault("set-bandwidth-clamp", DENIED);
        assertThat(netdevError(2 * STEP)).isEqualTo(Errno.EPROTO);
        assertThat(clamp()).isEqualTo(STEP);
        fault("set-bandwidth-clamp", DENIED);
        assertThat(on.refusal("delete", Map.of("handle", NETDEV)).errno()).isEqualTo(Errno.EPROTO);
        assertThat(on.get(NETDEV)).containsEntry("bw-max", STEP);
    }

    @Test
    void aDeviceThatDoesNotKnowTheQuestionIsNotAskedAgainBeforeItsReset() {
        fault("query-link-config", UNSUPPORTED);
        for (int again = 0; again < 3; again++) {
            assertThat(netdevError(STEP)).isEqualTo(Errno.EOPNOTSUPP);
        }
        assertThat(wire.adapter().faults()).as("asked once").isEmpty();
        wire.adapter().requestReset(ResetKind.RESET);
        Wire.await("the device can be limited again", () -> {
            try {
                on.set(NETDEV, "metric", "bps", "bw-max", STEP);
                return true;
            } catch (Refusal still) {
                return false;
            }
        });
        assertThat(clamp()).isEqualTo(STEP);
    }

    @Test
    void theLimitComesBackAfterAReset() throws Exception {
        on.set(NETDEV, "metric", "bps", "bw-max", 2 * STEP);
        List<ShaperEvent> told = new CopyOnWriteArrayList<>();
        try (AutoCloseable watch = wire.shapers().watch(told::add)) {
            wire.adapter().requestReset(ResetKind.RESET);
            Wire.await("the device is told again",
                    () -> told.stream().anyMatch(event -> event.cause() == ShaperEvent.Cause.REPLAYED));
        }
        assertThat(clamp()).isEqualTo(2 * STEP);
        assertThat(on.get(NETDEV)).containsEntry("bw-max", 2 * STEP);
    }
}
