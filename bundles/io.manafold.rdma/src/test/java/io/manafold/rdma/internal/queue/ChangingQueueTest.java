package io.manafold.rdma.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.Completions;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.rdma.internal.device.Node;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that polls goes on while another one makes or closes a queue pair on the same completion queue. */
@Timeout(300)
class ChangingQueueTest {
    @Test
    void pollingBringsNothingAndArmingHasTheThreadLookAgain() throws Exception {
        try (TestSwitch net = new TestSwitch("one/1"); Node node = new Node("one", net)) {
            PolledQueue queue = (PolledQueue) node.device().createCompletionQueue(16);
            queue.change();
            try {
                assertThat(queue.poll(new Completions(1))).isZero();
                queue.arm();
                assertThat(queue.await(Duration.ZERO)).as("it is not armed").isTrue();
            } finally {
                queue.gate.leave();
            }
            queue.arm();
            assertThat(queue.await(Duration.ZERO)).as("it is armed").isFalse();
        }
    }
}
