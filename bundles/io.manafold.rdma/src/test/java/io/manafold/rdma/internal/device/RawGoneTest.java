package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device of raw packets that goes: what was posted comes back, then nothing answers, and everything is home. */
@Timeout(300)
class RawGoneTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RawNode left = new RawNode("left", net);

    @AfterEach
    void close() {
        left.close();
        net.close();
    }

    @Test
    void receivesComeBackAndThenNothingAnswers() throws Exception {
        QueuePair pair = left.pair();
        left.receive(2);
        left.parent.createRssQueuePair(left.spread());
        AsyncEvents events = left.context.events();
        CompletionQueue queue = left.queues.getFirst();
        assertThat(queue.poll(left.completions)).isZero();
        queue.arm();
        left.end();
        assertThat(queue.await(Duration.ZERO)).isTrue();
        for (int back = 0; back < RawNode.DEPTH;) {
            int count = queue.poll(left.completions);
            for (int i = 0; i < count; i++) {
                assertThat(left.completions.status(i)).isEqualTo(CompletionStatus.FLUSHED);
                assertThat(left.completions.id(i)).isEqualTo(back++);
            }
        }
        assertRefused(Errno.ENODEV, () -> queue.poll(left.completions));
        assertRefused(Errno.ENODEV, () -> left.sendQueue.poll(left.completions));
        assertRefused(Errno.ENODEV, () -> pair.post(left.sends.clear()));
        assertRefused(Errno.ENODEV, () -> left.receives.getFirst().post(new ReceiveList(1)));
        assertRefused(Errno.ENODEV, left::pair);
        assertRefused(Errno.ENODEV, () -> left.parent.createRssQueuePair(left.spread()));
        assertRefused(Errno.ENODEV, () -> left.parent.register(left.block, 0));
        assertRefused(Errno.ENODEV, () -> left.domain.createParentDomain(1));
        assertRefused(Errno.ENODEV, left.context::allocateDomain);
        assertRefused(Errno.ENODEV, () -> left.context.createCompletionQueue(16));
        assertThat(events.next(Duration.ofSeconds(60)).orElseThrow().type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
        pair.close();
        left.receives.forEach(ReceiveWorkQueue::close);
        left.queues.forEach(CompletionQueue::close);
        left.region.close();
        left.parent.close();
        left.domain.close();
        left.device.close(left.context);
        assertThat(left.block.holders()).isEqualTo(Map.of("maker", 1));
    }

    @Test
    void aThreadThatSendsIsLetGo() throws Exception {
        QueuePair pair = left.pair();
        AtomicReference<Throwable> end = new AtomicReference<>();
        long[] done = {0, 0};
        CountDownLatch some = new CountDownLatch(100);
        left.write(0, Datagrams.frame(left.mac(), left.mac(), 100, 1));
        Thread busy = Thread.ofPlatform().start(() -> {
            SendList sends = new SendList(16);
            try {
                while (true) {
                    if (sends.posted() == sends.count()) {
                        sends.clear();
                        for (int i = 0; i < 16; i++) {
                            sends.send(i, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), 100);
                        }
                    }
                    try {
                        done[0] += pair.post(sends);
                    } catch (Refusal refused) {
                        // what was posted is still to come back
                    }
                    done[1] += left.sendQueue.poll(left.completions);
                    some.countDown();
                }
            } catch (Throwable last) {
                end.set(last);
            }
        });
        assertThat(some.await(1, TimeUnit.MINUTES)).isTrue();
        left.end();
        busy.join(60_000);
        assertThat(busy.isAlive()).isFalse();
        assertThat(((Refusal) end.get()).errno()).isEqualTo(Errno.ENODEV);
        assertThat(done[0]).as("posted").isPositive().isEqualTo(done[1]);
    }

    /** What makes nothing any more is given back by a bundle before the device has seen to what there is. */
    @Test
    void aContextThatIsGivenBackInBetweenEndsWithTheDevice() {
        left.pair();
        left.receive(2);
        left.device.end();
        left.device.close(left.context);
        left.end();
    }

    @Test
    void aBundleThatGivesTheDeviceBackLeavesNothing() {
        left.pair();
        left.receive(4);
        left.parent.createRssQueuePair(left.spread());
        left.device.close(left.context);
        assertThat(left.claimed).isEmpty();
        assertThat(left.borrower.pagesInUse()).isZero();
        assertThat(left.borrower.blocks()).isZero();
        assertRefused(Errno.EBADF, left.context::allocateDomain);
        left.end();
    }
}
