package io.manafold.netshaper.internal.serve;

import static io.manafold.netshaper.internal.Rig.handle;
import static io.manafold.netshaper.internal.Rig.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperWatcher;
import io.manafold.netshaper.internal.FakeOps;
import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.wire.AttributeReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a driver is told, in order, by everything that can happen to shapers. */
@Timeout(300)
class TracesTest {
    private static final int ENOSPC = 28;

    private final Rig rig = new Rig(8);

    private long node(Map<String, Object> node, Map<String, Object> parent, List<Map<String, Object>> leaves, int max) {
        Map<String, Object> request = new HashMap<>(Map.of("handle", node, "leaves", leaves));
        if (parent != null) {
            request.put("parent", parent);
        }
        if (max > 0) {
            request.put("bw-max", max);
        }
        Map<?, ?> handle = (Map<?, ?>) rig.done("group", request).get("handle");
        return handle.get("id") instanceof Long id ? id : -1;
    }

    @Test
    void nodesAreMadeNestedAndTakenApart() {
        assertThat(node(handle("node"), null, List.of(leaf(1, 3), leaf(2, 2)), 10_000)).isZero();
        assertThat(rig.ops.told()).containsExactly("g 3:0 max10000 <- {2:1 w3, 2:2 w2} parent 1:0");
        assertThat(node(handle("node"), handle("node", 0), List.of(leaf(2, 0)), 0)).isEqualTo(1);
        assertThat(rig.ops.told()).containsExactly("g 3:1 <- {2:2 w2} parent 3:0");
        rig.done("delete", Map.of("handle", handle("node", 1)));
        assertThat(rig.ops.told()).containsExactly("g 3:0 max10000 <- {2:2 w2} parent 1:0", "del 3:1");
        assertThat(rig.tree()).isEqualTo("queue 1 in node 0, queue 2 in node 0, node 0");
        node(handle("node"), handle("node", 0), List.of(leaf(2, 0)), 0);
        rig.ops.told();
        rig.done("delete", Map.of("handle", handle("queue", 2)));
        assertThat(rig.ops.told()).containsExactly("del 2:2", "del 3:1");
        assertThat(rig.tree()).isEqualTo("queue 1 in node 0, node 0");
    }

    @Test
    void aNodeThatLosesItsLeavesGoes() {
        node(handle("node"), null, List.of(leaf(1, 1), leaf(2, 1)), 0);
        rig.ops.told();
        node(handle("node"), handle("netdev"), List.of(leaf(1, 0), leaf(2, 0)), 0);
        assertThat(rig.ops.told()).containsExactly("g 3:1 <- {2:1 w1, 2:2 w1} parent 1:0", "del 3:0");
        node(handle("node", 1), null, List.of(leaf(3, 0)), 0);
        rig.ops.told();
        rig.done("delete", Map.of("handle", handle("node", 1)));
        assertThat(rig.ops.told()).containsExactly("g 1:0 <- {2:1 w1, 2:2 w1, 2:3} parent 0:0", "del 3:1");
        assertThat(rig.tree()).isEqualTo("queue 1, queue 2, queue 3");
    }

    @Test
    void queuesThatGoTakeTheirShapersAlong() {
        node(handle("node"), null, List.of(leaf(6, 1)), 0);
        node(handle("node"), null, List.of(leaf(6, 1)), 0);
        rig.done("set", Map.of("handle", handle("queue", 1), "weight", 4));
        assertThat(rig.tree()).isEqualTo("queue 1, queue 6 in node 1, node 0, node 1 in node 0");
        rig.ops.told();
        rig.ops.resize(7);
        assertThat(rig.ops.told()).isEmpty();
        rig.ops.resize(2);
        assertThat(rig.ops.told()).containsExactly("del 3:1", "del 3:0");
        assertThat(rig.events.getLast().cause()).isEqualTo(Cause.EMPTIED);
        rig.ops.resize(8);
        assertThat(rig.tree()).isEqualTo("queue 1");
        assertThat(rig.ops.told()).isEmpty();
    }

    @Test
    void whatTheDriverRefusesLeavesEverythingAsItWas() {
        node(handle("node"), null, List.of(leaf(1, 1)), 500);
        rig.done("set", Map.of("handle", handle("queue", 3), "weight", 4));
        List<Map<String, Object>> before = rig.dump();
        rig.ops.refuses = "";
        for (Map<String, Object> request : List.<Map<String, Object>>of(
                Map.of("handle", handle("queue", 3), "weight", 5), Map.of("handle", handle("queue", 4), "weight", 5),
                Map.of("handle", handle("node", 0), "bw-max", 5))) {
            assertThat(rig.error("set", request)).isEqualTo(ENOSPC);
        }
        assertThat(rig.error("group", Map.of("handle", handle("node"), "leaves", List.of(leaf(3, 1), leaf(5, 1)))))
                .isEqualTo(ENOSPC);
        assertThat(rig.error("delete", Map.of("handle", handle("queue", 3)))).isEqualTo(ENOSPC);
        assertThat(rig.error("delete", Map.of("handle", handle("node", 0)))).isEqualTo(ENOSPC);
        assertThat(rig.dump()).isEqualTo(before);
        rig.ops.refuses = null;
        assertThat(Rig.text(rig.last(Rig.request("set", false, Map.of("handle", handle("queue", 3)))))).isEmpty();
    }

    @Test
    void aNodeIsDeletedAsAWholeOrNotAtAll() {
        node(handle("node"), null, List.of(leaf(1, 1), leaf(2, 1)), 500);
        List<Map<String, Object>> before = rig.dump();
        rig.ops.told();
        rig.ops.refuses = "del 3:0";
        assertThat(rig.error("delete", Map.of("handle", handle("node", 0)))).isEqualTo(ENOSPC);
        assertThat(rig.ops.told()).containsExactly("g 1:0 <- {2:1 w1, 2:2 w1} parent 0:0", "del 3:0",
                "g 3:0 max500 <- {2:1 w1, 2:2 w1} parent 1:0");
        assertThat(rig.dump()).isEqualTo(before);
        rig.ops.refuses = null;
        rig.done("delete", Map.of("handle", handle("node", 0)));
        assertThat(rig.tree()).isEqualTo("queue 1, queue 2");
    }

    @Test
    void nobodyReadsWhatIsNotYetAccepted() {
        List<Object> seen = new ArrayList<>();
        FakeOps looking = new FakeOps("eth0", 2, 8);
        rig.plug(looking);
        looking.watch(new ShaperWatcher() {
            @Override
            public void queues(int count) {
                seen.add(rig.tree());
            }

            @Override
            public void forgotten() {
                seen.add("forgotten");
            }
        });
        rig.done("set", Map.of("handle", handle("queue", 7), "weight", 1));
        looking.resize(4);
        assertThat(seen).containsExactly("");
    }

    @Test
    void aResetHasAllToldAgainInnermostFirst() {
        rig.done("set", Map.of("handle", handle("netdev"), "bw-max", 9_000));
        rig.done("set", Map.of("handle", handle("queue", 5), "bw-max", 100));
        node(handle("node"), null, List.of(leaf(1, 1), leaf(2, 2)), 500);
        node(handle("node"), null, List.of(leaf(2, 3)), 200);
        List<Map<String, Object>> before = rig.dump();
        rig.ops.told();
        rig.ops.reset();
        assertThat(rig.ops.told()).containsExactly("reset", "set 1:0 max9000 parent 0:0", "set 2:5 max100 parent 1:0",
                "g 3:1 max200 <- {2:2 w3} parent 1:0", "g 3:0 max500 <- {2:1 w1, 3:1 max200} parent 1:0");
        assertThat(rig.dump()).isEqualTo(before);
    }

    @Test
    void anotherDriverIsToldWhatTheFirstWas() {
        node(handle("node"), null, List.of(leaf(1, 1), leaf(7, 2)), 500);
        rig.done("set", Map.of("handle", handle("queue", 6), "priority", 100));
        List<Map<String, Object>> before = rig.dump();
        rig.plug(new FakeOps("eth0", 2, 8));
        assertThat(rig.dump()).isEqualTo(before);
        assertThat(rig.ops.told()).containsExactly("set 2:6 p100 parent 1:0",
                "g 3:0 max500 <- {2:1 w1, 2:7 w2} parent 1:0");
        rig.plug(new FakeOps("eth0", 2, 4));
        assertThat(rig.tree()).isEqualTo("queue 1 in node 0, node 0");
        rig.plug(new FakeOps("eth0", 2, 8));
        assertThat(rig.tree()).as("what could not be carried out was kept")
                .isEqualTo("queue 1 in node 0, queue 6, queue 7 in node 0, node 0");
    }

    @Test
    void aPlanSaysWhatTheDriverWouldBeTold() {
        node(handle("node"), null, List.of(leaf(1, 1)), 500);
        List<Map<String, Object>> before = rig.dump();
        rig.ops.told();
        byte[] request = Rig.request("delete", false, Map.of("handle", handle("node", 0)));
        var operation = Family.NET_SHAPER.named("delete");
        assertThat(rig.operations.plan(operation, new AttributeReader(request)
                .request(operation.set(), operation.request())))
                .extracting(call -> call.kind() + " " + call.shaper().handle() + call.leaves().stream()
                        .map(leaf -> ", " + leaf.handle() + " below " + leaf.parent() + " weight " + leaf.weight())
                        .toList())
                .containsExactly("GROUP netdev[, queue 1 below netdev weight 1]", "DELETE node 0[]");
        assertThat(rig.ops.calls).isEmpty();
        assertThat(rig.dump()).isEqualTo(before);
    }
}
