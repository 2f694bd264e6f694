package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.testkit.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packets allocate nothing once posting and polling are compiled. */
@Timeout(300)
class RawAllocationTest {
    private static final int BATCH = 8;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");

    @Test
    void aPacketTakesNoBytes() {
        try (net; RawNode left = new RawNode("left", net); RawNode right = new RawNode("right", net)) {
            QueuePair pair = left.pair();
            right.receive(1);
            right.parent.createRssQueuePair(right.spread());
            left.write(0, Datagrams.frame(left.mac(), right.mac(), 100, 1));
            ReceiveList receives = new ReceiveList(RawNode.DEPTH);
            long least = Allocation.leastOf(500, () -> exchange(left, pair, right, receives));
            assertThat(least).as("bytes for 500 lists").isZero();
        }
    }

    private static void exchange(RawNode left, QueuePair pair, RawNode right, ReceiveList receives) {
        left.sends.clear();
        for (int i = 0; i < BATCH; i++) {
            int flag = i % 2 == 0 ? 0 : SendList.SIGNALED;
            if (i % 3 == 0) {
                left.sends.sendTagged(i, flag, 5);
            } else {
                left.sends.send(i, flag);
            }
            left.sends.piece(left.region.address(), left.region.localKey(), 100);
        }
        pair.post(left.sends);
        int ended = 0;
        int received = 0;
        while (ended < BATCH / 2 || received < BATCH) {
            ended += left.sendQueue.poll(left.completions);
            int count = right.queues.getFirst().poll(right.completions);
            receives.clear();
            for (int i = 0; i < count; i++) {
                right.add(receives, 0, (int) right.completions.id(i));
            }
            if (count > 0) {
                right.receives.getFirst().post(receives);
            }
            received += count;
        }
    }
}
