package io.manafold.itests.shaper;

import static io.manafold.itests.shaper.DeviceShapers.handle;
import static io.manafold.itests.shaper.DeviceShapers.leaf;
import static io.manafold.itests.shaper.DeviceShapers.node;
import static io.manafold.itests.shaper.DeviceShapers.queue;
import static io.manafold.itests.shaper.DeviceShapers.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the kernel's own tests ask of groups and nodes. */
final class GroupCases {
    private static final Map<String, Object> NEW = Map.of();

    private final DeviceShapers on;

    GroupCases(DeviceShapers on) {
        this.on = on;
    }

    void mixedParentsNeedOne() {
        on.group(NEW, List.of(leaf(0, 1)));
        on.group(NEW, List.of(leaf(1, 1)));
        assertThat(on.groupError(NEW, List.of(leaf(0, 2), leaf(1, 3)))).isEqualTo(Errno.EINVAL);
        assertThat(on.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, node 0, node 1");
        assertThat(on.group(values("parent", handle("netdev")), List.of(leaf(0, 2), leaf(1, 3)))).isEqualTo(node(2));
        assertThat(on.tree()).isEqualTo("queue 0 in node 2, queue 1 in node 2, node 2");
        assertThat(on.get(queue(0))).containsEntry("weight", 2L);
        assertThat(on.get(queue(1))).containsEntry("weight", 3L);
    }

    void emptyNodesGo() {
        on.group(NEW, List.of(leaf(0, 1)));
        on.group(NEW, List.of(leaf(0, 1)));
        assertThat(on.tree()).isEqualTo("queue 0 in node 1, node 0, node 1 in node 0");
        on.delete(queue(0));
        assertThat(on.dump()).isEmpty();
    }

    void onDevice() {
        onDevice(0);
    }

    void onDeviceWithRate() {
        onDevice(10_000);
    }

    private void onDevice(long rate) {
        Map<String, Object> group = values("handle", handle("netdev"));
        if (rate != 0) {
            group.putAll(values("metric", "bps", "bw-max", rate));
        }
        assertThat(on.group(group, List.of(leaf(1, 1), leaf(2, 2)))).isEqualTo(handle("netdev"));
        assertThat(on.get(queue(1)))
                .isEqualTo(Map.of("ifindex", on.index(), "parent", handle("netdev"), "handle", queue(1), "weight", 1L));
        on.delete(queue(2));
        on.delete(queue(1));
        assertThat(on.dump()).containsExactly(rate == 0 ? Map.of("ifindex", on.index(), "handle", handle("netdev"))
                : Map.of("ifindex", on.index(), "handle", handle("netdev"), "metric", "bps", "bw-max", rate));
        on.delete(handle("netdev"));
        assertThat(on.dump()).isEmpty();
    }

    void ofQueues() {
        assertThat(on.group(values("metric", "bps", "bw-max", 10_000L), List.of(leaf(1, 3), leaf(2, 2))))
                .isEqualTo(node(0));
        assertThat(on.get(node(0)))
                .isEqualTo(Map.of("ifindex", on.index(), "parent", handle("netdev"), "handle", node(0), "metric", "bps",
                        "bw-max", 10_000L));
        assertThat(on.groupError(values("handle", node(1)), List.of(leaf(3, 4)))).isEqualTo(Errno.ENOENT);
        on.group(values("handle", node(0)), List.of(leaf(3, 4)));
        assertThat(on.tree()).isEqualTo("queue 1 in node 0, queue 2 in node 0, queue 3 in node 0, node 0");
        on.delete(queue(2));
        on.delete(queue(1));
        on.assertHeldByTheAdapter();
        on.delete(node(0));
        on.assertHeldByTheAdapter();
        assertThat(on.dump())
                .containsExactly(Map.of("ifindex", on.index(), "parent", handle("netdev"), "handle", queue(3), "weight",
                        4L));
        on.delete(queue(3));
        assertThat(on.dump()).isEmpty();
    }

    void setNode() {
        on.group(values("metric", "bps", "bw-max", 10_000L), List.of(leaf(0, 1)));
        on.set(node(0), "metric", "bps", "bw-max", 20_000L);
        assertThat(on.get(node(0))).containsEntry("bw-max", 20_000L);
    }

    void regroupChangesTheNode() {
        on.group(values("metric", "bps", "bw-max", 10_000L), List.of(leaf(0, 3), leaf(1, 2)));
        on.group(values("handle", node(0), "metric", "bps", "bw-max", 50_000L), List.of(leaf(0, 0), leaf(1, 0)));
        assertThat(on.get(node(0))).containsEntry("bw-max", 50_000L);
        assertThat(on.get(queue(0))).containsEntry("weight", 3L);
        assertThat(on.dump()).hasSize(3);
    }

    void delegation() {
        on.group(NEW, List.of(leaf(1, 3), leaf(2, 2), leaf(3, 1)));
        on.group(NEW, List.of(leaf(1, 4), leaf(2, 2)));
        assertThat(on.tree())
                .isEqualTo("queue 1 in node 1, queue 2 in node 1, queue 3 in node 0, node 0, node 1 in node 0");
        on.delete(node(1));
        assertThat(on.tree()).isEqualTo("queue 1 in node 0, queue 2 in node 0, queue 3 in node 0, node 0");
        assertThat(on.get(queue(1))).containsEntry("weight", 4L);
    }

    /** Each node takes all queues of the one above but one, as long as there are two. */
    void depth() {
        int queues = on.device().channels();
        for (int first = 0; first < queues - 1; first++) {
            on.group(NEW, IntStream.range(first, queues).mapToObj(queue -> leaf(queue, 1)).toList());
        }
        assertThat(on.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, queue 2 in node 2, queue 3 in node 2, "
                + "node 0, node 1 in node 0, node 2 in node 1");
    }

    /** Beyond the kernel's test: the device's own bound, which a chain of nodes with one queue meets. */
    void depthHasAnEnd() {
        Errno refused = null;
        int depth = 0;
        while (refused == null && depth < 100) {
            try {
                on.group(NEW, List.of(leaf(0, 1)));
                depth++;
            } catch (Refusal no) {
                refused = no.errno();
            }
        }
        assertThat(refused).isEqualTo(Errno.ENOSPC);
        assertThat(depth).isEqualTo(16);
        assertThat(on.dump()).hasSize(17);
        on.assertHeldByTheAdapter();
    }

    void deletedChildHandsItsQueueUp() {
        on.group(NEW, List.of(leaf(0, 1), leaf(1, 1)));
        on.group(NEW, List.of(leaf(1, 1)));
        assertThat(on.get(queue(1))).containsEntry("parent", node(1));
        on.delete(node(1));
        assertThat(on.get(queue(1))).containsEntry("parent", node(0));
        assertThat(on.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 0, node 0");
    }

    void queueMoves() {
        on.group(values("metric", "bps", "bw-max", 10_000L), List.of(leaf(0, 1), leaf(1, 1)));
        on.group(values("metric", "bps", "bw-max", 20_000L), List.of(leaf(2, 1)));
        on.group(values("handle", node(1)), List.of(leaf(1, 0)));
        assertThat(on.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, queue 2 in node 1, node 0, node 1");
        assertThat(on.get(node(0))).containsEntry("bw-max", 10_000L);
        assertThat(on.get(node(1))).containsEntry("bw-max", 20_000L);
    }

    void nodesStayWhereTheyAre() {
        on.group(NEW, List.of(leaf(0, 1), leaf(1, 1)));
        on.group(NEW, List.of(leaf(1, 1)));
        on.group(NEW, List.of(leaf(2, 1)));
        String before = on.tree();
        for (Map<String, Object> parent : List.of(handle("netdev"), node(2))) {
            assertThat(on.groupError(values("handle", node(1), "parent", parent), List.of(leaf(1, 0))))
                    .isEqualTo(Errno.EOPNOTSUPP);
        }
        on.group(values("handle", node(1), "parent", node(0)), List.of(leaf(1, 0)));
        on.group(values("handle", node(1)), List.of(leaf(1, 0)));
        assertThat(on.tree()).isEqualTo(before);
    }

    void leavesAreNamedOnce() {
        assertThat(on.groupError(NEW, List.of(leaf(0, 1), leaf(0, 2)))).isEqualTo(Errno.EINVAL);
        assertThat(on.dump()).isEmpty();
    }
}
