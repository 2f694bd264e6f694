package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that checks threads: two that post to one queue, or poll one, are found though they never meet. */
@Timeout(300)
class CheckedThreadsTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);
    private final ExecutorService other = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("second")
            .factory());

    @BeforeEach
    void check() {
        left.device.checkThreads();
    }

    @AfterEach
    void close() {
        other.close();
        left.close();
        right.close();
        net.close();
    }

    private void elsewhere(Runnable step) throws Exception {
        other.submit(step).get();
    }

    private static void assertFound(String rule, ThrowingCallable step) {
        Assertions.assertThatThrownBy(step).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.EBUSY);
            assertThat(refused).hasMessageContaining("'second'").hasMessageContaining("'" + Thread.currentThread()
                    .getName() + "'")
                    .hasMessageContaining(rule);
        });
    }

    private static SendList send(Node from) {
        return new SendList(1).send(1, SendList.SIGNALED).piece(from.region.address(), from.region.localKey(), 8);
    }

    @Test
    void twoPostersOfAQueuePairAreFound() throws Exception {
        QueuePair pair = left.pair();
        QueuePair peer = right.pair();
        Node.connect(left, pair, right, peer);
        ReceiveList receives = new ReceiveList(1).receive(2).piece(left.region.address(), left.region.localKey(), 8);
        pair.post(receives);
        pair.post(send(left));
        // sends may have another poster than receives
        elsewhere(() -> pair.post(send(left)));
        elsewhere(() -> pair.post(send(left)));
        pair.post(new ReceiveList(1).receive(3).piece(left.region.address(), left.region.localKey(), 8));
        assertFound("each side of a queue pair has one poster", () -> pair.post(send(left)));
        elsewhere(() -> pair.post(send(left)));
        // what begins anew may be anyone's
        pair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        left.connect(pair, right, peer);
        pair.post(send(left));
    }

    @Test
    void twoPollersOfACompletionQueueAreFound() throws Exception {
        var queue = left.context.createCompletionQueue(16);
        Completions completions = new Completions(4);
        queue.poll(completions);
        elsewhere(() -> queue.poll(completions));
        assertFound("a completion queue has one poller", () -> queue.poll(completions));
        assertFound("a completion queue has one poller", queue::arm);
        elsewhere(queue::arm);
        queue.close();
    }

    @Test
    void threadsThatTakeTurnsAreNotLookedForElsewhere() throws Exception {
        Completions completions = new Completions(4);
        for (int i = 0; i < 3; i++) {
            right.queue.poll(completions);
            elsewhere(() -> right.queue.poll(completions));
        }
    }
}
