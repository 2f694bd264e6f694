package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that goes: what was posted comes back, then nothing answers any more, and everything is home. */
@Timeout(300)
class GoneTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    @Test
    void whatWasPostedComesBackAndThenNothingAnswers() throws Exception {
        QueuePair pair = left.pair();
        QueuePair other = right.pair();
        Node.connect(left, pair, right, other);
        AsyncEvents events = left.context.events();
        ReceiveList receives = new ReceiveList(32);
        SendList sends = new SendList(32);
        for (int i = 0; i < 20; i++) {
            receives.receive(i);
            // no receive waits for them
            sends.send(100 + i, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), 64);
        }
        assertThat(pair.post(receives)).isEqualTo(20);
        assertThat(pair.post(sends)).isEqualTo(20);
        assertThat(left.queue.poll(left.completions)).isZero();
        left.queue.arm();
        left.end();
        assertThat(left.queue.await(Duration.ZERO)).isTrue();
        boolean[] seen = new boolean[120];
        int back = 0;
        for (int count = left.queue.poll(left.completions); back < 40; count = back < 40
                ? left.queue.poll(left.completions) : 0) {
            for (int i = 0; i < count; i++) {
                assertThat(left.completions.status(i)).isEqualTo(CompletionStatus.FLUSHED);
                assertThat(seen[(int) left.completions.id(i)]).isFalse();
                seen[(int) left.completions.id(i)] = true;
            }
            back += count;
        }
        assertThat(back).isEqualTo(40);
        assertRefused(Errno.ENODEV, () -> left.queue.poll(left.completions));
        assertRefused(Errno.ENODEV, () -> pair.post(sends));
        assertRefused(Errno.ENODEV, () -> pair.post(receives));
        assertRefused(Errno.ENODEV, () -> pair.modify(QueuePairAttributes.init(0)));
        assertRefused(Errno.ENODEV, () -> left.domain.register(left.block, Node.ALL));
        assertRefused(Errno.ENODEV, left.context::allocateDomain);
        assertRefused(Errno.ENODEV, () -> left.context.createCompletionQueue(16));
        assertThat(events.next(Duration.ofSeconds(60)).orElseThrow().type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
        pair.close();
        left.region.close();
        left.queue.close();
        left.domain.close();
        left.device.close(left.context);
        assertThat(left.block.holders()).isEqualTo(Map.of("maker", 1));
    }

    @Test
    void aThreadThatPostsAndPollsIsLetGo() throws Exception {
        QueuePair pair = left.pair();
        QueuePair other = right.pair();
        Node.connect(left, pair, right, other);
        AtomicReference<Throwable> end = new AtomicReference<>();
        long[] done = {0, 0};
        Thread busy = Thread.ofPlatform().start(() -> {
            SendList sends = new SendList(16);
            try {
                while (true) {
                    if (sends.posted() == sends.count()) {
                        sends.clear();
                        for (int i = 0; i < 16; i++) {
                            sends.write(i, SendList.SIGNALED, right.region.address(), right.region.remoteKey())
                                    .piece(left.region.address(), left.region.localKey(), 64);
                        }
                    }
                    try {
                        done[0] += pair.post(sends);
                    } catch (Refusal refused) {
                        // what was posted is still to come back
                    }
                    done[1] += left.queue.poll(left.completions);
                }
            } catch (Throwable last) {
                end.set(last);
            }
        });
        Thread.sleep(200);
        left.end();
        busy.join(60_000);
        assertThat(busy.isAlive()).isFalse();
        assertThat(((Refusal) end.get()).errno()).isEqualTo(Errno.ENODEV);
        assertThat(done[0]).as("posted").isPositive().isEqualTo(done[1]);
    }
}
