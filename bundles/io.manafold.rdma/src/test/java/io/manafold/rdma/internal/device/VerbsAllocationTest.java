package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.testkit.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Posting and polling allocate nothing once they are compiled. */
@Timeout(300)
class VerbsAllocationTest {
    private static final int BATCH = 8;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");

    @Test
    void aRequestTakesNoBytes() {
        try (net; Node left = new Node("left", net); Node right = new Node("right", net)) {
            QueuePair pair = left.pair();
            QueuePair other = right.pair();
            Node.connect(left, pair, right, other);
            SendList sends = new SendList(2 * BATCH);
            ReceiveList receives = new ReceiveList(BATCH);
            long least = Allocation.leastOf(500, () -> exchange(left, pair, right, other, sends, receives));
            assertThat(least).as("bytes for 500 lists").isZero();
        }
    }

    private static void exchange(Node left, QueuePair pair, Node right, QueuePair other, SendList sends,
            ReceiveList receives) {
        receives.clear();
        sends.clear();
        for (int i = 0; i < BATCH; i++) {
            receives.receive(i).piece(right.region.address(), right.region.localKey(), 64);
            sends.send(i, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), 64);
            sends.read(i, 0, right.region.address(), right.region.remoteKey())
                    .piece(left.region.address(), left.region.localKey(), 64);
        }
        other.post(receives);
        pair.post(sends);
        int ended = 0;
        int received = 0;
        while (ended < BATCH || received < BATCH) {
            ended += left.queue.poll(left.completions);
            received += right.queue.poll(right.completions);
        }
    }
}
