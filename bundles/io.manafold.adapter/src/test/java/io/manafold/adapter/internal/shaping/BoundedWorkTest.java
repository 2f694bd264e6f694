package io.manafold.adapter.internal.shaping;

import static io.manafold.adapter.internal.shaping.Simulation.node;
import static io.manafold.adapter.internal.shaping.Simulation.queue;
import static io.manafold.adapter.internal.shaping.Simulation.vport;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver's messages about shapers cost, counted in shapers that are looked at. */
@Timeout(300)
class BoundedWorkTest {
    private static final int QUEUES = 64;
    private static final int TOP = 100_000;
    /** Above a queue, and the queue. */
    private static final int LEVELS = PortShapers.DEPTH + 2;

    private final Simulation lab = new Simulation(QUEUES);

    private static double logarithm(double entries) {
        return Math.log(entries) / Math.log(2);
    }

    private static List<ShaperValues> nodes(int count) {
        return IntStream.range(0, count).mapToObj(id -> node(id, -1, 0, 1)).toList();
    }

    /** Looked at since then by the control agent, and by the agent. */
    private long visited(Runnable work) {
        long before = lab.shapers.places().visited;
        work.run();
        return lab.shapers.places().visited - before;
    }

    private long changed(Runnable work) {
        long before = lab.tree.visited;
        work.run();
        return lab.tree.visited - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 8_000})
    void leavesWithSomethingBelowCostTheirNumberNotItsSquare(int count) {
        lab.group(vport(0), nodes(count).toArray(ShaperValues[]::new));
        for (int id = 0; id < count; id++) {
            lab.set(node(50_000 + id, id, 0, 1));
        }
        long visited = visited(() -> lab.shapers.group(node(TOP, -1, 0, 1), nodes(count)));
        assertThat(visited).isGreaterThanOrEqualTo(count).isLessThan((long) (2 * count * logarithm(count)));
        assertThat(lab.shapers.count()).isEqualTo(2 * count + 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 16_000})
    void equalLeavesAreRefusedBeforeAnythingIsLookedAt(int count) {
        lab.set(node(1, -1, 0, 1)).set(node(2, 1, 0, 1));
        int before = lab.shapers.count();
        List<ShaperValues> equal = IntStream.range(0, count).mapToObj(i -> node(1, -1, 0, 1)).toList();
        long changed = changed(() -> assertThat(visited(() -> assertThatThrownBy(() ->
                lab.shapers.group(node(TOP, -1, 0, 1), equal)).isInstanceOfSatisfying(Refusal.class, refused -> {
                    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
                    assertThat(refused).hasMessageContaining("3:1 twice");
                }))).isZero());
        assertThat(changed).isZero();
        assertThat(lab.shapers.count()).isEqualTo(before);
    }

    @Test
    void doublesAreRefusedAndChangeNothing() {
        lab.set(queue(0, 0, 1_000_000, 0, 1)).set(node(7, -1, 0, 1));
        List<QueryShaperStatistics.Entry> before = lab.shapers.statistics(0, 0, slot -> 0);
        for (List<ShaperValues> leaves : List.of(List.of(queue(0, 0, 5, 0, 1), queue(1, 0, 5, 0, 1),
                queue(0, 0, 6, 0, 1)), List.of(node(7, -1, 5, 1), node(9, -1, 5, 1), node(9, -1, 5, 1)))) {
            assertThatThrownBy(() -> lab.shapers.group(node(8, -1, 0, 1), leaves)).hasMessageContaining("twice");
        }
        assertThat(lab.shapers.statistics(0, 0, slot -> 0)).isEqualTo(before);
        assertThat(lab.tree.queue(0).parent).isSameAs(lab.tree.root);
        assertThat(lab.shapers.places().node(8)).isNull();
        // the same number of a queue and of a node are two shapers
        lab.shapers.group(node(8, -1, 0, 1), List.of(queue(7, 0, 0, 0, 1), node(7, -1, 0, 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 16_000})
    void theAgentChangesOnlyWhatIsAboveAQueue(int count) {
        List<ShaperValues> leaves = new ArrayList<>(nodes(count));
        IntStream.range(0, QUEUES).forEach(id -> leaves.add(queue(id, 0, 1_000_000_000, 0, 1)));
        assertThat(changed(() -> lab.shapers.group(node(TOP, -1, 0, 1), leaves))).isEqualTo(QUEUES + 1);
        assertThat(changed(() -> lab.shapers.group(vport(0), nodes(count)))).isLessThanOrEqualTo(1);
        assertThat(changed(() -> lab.shapers.statistics(3, 0, slot -> 1))).isLessThanOrEqualTo(QUEUES * LEVELS);
        assertThat(changed(lab.shapers::clear)).isLessThanOrEqualTo(QUEUES * LEVELS);
        assertThat(lab.tree.isEmpty()).isTrue();
    }

    @Test
    void theDeepestWayUpIsAsMuchAsTheAgentChanges() {
        for (int queue = 0; queue < QUEUES; queue++) {
            for (int level = 0; level < PortShapers.DEPTH - 1; level++) {
                lab.set(node(queue * PortShapers.DEPTH + level, level == 0 ? -1 : queue * PortShapers.DEPTH
                        + level - 1, 0, 1));
            }
            int last = queue * PortShapers.DEPTH + PortShapers.DEPTH - 2;
            lab.shapers.group(node(last, last - 1, 0, 1), List.of(queue(queue, 0, 0, 0, 1)));
        }
        lab.wireNanos = 0.1;
        lab.flood(0, 1, 2, 63).run(10_000);
        List<ShaperValues> firsts = IntStream.range(0, QUEUES)
                .mapToObj(queue -> node(queue * PortShapers.DEPTH, -1, 0, 1))
                .toList();
        assertThat(changed(() -> lab.shapers.group(node(TOP, -1, 0, 1), firsts))).isLessThanOrEqualTo(QUEUES * LEVELS);
        assertThat(lab.run(100_000).total()).isPositive();
    }
}
