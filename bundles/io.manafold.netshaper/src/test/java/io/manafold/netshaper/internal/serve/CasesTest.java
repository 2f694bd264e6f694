package io.manafold.netshaper.internal.serve;

import static io.manafold.netshaper.internal.Rig.handle;
import static io.manafold.netshaper.internal.Rig.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.wire.AttributeReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cases by which a fully capable device with four queues is accepted. */
@Timeout(300)
class CasesTest {
    private static final int ENOENT = 2;
    private static final int EINVAL = 22;
    private static final int EOPNOTSUPP = 95;

    private final Rig rig = new Rig(4);

    private static Map<String, Object> with(Object... pairs) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    private void set(Map<String, Object> handle, String name, long value) {
        rig.done("set", with("handle", handle, name, value));
    }

    private void delete(Map<String, Object> handle) {
        rig.done("delete", with("handle", handle));
    }

    private Map<String, Object> get(Map<String, Object> handle) {
        return rig.done("get", with("handle", handle));
    }

    @SafeVarargs
    private long group(Map<String, Object> more, Map<String, Object>... leaves) {
        Map<String, Object> request = with("handle", handle("node"));
        request.putAll(more);
        List<Map<String, Object>> list = new ArrayList<>();
        for (Map<String, Object> leaf : leaves) {
            list.add(leaf);
        }
        request.put("leaves", list);
        return ((Map<?, ?>) rig.done("group", request).get("handle")).get("id") instanceof Long id ? id : -1;
    }

    @Test
    void getShapers() {
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void getCaps() {
        assertThat(rig.operations.dump(Family.NET_SHAPER.named("cap-get"),
                new AttributeReader(Rig.request("cap-get", true, Map.of())).request(
                        Family.NET_SHAPER.set("caps"),
                        Family.NET_SHAPER.named("cap-get").dump())))
                .hasSize(4).first().extracting(caps -> caps.get("scope")).isEqualTo("unspec");
    }

    @Test
    void setAndDeleteQueueShapers() {
        set(handle("queue", 1), "bw-max", 10_000);
        set(handle("queue", 2), "bw-max", 20_000);
        assertThat(rig.error("get", with("handle", handle("queue", 0)))).isEqualTo(ENOENT);
        assertThat(get(handle("queue", 1))).isEqualTo(Map.of("ifindex", 2L, "parent", handle("netdev"), "handle",
                handle("queue", 1), "metric", "bps", "bw-max", 10_000L));
        assertThat(rig.tree()).isEqualTo("queue 1, queue 2");
        delete(handle("queue", 2));
        delete(handle("queue", 1));
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void setAndDeleteNetdevShapers() {
        set(handle("netdev", 0), "bw-max", 100_000);
        assertThat(rig.dump()).containsExactly(Map.of("ifindex", 2L, "handle", handle("netdev"), "metric", "bps",
                "bw-max", 100_000L));
        delete(handle("netdev"));
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void setAllSupportedAttributes() {
        for (String metric : List.of("bps", "pps")) {
            Map<String, Object> values = Map.of("handle", handle("queue", 0), "metric", metric, "bw-min", 10L, "bw-max",
                    5_000_000_000L, "burst", 20L, "priority", 30L, "weight", 40L);
            rig.done("set", values);
            assertThat(get(handle("queue", 0))).containsAllEntriesOf(values);
        }
    }

    @Test
    void aFailedSetPreservesState() {
        set(handle("queue", 0), "bw-max", 10_000);
        List<Map<String, Object>> before = rig.dump();
        assertThat(rig.error("set", with("handle", handle("node", 0), "bw-max", 1))).isEqualTo(ENOENT);
        assertThat(rig.error("set", with("handle", handle("queue", 4), "bw-max", 1))).isEqualTo(ENOENT);
        assertThat(rig.dump()).isEqualTo(before);
    }

    @Test
    void aGroupOfLeavesOfSeveralParentsNeedsOne() {
        group(with(), leaf(0, 1));
        group(with(), leaf(1, 1));
        assertThat(rig.error("group", with("handle", handle("node"), "leaves", List.of(leaf(0, 2), leaf(1, 3)))))
                .isEqualTo(EINVAL);
        assertThat(rig.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, node 0, node 1");
        assertThat(group(with("parent", handle("netdev")), leaf(0, 2), leaf(1, 3))).isEqualTo(2);
        assertThat(rig.tree()).isEqualTo("queue 0 in node 2, queue 1 in node 2, node 2");
        assertThat(get(handle("queue", 1))).containsEntry("weight", 3L);
    }

    @Test
    void emptyNodesAreCleanedUpRecursively() {
        group(with(), leaf(0, 1));
        group(with(), leaf(0, 1));
        assertThat(rig.tree()).isEqualTo("queue 0 in node 1, node 0, node 1 in node 0");
        delete(handle("queue", 0));
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void basicGroups() {
        for (long rate : new long[] {0, 10_000}) {
            assertThat(group(rate == 0 ? with("handle", handle("netdev"))
                    : with("handle", handle("netdev"), "bw-max", rate), leaf(1, 1), leaf(2, 2))).isEqualTo(-1);
            assertThat(get(handle("queue", 1))).containsEntry("weight", 1L).containsEntry("parent", handle("netdev"));
            delete(handle("queue", 2));
            delete(handle("queue", 1));
            assertThat(rig.dump()).containsExactly(rate == 0 ? Map.of("ifindex", 2L, "handle", handle("netdev"))
                    : Map.of("ifindex", 2L, "handle", handle("netdev"), "metric", "bps", "bw-max", rate));
            delete(handle("netdev"));
            assertThat(rig.dump()).isEmpty();
        }
    }

    @Test
    void queueGroups() {
        long node = group(with("bw-max", 10_000L), leaf(1, 3), leaf(2, 2));
        assertThat(get(handle("node", node))).isEqualTo(Map.of("ifindex", 2L, "parent", handle("netdev"), "handle",
                handle("node", node), "metric", "bps", "bw-max", 10_000L));
        assertThat(rig.error("group", with("handle", handle("node", node + 1), "leaves", List.of(leaf(3, 4)))))
                .isEqualTo(ENOENT);
        group(with("handle", handle("node", node)), leaf(3, 4));
        delete(handle("queue", 2));
        delete(handle("queue", 1));
        delete(handle("node", node));
        assertThat(rig.dump()).containsExactly(Map.of("ifindex", 2L, "parent", handle("netdev"), "handle",
                handle("queue", 3), "weight", 4L));
        delete(handle("queue", 3));
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void nodesAreSet() {
        long node = group(with("bw-max", 10_000L), leaf(0, 1));
        set(handle("node", node), "bw-max", 20_000);
        assertThat(get(handle("node", node))).containsEntry("bw-max", 20_000L);
        group(with("handle", handle("node", node), "bw-max", 50_000L), leaf(0, 0), leaf(1, 0));
        assertThat(get(handle("node", node))).containsEntry("bw-max", 50_000L);
        assertThat(rig.dump()).hasSize(3);
    }

    @Test
    void delegation() {
        group(with(), leaf(1, 1), leaf(2, 1), leaf(3, 1));
        group(with(), leaf(1, 1), leaf(2, 1));
        assertThat(rig.tree())
                .isEqualTo("queue 1 in node 1, queue 2 in node 1, queue 3 in node 0, node 0, node 1 in node 0");
        delete(handle("node", 1));
        assertThat(rig.tree()).isEqualTo("queue 1 in node 0, queue 2 in node 0, queue 3 in node 0, node 0");
    }

    @Test
    void nestsAsDeepAsThereAreQueues() {
        group(with(), leaf(0, 0), leaf(1, 0), leaf(2, 0), leaf(3, 0));
        group(with(), leaf(1, 0), leaf(2, 0), leaf(3, 0));
        group(with(), leaf(2, 0), leaf(3, 0));
        assertThat(rig.tree()).endsWith("node 0, node 1 in node 0, node 2 in node 1");
    }

    @Test
    void aChildThatIsDeletedHandsItsQueueUp() {
        group(with(), leaf(0, 0), leaf(1, 0));
        long child = group(with(), leaf(1, 0));
        delete(handle("node", child));
        assertThat(rig.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 0, node 0");
    }

    @Test
    void aQueueMovesBetweenNodes() {
        group(with("bw-max", 100L), leaf(0, 0), leaf(1, 0));
        group(with("bw-max", 200L), leaf(2, 0));
        group(with("handle", handle("node", 1)), leaf(1, 0));
        assertThat(rig.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, queue 2 in node 1, node 0, node 1");
        assertThat(get(handle("node", 0))).containsEntry("bw-max", 100L);
        assertThat(get(handle("node", 1))).containsEntry("bw-max", 200L);
    }

    @Test
    void nodesAreNotReparented() {
        group(with(), leaf(0, 0), leaf(1, 0));
        group(with(), leaf(1, 0));
        group(with(), leaf(2, 0));
        String before = rig.tree();
        for (Map<String, Object> parent : List.of(handle("netdev"), handle("node", 2))) {
            assertThat(rig.error("group", with("handle", handle("node", 1), "parent", parent, "leaves",
                    List.of(leaf(1, 0))))).isEqualTo(EOPNOTSUPP);
        }
        group(with("handle", handle("node", 1), "parent", handle("node", 0)), leaf(1, 0));
        group(with("handle", handle("node", 1)), leaf(1, 0));
        assertThat(rig.tree()).isEqualTo(before);
    }

    @Test
    void aLeafIsNamedOnce() {
        assertThat(rig.error("group", with("handle", handle("node"), "leaves", List.of(leaf(0, 1), leaf(0, 2)))))
                .isEqualTo(EINVAL);
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void fewerQueuesFewerShapers() {
        for (int i = 0; i < 3; i++) {
            set(handle("queue", i), "bw-max", 1000);
        }
        rig.ops.resize(3);
        assertThat(rig.tree()).isEqualTo("queue 0, queue 1, queue 2");
        rig.ops.resize(2);
        assertThat(rig.tree()).isEqualTo("queue 0, queue 1");
        rig.ops.resize(4);
        assertThat(rig.tree()).isEqualTo("queue 0, queue 1");
    }
}
