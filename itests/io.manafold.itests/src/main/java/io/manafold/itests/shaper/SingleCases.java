package io.manafold.itests.shaper;

import static io.manafold.itests.shaper.DeviceShapers.handle;
import static io.manafold.itests.shaper.DeviceShapers.node;
import static io.manafold.itests.shaper.DeviceShapers.queue;
import static io.manafold.itests.shaper.DeviceShapers.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the kernel's own tests ask of single shapers, of a device and of queues. */
final class SingleCases {
    private final DeviceShapers on;

    SingleCases(DeviceShapers on) {
        this.on = on;
    }

    void nothingAtFirst() {
        assertThat(on.dump()).isEmpty();
    }

    void capabilities() {
        assertThat(on.capabilities()).extracting(scope -> scope.get("scope"))
                .containsExactly("netdev", "queue", "node");
        assertThat(on.capabilities()).allSatisfy(scope -> assertThat(scope).containsEntry("ifindex", on.index())
                .containsEntry("support-bw-max", true).containsEntry("support-metric-bps", true));
    }

    private void setTwoQueues() {
        on.set(queue(1), "metric", "bps", "bw-max", 10_000L);
        on.set(queue(2), "metric", "bps", "bw-max", 20_000L);
    }

    void setQueues() {
        setTwoQueues();
        assertThat(on.getError(queue(0))).isEqualTo(Errno.ENOENT);
        Map<String, Object> first = Map.of("ifindex", on.index(), "parent", handle("netdev"), "handle", queue(1),
                "metric", "bps", "bw-max", 10_000L);
        assertThat(on.get(queue(1))).isEqualTo(first);
        assertThat(on.dump()).containsExactly(first, Map.of("ifindex", on.index(), "parent", handle("netdev"), "handle",
                queue(2), "metric", "bps", "bw-max", 20_000L));
    }

    void deleteQueues() {
        setTwoQueues();
        on.delete(queue(2));
        on.delete(queue(1));
        assertThat(on.dump()).isEmpty();
    }

    void setDevice() {
        on.set(Map.of("scope", "netdev", "id", 0L), "bw-max", 100_000L);
        assertThat(on.dump()).containsExactly(Map.of("ifindex", on.index(), "handle", handle("netdev"), "metric", "bps",
                "bw-max", 100_000L));
    }

    void deleteDevice() {
        on.set(handle("netdev"), "bw-max", 100_000L);
        on.delete(handle("netdev"));
        assertThat(on.dump()).isEmpty();
    }

    /** Every attribute that the scope is said to have, at once, for each metric. */
    void allAttributes() {
        Map<String, Object> able = on.capabilities().stream().filter(scope -> scope.get("scope").equals("queue"))
                .findFirst().orElseThrow();
        List<String> metrics = new ArrayList<>(List.of("bps", "pps"));
        metrics.removeIf(metric -> !able.containsKey("support-metric-" + metric));
        assertThat(metrics).containsExactly("bps", "pps");
        for (String metric : metrics) {
            Map<String, Object> values = values("metric", metric);
            long value = metric.equals("bps") ? 1_000_000 : 1_000;
            for (String name : List.of("bw-min", "bw-max", "burst", "priority", "weight")) {
                if (able.containsKey("support-" + name)) {
                    values.put(name, value++);
                }
            }
            assertThat(values).hasSize(6);
            on.set(queue(0), values.entrySet().stream().flatMap(one -> List.of(one.getKey(), one.getValue()).stream())
                    .toArray());
            assertThat(on.get(queue(0))).containsAllEntriesOf(values);
        }
    }

    void refusedSetChangesNothing() {
        on.set(queue(0), "metric", "bps", "bw-max", 10_000L);
        assertThat(on.setError(node(0), "metric", "bps", "bw-max", 1_000L)).isEqualTo(Errno.ENOENT);
        assertThat(on.setError(queue(on.device().channels()), "metric", "bps", "bw-max", 1_000L))
                .isEqualTo(Errno.ENOENT);
        assertThat(on.get(queue(0))).containsEntry("bw-max", 10_000L).hasSize(5);
    }

    void fewerQueues() {
        for (int i = 0; i < 3; i++) {
            on.set(queue(i), "metric", "bps", "bw-max", 1_000_000L * (i + 1));
        }
        on.device().setChannels(3);
        assertThat(on.tree()).isEqualTo("queue 0, queue 1, queue 2");
        on.device().setChannels(2);
        assertThat(on.tree()).isEqualTo("queue 0, queue 1");
        assertThat(on.getError(queue(2))).isEqualTo(Errno.ENOENT);
        on.device().setChannels(4);
        assertThat(on.tree()).isEqualTo("queue 0, queue 1");
    }
}
