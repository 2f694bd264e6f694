package io.manafold.itests.shaper;

import static io.manafold.itests.shaper.DeviceShapers.handle;
import static io.manafold.itests.shaper.DeviceShapers.leaf;
import static io.manafold.itests.shaper.DeviceShapers.node;
import static io.manafold.itests.shaper.DeviceShapers.queue;
import static io.manafold.itests.shaper.DeviceShapers.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter.ResetKind;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.itests.net.EthernetBundle;
import io.manafold.itests.net.Wire;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of limits when queues go, when the device goes and comes, and when it forgets. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ShaperLifeTest extends ShapersOnAWire {
    private static final long RATE = 5_000_000_000L;
    /** Two that are set, and two groups, of three and of two queues, each with its node. */
    private static final int TOLD = 2 + 4 + 3;
    private static final String TREE = "netdev, queue 0, queue 1 in node 0, queue 2 in node 1, queue 3 in node 1, node "
            + "0, node 1 in node 0";

    private final List<ShaperEvent> told = new CopyOnWriteArrayList<>();
    private AutoCloseable watch;

    ShaperLifeTest() {
        super("full");
    }

    @BeforeEach
    void grow() throws Exception {
        on.device().setChannels(4);
        watch = wire.shapers().watch(told::add);
        on.set(handle("netdev"), "metric", "bps", "bw-max", 2 * RATE, "burst", 100_000L);
        on.set(queue(0), "metric", "pps", "bw-max", 1_000_000L, "priority", 3L);
        on.group(values("metric", "bps", "bw-max", RATE, "bw-min", RATE / 10),
                List.of(leaf(1, 1), leaf(2, 2), leaf(3, 3)));
        on.group(values("metric", "bps", "bw-max", RATE / 2, "weight", 7L), List.of(leaf(2, 2), leaf(3, 3)));
        assertThat(on.tree()).isEqualTo(TREE);
        Wire.await("all of that is told", () -> told.size() == TOLD);
        told.clear();
    }

    @AfterEach
    void end() throws Exception {
        if (watch != null) {
            watch.close();
        }
    }

    /** Whether the device is there with the adapter holding what is listed. */
    private boolean isThere(List<Map<String, Object>> wanted) {
        try {
            return wire.device(1) != null && without(on.dump()).equals(without(wanted)) && on.isHeldByTheAdapter();
        } catch (Refusal gone) {
            return false;
        }
    }

    /** The device's number is another one when it comes back. */
    private static List<Map<String, Object>> without(List<Map<String, Object>> shapers) {
        return shapers.stream().map(shaper -> {
            Map<String, Object> rest = new TreeMap<>(shaper);
            rest.remove("ifindex");
            return rest;
        }).toList();
    }

    private List<String> told(Cause cause) {
        return told.stream().filter(event -> event.cause() == cause)
                .map(event -> event.handle() + (event.now() == null ? " gone" : "")).toList();
    }

    @Test
    void queuesThatGoTakeTheirShapersAlongAndNodesWithNothingBelowFollow() {
        on.device().setChannels(2);
        assertThat(on.tree()).isEqualTo("netdev, queue 0, queue 1 in node 0, node 0");
        on.assertHeldByTheAdapter();
        Wire.await("all is told", () -> told.size() == 3);
        assertThat(told(Cause.QUEUE_GONE)).containsExactly("queue 2 gone", "queue 3 gone");
        assertThat(told(Cause.EMPTIED)).containsExactly("node 1 gone");
        on.device().setChannels(1);
        assertThat(on.tree()).isEqualTo("netdev, queue 0");
        on.device().setChannels(4);
        assertThat(on.tree()).isEqualTo("netdev, queue 0");
        on.assertHeldByTheAdapter();
        wire.flows("after the queues came back");
    }

    @Test
    void whatTheDeviceDoesOtherwiseTouchesNoShaper() {
        List<Map<String, Object>> before = on.dump();
        on.device().setMtu(3000);
        on.device().setRings(512, 512);
        on.device().setUp(false);
        on.device().setUp(true);
        assertThat(on.dump()).isEqualTo(before);
        on.assertHeldByTheAdapter();
        assertThat(told).isEmpty();
        wire.flows("after changes");
    }

    @Test
    void anotherDriverIsToldTheWholeTree() throws Exception {
        List<Map<String, Object>> before = on.dump();
        wire.driver().update(EthernetBundle.version("2.0.0"));
        Wire.await("the tree is there again", () -> isThere(before));
        assertThat(told(Cause.ASKED)).isEmpty();
        assertThat(told(Cause.QUEUE_GONE)).isEmpty();
        wire.flows("after the update");
    }

    @Test
    void aDeviceThatIsTakenAwayAndPutBackHasItsTree() throws Exception {
        List<Map<String, Object>> before = on.dump();
        String name = on.device().name();
        platform.core().unbind(Wire.ADDRESS);
        assertThat(wire.shapers().has(name)).isFalse();
        assertThat(told).as("a device that goes says nothing of its shapers").isEmpty();
        platform.core().bind(Wire.ADDRESS, null);
        Wire.await("the tree is there again", () -> isThere(before));
        wire.adapter().revoke();
        Wire.await("the device is gone", () -> wire.device(1) == null);
        wire.adapter().restore();
        Wire.await("the tree is there once more", () -> isThere(before));
        wire.flows("after it came back");
    }

    @Test
    void anAdapterThatWasResetIsToldAgain() {
        List<Map<String, Object>> before = on.dump();
        for (ResetKind kind : ResetKind.values()) {
            told.clear();
            wire.adapter().requestReset(kind);
            Wire.await("it is told again", () -> told(Cause.REPLAYED).size() == before.size());
            assertThat(on.dump()).isEqualTo(before);
            on.assertHeldByTheAdapter();
            assertThat(told).hasSize(before.size()).allMatch(event -> event.now() != null);
            wire.flows("after " + kind);
        }
        assertThat(on.get(node(1))).containsEntry("weight", 7L).containsEntry("bw-max", RATE / 2);
    }
}
