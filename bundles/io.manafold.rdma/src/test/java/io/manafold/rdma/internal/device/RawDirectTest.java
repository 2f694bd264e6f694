package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.gdma.driver.QueueRights;
import io.manafold.memory.RawMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues in the hands of an application that writes requests and reads completions without the driver. */
@Timeout(300)
class RawDirectTest {
    private static final int LENGTH = 300;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RawNode left = new RawNode("left", net);
    private final RawNode right = new RawNode("right", net);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger inBurst = new AtomicInteger();

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private static long next(DirectQueue queue) {
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        long entry = queue.completions().next(queue.work().id(), queue.type());
        while (entry == 0) {
            assertThat(System.nanoTime()).as("time for a completion").isLessThan(giveUp);
            Thread.yield();
            entry = queue.completions().next(queue.work().id(), queue.type());
        }
        return entry;
    }

    /** Requests of one unit that have not completed; no more than there is room for completions. */
    private static int outstanding(DirectQueue queue) {
        return (queue.work().bytes() - queue.work().free()) / WorkRequest.UNIT;
    }

    private void exchange(DirectQueue sends, DirectQueue receives, int number) {
        byte[] frame = Datagrams.frame(left.mac(), right.mac(), LENGTH, number);
        left.write(0, frame);
        receives.work().commitPlain(0, right.region.address(), right.region.localKey(), 2048);
        receives.work().ring();
        long plain = SendRequest.flags(0, sends.completions().id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, sends.work().id(), sends.vportOffset()) << 32;
        sends.work().commitPlain(plain, left.region.address(), left.region.localKey(), LENGTH);
        sends.work().ring();
        assertThat(CompletionEntry.type(RawMemory.get32(next(sends) + SendCompletion.FIRST)))
                .isEqualTo(SendCompletion.OK);
        sends.completions().consume();
        sends.work().complete(WorkRequest.UNIT);
        assertThat(RawMemory.get16(next(receives) + ReceiveCompletion.lengthAt(0))).isEqualTo(LENGTH);
        receives.completions().consume();
        receives.work().complete(WorkRequest.UNIT);
        assertThat(right.bytes(0, LENGTH)).isEqualTo(frame);
    }

    @Test
    void aPollerExchangesPacketsWithoutTheDriver() throws Exception {
        QueuePair pair = left.pair();
        CompletionQueue queue = right.context.createCompletionQueue(100);
        ReceiveWorkQueue made = right.parent.createReceiveWorkQueue(queue, 32, 1);
        right.parent.createRssQueuePair(new RssPlan(List.of(made), RawNode.KEY, RssPlan.ALL));
        DirectQueue sends = pair.direct(DirectQueue.class, asked::incrementAndGet);
        DirectQueue receives = made.direct(DirectQueue.class, asked::incrementAndGet);
        assertThat(sends.type()).isEqualTo(QueueType.SEND);
        assertThat(receives.completions().slots()).as("completions, not rounded").isEqualTo(100);
        for (int i = 0; i < 500; i++) {
            exchange(sends, receives, i);
        }
        assertRefused(Errno.EBUSY, () -> pair.post(left.sends.clear()));
        assertRefused(Errno.EBUSY, () -> made.post(new ReceiveList(1)));
        assertRefused(Errno.EBUSY, () -> queue.poll(right.completions));
        assertRefused(Errno.EBUSY, () -> pair.direct(DirectQueue.class, asked::incrementAndGet));
        // an interrupt tells the application that reads directly
        queue.arm();
        receives.completions().disarm(receives.completions().id());
        receives.completions().arm();
        assertThat(queue.await(Duration.ofMillis(20))).isFalse();
        exchange(sends, receives, 7);
        assertThat(queue.await(Duration.ofSeconds(60))).isTrue();
        assertThat(asked).hasValue(0);
        left.device.close(left.context);
        right.end();
        assertThat(asked).hasValue(2);
        assertThat(left.borrower.pagesInUse()).isZero();
        left.end();
    }

    /** The user keeps all bursts out, and lets the device go when none is under way. */
    @Test
    void aPollerIsAskedToLeaveWhenTheDeviceGoes() throws Exception {
        DirectQueue sends = left.pair().direct(DirectQueue.class, () -> {
            while (!inBurst.compareAndSet(0, 2)) {
                Thread.onSpinWait();
            }
            asked.incrementAndGet();
        });
        left.write(0, Datagrams.frame(left.mac(), right.mac(), LENGTH, 1));
        long plain = SendRequest.flags(0, sends.completions().id()) & 0xffff_ffffL
                | (long) SendRequest.place(0, sends.work().id(), sends.vportOffset()) << 32;
        CountDownLatch done = new CountDownLatch(100);
        Thread poller = Thread.ofPlatform().start(() -> {
            while (inBurst.compareAndSet(0, 1)) {
                for (int i = 0; i < 8 && outstanding(sends) < sends.completions().slots(); i++) {
                    sends.work().commitPlain(plain, left.region.address(), left.region.localKey(), LENGTH);
                }
                sends.work().ring();
                while (sends.completions().next(sends.work().id(), QueueType.SEND) != 0) {
                    sends.completions().consume();
                    sends.work().complete(WorkRequest.UNIT);
                    done.countDown();
                }
                inBurst.set(0);
            }
        });
        assertThat(done.await(1, TimeUnit.MINUTES)).as("packets are sent").isTrue();
        left.end();
        poller.join(60_000);
        assertThat(poller.isAlive()).isFalse();
        assertThat(asked).hasValue(1);
    }

    @Test
    void whatIsClosedByItsUserIsNotAskedFor() {
        QueuePair pair = left.pair();
        pair.direct(DirectQueue.class, asked::incrementAndGet);
        pair.close();
        assertThat(asked).hasValue(0);
        left.end();
        assertThat(asked).hasValue(0);
    }

    @Test
    void onlyUnusedQueuesOfThisDriverAreHandedOut() {
        QueuePair pair = left.pair();
        assertRefused(Errno.EOPNOTSUPP, () -> pair.direct(QueueRights.class, asked::incrementAndGet));
        left.sends.clear().send(1, 0).piece(left.region.address(), left.region.localKey(), 100);
        pair.post(left.sends);
        assertRefused(Errno.EBUSY, () -> pair.direct(DirectQueue.class, asked::incrementAndGet));
    }

    /** A user who does not leave keeps the memory, and keeps nothing else. */
    @Test
    void memoryStaysUnderAUserWhoDoesNotLeave() throws Exception {
        QueuePair pair = left.pair();
        CountDownLatch never = new CountDownLatch(1);
        DirectQueue direct = pair.direct(DirectQueue.class, () -> {
            try {
                never.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        left.device.close();
        assertThat(left.borrower.pagesInUse()).as("pages of the ring and of completions").isPositive();
        assertThat(RawMemory.get32(direct.work().memory().pointer())).as("a word of the ring, which is there").isZero();
        assertThat(left.borrower.blocks()).isZero();
        assertThat(left.claimed).isEmpty();
        assertThat(left.usage("send_queues")).isZero();
        never.countDown();
    }
}
