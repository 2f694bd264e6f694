package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.rdma.internal.device.Node;
import io.manafold.testkit.Allocation;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loops of programs that measure, over real devices: a message takes no bytes once they are compiled. */
@Timeout(300)
class LoopsTest {
    private static final int SIZE = 64;
    private static final int DEPTH = 32;
    private static final int HOUR = 3600;
    private static final int ROUNDS = 50;
    private static final int TOGETHER = 20;

    @ParameterizedTest
    @CsvSource({"SEND, false, 1, false, 1", "SEND, false, 2, true, 4", "WRITE, false, 1, false, 8",
            "WRITE, false, 3, true, 1",
        "READ, false, 1, false, 1", "SEND, true, 1, false, 1", "WRITE, true, 1, false, 1", "READ, true, 1, false, 1"})
    void aMessageTakesNoBytes(Operation operation, boolean latency, int pairs, boolean both, int list) {
        MeasurePlan asked = new MeasurePlan(operation, latency, SIZE, false, 0, HOUR, latency ? 1 : DEPTH, DEPTH, pairs,
                both, 0, -1, false, list, list, false);
        TestSwitch net = new TestSwitch("left/1", "right/1");
        try (net; Node one = new Node("left", net); Node other = new Node("right", net)) {
            DirectPath path = DirectPath.between(one.device(), 1, other.device(), 1, asked.mtu(), asked.gid());
            MeasurePlan plan = asked.onPath(path.mtu(), path.gid());
            try (End left = new End(one.device(), 1, one.source(), plan);
                    End right = new End(other.device(), 1, other.source(), plan)) {
                path.connect(left, right, plan);
                List<Side> sides = MeasureHere.sides(plan, left, right, MeasureHere.times(plan),
                        MeasureHere.times(plan));
                Side first = sides.get(0);
                Side second = sides.get(1);
                long least = Allocation.leastOf(ROUNDS, () -> pass(first, second));
                assertThat(least).as("bytes for %d messages", ROUNDS * TOGETHER).isZero();
            }
        }
    }

    /** Both take turns until some more messages have gone through. */
    private static void pass(Side first, Side second) {
        long goal = first.completed() + TOGETHER;
        while (first.completed() < goal) {
            first.turn();
            second.turn();
        }
    }
}
