package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.QueuePairType;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.rdma.SendOpcode;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verbs between two devices on a switch. */
@Timeout(300)
class VerbsTest {
    private static final int SIGNALED = SendList.SIGNALED;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);
    private final SendList sends = new SendList(128);
    private final ReceiveList receives = new ReceiveList(128);

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    static void assertRefused(Errno errno, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).as(refused.getMessage()).isEqualTo(errno));
    }

    private QueuePair[] connected() {
        QueuePair[] pairs = {left.pair(), right.pair()};
        Node.connect(left, pairs[0], right, pairs[1]);
        return pairs;
    }

    /** The peer writes to memory that it may not: nothing is posted here that could tell of it. */
    private void offend(QueuePair by) {
        by.post(sends.clear().write(1, SIGNALED, right.region.address(), right.region.remoteKey() ^ 0x100)
                .piece(left.region.address(), left.region.localKey(), 64));
    }

    private static void failed(AsyncEvents events, QueuePair pair) throws InterruptedException {
        AsyncEvent event = events.next(Duration.ofMinutes(1)).orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.QP_FATAL);
        assertThat(event.number()).isEqualTo(pair.number());
        assertThat(pair.state()).isEqualTo(QueuePairState.ERR);
    }

    @Test
    void aPairThatItsPeerFailsWithNothingPostedEndsWithAnEvent() throws Exception {
        QueuePair[] pairs = connected();
        AsyncEvents events = right.context.events();
        offend(pairs[0]);
        assertThat(left.poll()).isEqualTo(1);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.REMOTE_ACCESS);
        failed(events, pairs[1]);
        assertThat(right.queue.poll(right.completions)).isZero();
        assertRefused(Errno.EINVAL, () -> pairs[1].post(new SendList(1).send(1, SIGNALED)));
        for (QueuePair pair : pairs) {
            pair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        }
        Node.connect(left, pairs[0], right, pairs[1]);
        pairs[0].post(sends.clear().write(2, SIGNALED, right.region.address(), right.region.remoteKey())
                .piece(left.region.address(), left.region.localKey(), 64));
        left.succeeds(2);
    }

    @Test
    void aPairWhoseSendsComeBackFirstEndsWithAnEventAllTheSame() throws Exception {
        QueuePair[] pairs = connected();
        AsyncEvents events = right.context.events();
        // no receive waits for it
        pairs[1].post(new SendList(1).send(5, SIGNALED).piece(right.region.address(), right.region.localKey(), 64));
        CountDownLatch polled = new CountDownLatch(1);
        right.function.before(vector -> {
            try {
                polled.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        offend(pairs[0]);
        assertThat(right.poll()).isEqualTo(1);
        assertThat(right.completions.status(0)).isEqualTo(CompletionStatus.FLUSHED);
        assertThat(pairs[1].state()).isEqualTo(QueuePairState.ERR);
        polled.countDown();
        failed(events, pairs[1]);
        assertThat(events.next(Duration.ofMillis(100))).as("once").isEmpty();
    }

    @Test
    void messagesWritesAndReads() {
        QueuePair[] pairs = connected();
        byte[] sent = left.fill(0, 5000, 1);
        receives.receive(7).piece(right.region.address() + 100, right.region.localKey(), 3000)
                .piece(right.region.address() + 9000, right.region.localKey(), 3000);
        assertThat(pairs[1].post(receives)).isEqualTo(1);
        sends.sendWithImmediate(8, SIGNALED, 0xa1b2c3d4).piece(left.region.address(), left.region.localKey(), 5000);
        assertThat(pairs[0].post(sends)).isEqualTo(1);
        left.succeeds(8);
        assertThat(left.completions.opcode(0)).isEqualTo(CompletionOpcode.SEND);
        right.succeeds(7);
        assertThat(right.completions.opcode(0)).isEqualTo(CompletionOpcode.RECV);
        assertThat(right.completions.length(0)).isEqualTo(5000);
        assertThat(right.completions.immediate(0)).isEqualTo(0xa1b2c3d4);
        assertThat(right.completions.queuePair(0)).isEqualTo(pairs[1].number());
        assertThat(right.bytes(100, 3000)).isEqualTo(Arrays.copyOf(sent, 3000));
        assertThat(right.bytes(9000, 2000)).isEqualTo(Arrays.copyOfRange(sent, 3000, 5000));

        byte[] written = left.fill(0, 70_001, 2);
        byte[] there = right.fill(500_000, 70_001, 3);
        sends.clear().write(9, 0, right.region.address() + 200_003, right.region.remoteKey())
                .piece(left.region.address(), left.region.localKey(), 70_001)
                .read(10, SIGNALED, right.region.address() + 500_000, right.region.remoteKey())
                .piece(left.region.address() + 300_007, left.region.localKey(), 70_001);
        assertThat(pairs[0].post(sends)).isEqualTo(2);
        left.succeeds(10);
        assertThat(left.completions.opcode(0)).isEqualTo(CompletionOpcode.RDMA_READ);
        assertThat(right.bytes(200_003, 70_001)).isEqualTo(written);
        assertThat(left.bytes(300_007, 70_001)).isEqualTo(there);
        for (QueuePair pair : pairs) {
            pair.close();
        }
        left.end();
        right.end();
    }

    /** Their numbers have 24 bits: half of them apart the later one would count as the earlier. */
    @Test
    void noMorePacketsAreUnderWayThanTheirNumbersTellApart() {
        int longest = 16 << 20;
        try (MemoryBlock from = left.source.make("from", longest); MemoryBlock to = right.source.make("to", longest);
                MemoryRegion own = left.domain.register(from, Node.ALL);
                MemoryRegion its = right.domain.register(to, Node.ALL);
                QueuePair one = left.domain.createQueuePair(QueuePairPlan.reliable(left.queue, 600, 1));
                QueuePair other = right.pair()) {
            Node.connect(left, one, right, other);
            int posted = 0;
            do {
                sends.clear().write(posted, posted == 0 ? SIGNALED : 0, its.address(), its.remoteKey())
                        .piece(own.address(), own.localKey(), longest);
            } while (one.post(sends) == 1 && ++posted < 600);
            assertThat(posted).isBetween(500, 1 << 23 >>> 14);
            left.succeeds(0);
            assertThat(one.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    /** As few doorbells as lists: every one of them is a register access, which a guest pays for with an exit. */
    @Test
    void aListIsRungForOnce() {
        QueuePair[] pairs = connected();
        AtomicInteger rung = new AtomicInteger();
        left.function.heard((offset, value) -> rung.incrementAndGet());
        for (int i = 0; i < 64; i++) {
            receives.receive(i).piece(left.region.address(), left.region.localKey(), 64);
            sends.write(i, i == 63 ? SIGNALED : 0, right.region.address(), right.region.remoteKey())
                    .piece(left.region.address(), left.region.localKey(), 64);
        }
        assertThat(pairs[0].post(receives)).isEqualTo(64);
        assertThat(rung).as("doorbells for 64 receives").hasValue(1);
        assertThat(pairs[0].post(sends)).isEqualTo(64);
        assertThat(rung).as("doorbells for 64 writes beside them").hasValue(2);
        left.succeeds(63);
        int before = rung.get();
        // to have something land takes a place of its own in another ring
        sends.clear();
        for (int i = 0; i < 16; i++) {
            sends.read(i, i == 15 ? SIGNALED : 0, right.region.address(), right.region.remoteKey())
                    .piece(left.region.address(), left.region.localKey(), 64);
        }
        assertThat(pairs[0].post(sends)).isEqualTo(16);
        assertThat(rung.get() - before).as("doorbells for 16 reads, one a ring").isLessThanOrEqualTo(2);
        left.succeeds(15);
    }

    @Test
    void partsOfBlocksAreNamedByAddressesOfTheirOwn() {
        QueuePair[] pairs = connected();
        MemoryRegion part = right.domain.register(right.block, 70_123, 10_000, Node.ALL | Access.ZERO_BASED);
        assertThat(part.address()).isZero();
        byte[] written = left.fill(0, 4000, 4);
        sends.write(1, SIGNALED, 6000, part.remoteKey()).piece(left.region.address(), left.region.localKey(), 4000);
        pairs[0].post(sends);
        left.succeeds(1);
        assertThat(right.bytes(76_123, 4000)).isEqualTo(written);
        byte[] before = right.bytes(70_000, 20_000);
        sends.clear().write(2, SIGNALED, 6001, part.remoteKey()).piece(left.region.address(),
                left.region.localKey(), 4000);
        pairs[0].post(sends);
        assertThat(left.poll()).isEqualTo(1);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.REMOTE_ACCESS);
        assertThat(right.bytes(70_000, 20_000)).as("memory at the edge of a region").isEqualTo(before);
    }

    @Test
    void aDomainStaysWhileThereIsARegionInIt() {
        ProtectionDomain domain = right.context.allocateDomain();
        MemoryRegion region = domain.register(right.block, Node.ALL);
        assertRefused(Errno.EBUSY, domain::close);
        region.close();
        domain.close();
    }

    @Test
    void listsThatDoNotFitArePostedInPartsOrNotAtAll() {
        QueuePair[] pairs = connected();
        for (int i = 0; i < 65; i++) {
            receives.receive(i).piece(right.region.address() + 64 * i, right.region.localKey(), 64);
        }
        assertRefused(Errno.EINVAL, () -> pairs[1].post(receives));
        receives.clear();
        for (int i = 0; i < 40; i++) {
            receives.receive(i).piece(right.region.address() + 64 * i, right.region.localKey(), 64);
        }
        assertThat(pairs[1].post(receives)).isEqualTo(40);
        receives.clear();
        for (int i = 40; i < 80; i++) {
            receives.receive(i).piece(right.region.address() + 64 * i, right.region.localKey(), 64);
        }
        assertThat(pairs[1].post(receives)).as("room for the rest of 64").isEqualTo(24);
        assertThat(pairs[1].post(receives)).isZero();
        byte[] sent = left.fill(0, 80 * 64, 6);
        int posted = 0;
        int received = 0;
        int ended = 0;
        while (received < 80 || ended < 80) {
            if (sends.count() == sends.posted() && posted < 80) {
                sends.clear();
                for (int i = 0; i < 20; i++) {
                    sends.send(posted + i, SIGNALED).piece(left.region.address() + 64 * (posted + i),
                            left.region.localKey(), 64);
                }
                posted += 20;
            }
            pairs[0].post(sends);
            int count = left.queue.poll(left.completions);
            for (int i = 0; i < count; i++) {
                assertThat(left.completions.status(i)).isEqualTo(CompletionStatus.SUCCESS);
                assertThat(left.completions.id(i)).isEqualTo(ended++);
            }
            count = right.queue.poll(right.completions);
            for (int i = 0; i < count; i++) {
                assertThat(right.completions.id(i)).isEqualTo(received++);
            }
            pairs[1].post(receives);
        }
        assertThat(right.bytes(0, 80 * 64)).isEqualTo(sent);
    }

    @Test
    void statesFollowEachOtherAndAttributesBelongToThem() {
        QueuePair pair = left.pair();
        receives.receive(1);
        assertRefused(Errno.EINVAL, () -> pair.post(receives));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.readyToSend(0)));
        assertRefused(Errno.EINVAL, () -> pair.modify(new QueuePairAttributes().state(QueuePairState.INIT).port(1)));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.init(0).port(2)));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.init(0).retries(3)));
        assertThat(pair.state()).isEqualTo(QueuePairState.RESET);
        pair.modify(QueuePairAttributes.init(Node.ALL));
        assertThat(pair.post(receives)).isEqualTo(1);
        assertRefused(Errno.EINVAL, () -> pair.post(sends.send(1, SIGNALED)));
        var path = Path.to(0, right.context.gids(1).getFirst());
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.readyToReceive(path, 7, 0, 1500)));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.readyToReceive(path, 7, 1 << 24, 1024)));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.readyToReceive(path, 7, 0, 1024)
                .inboundReads(33)));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.readyToReceive(
                Path.to(1, path.destination()), 7, 0, 1024)));
        assertRefused(Errno.EHOSTUNREACH, () -> pair.modify(QueuePairAttributes.readyToReceive(
                Path.to(0, new Gid(0xfd77L << 48, 1)), 7, 0, 1024)));
        pair.modify(QueuePairAttributes.readyToReceive(path, 7, 0, 1024));
        assertRefused(Errno.EINVAL, () -> pair.modify(QueuePairAttributes.readyToSend(0).retries(8)));
        pair.modify(QueuePairAttributes.readyToSend(5));
        assertThat(pair.attributes().sendPsn()).isEqualTo(5);
        assertThat(pair.attributes().mtu()).isEqualTo(1024);
        pair.modify(QueuePairAttributes.to(QueuePairState.ERR));
        assertThat(left.poll()).isEqualTo(1);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.FLUSHED);
        pair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        assertThat(pair.attributes().mtu()).isZero();
        assertThat(left.queue.poll(left.completions)).isZero();
        assertRefused(Errno.EBUSY, left.queue::close);
        pair.close();
        pair.close();
        assertRefused(Errno.EBADF, () -> pair.post(receives));
    }

    @Test
    void aPairLivesAgainAfterAReset() {
        QueuePair[] pairs = connected();
        for (int life = 0; life < 3; life++) {
            // what the life before left in the completion queue does not count
            receives.clear().receive(life).piece(right.region.address(), right.region.localKey(), 100);
            pairs[1].post(receives);
            byte[] sent = left.fill(0, 100, life);
            sends.clear().send(10 + life, SIGNALED).piece(left.region.address(), left.region.localKey(), 100);
            pairs[0].post(sends);
            left.succeeds(10 + life);
            right.succeeds(life);
            assertThat(right.bytes(0, 100)).isEqualTo(sent);
            pairs[1].post(receives.clear().receive(100));
            pairs[1].modify(QueuePairAttributes.to(QueuePairState.ERR));
            for (QueuePair pair : pairs) {
                pair.modify(QueuePairAttributes.to(QueuePairState.RESET));
            }
            Node.connect(left, pairs[0], right, pairs[1]);
        }
        assertThat(left.queue.poll(left.completions) + right.queue.poll(right.completions)).isZero();
    }

    @Test
    void whatTheDeviceDoesNotHaveIsRefused() {
        assertRefused(Errno.EOPNOTSUPP, () -> left.domain.createSharedReceiveQueue(16));
        for (QueuePairType type : new QueuePairType[] {QueuePairType.UC, QueuePairType.UD, QueuePairType.RAW_PACKET}) {
            assertRefused(Errno.EOPNOTSUPP, () -> left.domain.createQueuePair(
                    new QueuePairPlan(type, left.queue, left.queue, 16, 16, 1, 1, 0)));
        }
        assertRefused(Errno.EINVAL, () -> left.domain.createQueuePair(
                new QueuePairPlan(QueuePairType.RC, left.queue, left.queue, 16, 16, 1, 1, 64)));
        assertRefused(Errno.EINVAL, () -> left.domain.createQueuePair(QueuePairPlan.reliable(left.queue, 0, 16)));
        assertRefused(Errno.EINVAL, () -> left.domain.createQueuePair(QueuePairPlan.reliable(left.queue, 16, 1 << 20)));
        assertRefused(Errno.EINVAL, () -> left.domain.createQueuePair(QueuePairPlan.reliable(right.queue, 16, 16)));
        assertRefused(Errno.EINVAL, () -> left.context.createCompletionQueue(0));
        assertRefused(Errno.EINVAL, () -> left.context.port(2));
        assertRefused(Errno.EINVAL, () -> left.domain.register(left.block, 0, Node.BYTES + 1, Node.ALL));
        assertRefused(Errno.EINVAL, () -> left.domain.register(left.block, -1, 2, Node.ALL));
        assertRefused(Errno.EINVAL, () -> left.domain.register(left.block, Access.REMOTE_WRITE));
        assertRefused(Errno.EINVAL, () -> left.domain.register(left.block, 1 << 9));
        QueuePair pair = connected()[0];
        sends.send(1, SIGNALED).add(SendOpcode.ATOMIC_FETCH_AND_ADD, 2, SIGNALED, 0, 0, 0);
        assertRefused(Errno.EOPNOTSUPP, () -> pair.post(sends));
        assertThat(sends.posted()).as("those before it").isEqualTo(1);
        assertRefused(Errno.EINVAL, () -> pair.post(sends.clear().send(1, SIGNALED | SendList.INLINE)));
        assertRefused(Errno.EINVAL, () -> pair.post(sends.clear().send(1, SIGNALED).piece(0, 1, -1)));
        assertRefused(Errno.EINVAL, () -> pair.post(sends.clear().send(1, SIGNALED).piece(0, 1, (16 << 20) + 1)));
        assertRefused(Errno.EINVAL, () -> pair.post(sends.clear().send(1, SIGNALED).piece(0, 1, 1).piece(0, 1, 1)
                .piece(0, 1, 1)
                .piece(0, 1, 1).piece(0, 1, 1)));
    }

    @Test
    void whoWaitsIsToldOfTheNextCompletion() throws Exception {
        QueuePair[] pairs = connected();
        pairs[1].post(receives.receive(1).piece(right.region.address(), right.region.localKey(), 64));
        right.queue.arm();
        assertThat(right.queue.await(Duration.ofMillis(20))).isFalse();
        pairs[0].post(sends.send(2, SIGNALED).piece(left.region.address(), left.region.localKey(), 64));
        assertThat(right.queue.await(Duration.ofSeconds(60))).isTrue();
        right.succeeds(1);
        left.succeeds(2);
        pairs[1].post(receives.clear().receive(3).piece(right.region.address(), right.region.localKey(), 64));
        pairs[0].post(sends.clear().send(4, SIGNALED).piece(left.region.address(), left.region.localKey(), 64));
        left.succeeds(4);
        right.queue.arm();
        assertThat(right.queue.await(Duration.ofSeconds(60))).as("what was there before").isTrue();
        right.succeeds(3);
    }

    @Test
    void attributesTellWhatThereIs() {
        assertThat(left.context.attributes().vendor()).isEqualTo(0x1414);
        assertThat(left.context.attributes().part()).isEqualTo(3);
        assertThat(left.context.attributes().maxRequests()).isEqualTo(4096);
        assertThat(left.context.port(1).activeMtu()).isEqualTo(1024);
        assertThat(left.context.gids(1).getFirst().mac()).isEqualTo(left.ethernet.vports().getFirst().mac());
        QueuePair pair = left.pair();
        assertThat(left.context.resources()).isEqualTo(Map.of("pd", 1, "mr", 1, "cq", 1, "qp", 1));
        assertThat(left.block.holders()).containsEntry("mana.rdma.0 of left", 1);
        VerbsContext other = left.device.open();
        ProtectionDomain domain = other.allocateDomain();
        domain.register(left.block, Node.ALL);
        domain.createQueuePair(QueuePairPlan.reliable(other.createCompletionQueue(16), 16, 16));
        assertThat(left.usage("queue_pairs")).as("with that of management").isEqualTo(3);
        assertThat(left.usage("doorbell_pages")).isEqualTo(2);
        left.device.close(other);
        assertThat(left.context.resources()).isEqualTo(Map.of("pd", 1, "mr", 1, "cq", 1, "qp", 1));
        assertThat(left.usage("doorbell_pages")).isEqualTo(1);
        pair.close();
    }

    /** Many a thread makes something while the bundle gives the device back: all of it ends. */
    @Test
    void whatIsMadeWhileADeviceIsGivenBackEndsWithIt() throws Exception {
        Map<String, Integer> before = left.context.resources();
        long pages = left.borrower.pagesInUse();
        for (int round = 0; round < 30; round++) {
            VerbsContext other = left.device.open();
            CountDownLatch some = new CountDownLatch(2);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                threads.add(Thread.ofPlatform().start(() -> makeUntilRefused(other, some)));
            }
            assertThat(some.await(1, TimeUnit.MINUTES)).isTrue();
            left.device.close(other);
            for (Thread maker : threads) {
                maker.join(60_000);
                assertThat(maker.isAlive()).isFalse();
            }
            assertThat(left.context.resources()).as("round %d", round).isEqualTo(before);
            assertThat(left.borrower.pagesInUse()).isEqualTo(pages);
        }
        left.end();
    }

    private void makeUntilRefused(VerbsContext context, CountDownLatch some) {
        try {
            while (true) {
                ProtectionDomain domain = context.allocateDomain();
                domain.register(left.block, Node.ALL);
                domain.createQueuePair(QueuePairPlan.reliable(context.createCompletionQueue(16), 16, 16));
                some.countDown();
            }
        } catch (Refusal refused) {
            assertThat(refused.errno()).isEqualTo(Errno.EBADF);
        }
    }

    /** A thread posts and polls while the bundle gives the device back: it is refused, and nothing is left. */
    @Test
    void aDeviceIsGivenBackUnderTraffic() throws Exception {
        VerbsContext other = left.device.open();
        ProtectionDomain domain = other.allocateDomain();
        MemoryRegion region = domain.register(left.block, Node.ALL);
        CompletionQueue queue = other.createCompletionQueue(256);
        QueuePair pair = domain.createQueuePair(QueuePairPlan.reliable(queue, 64, 64));
        QueuePair peer = right.pair();
        left.connect(pair, right, peer);
        right.connect(peer, left, pair);
        CountDownLatch some = new CountDownLatch(1000);
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread busy = Thread.ofPlatform().start(() -> {
            SendList writes = new SendList(8);
            Completions completions = new Completions(16);
            try {
                while (true) {
                    if (writes.posted() == writes.count()) {
                        writes.clear();
                        for (int i = 0; i < 8; i++) {
                            writes.write(i, SIGNALED, right.region.address(), right.region.remoteKey())
                                    .piece(region.address(), region.localKey(), 4096);
                        }
                    }
                    pair.post(writes);
                    queue.poll(completions);
                    some.countDown();
                }
            } catch (Throwable last) {
                end.set(last);
            }
        });
        assertThat(some.await(1, TimeUnit.MINUTES)).isTrue();
        left.device.close(other);
        busy.join(60_000);
        assertThat(busy.isAlive()).isFalse();
        assertThat(end.get()).isInstanceOf(Refusal.class);
        assertThat(((Refusal) end.get()).errno()).isIn(Errno.EBADF, Errno.EINVAL);
        assertThat(left.context.resources()).isEqualTo(Map.of("pd", 1, "mr", 1, "cq", 1, "qp", 0));
        left.end();
    }

    @Test
    void whatWasClosedIsRefused() {
        ProtectionDomain domain = left.context.allocateDomain();
        CompletionQueue queue = left.context.createCompletionQueue(16);
        domain.close();
        assertRefused(Errno.EBADF, () -> domain.register(left.block, Node.ALL));
        assertRefused(Errno.EBADF, () -> domain.createQueuePair(QueuePairPlan.reliable(left.queue, 16, 16)));
        queue.close();
        assertRefused(Errno.EBADF, () -> queue.poll(left.completions));
        assertRefused(Errno.EBADF, queue::arm);
        assertRefused(Errno.EINVAL, () -> left.domain.createQueuePair(QueuePairPlan.reliable(queue, 16, 16)));
        MemoryBlock gone = left.source.make("gone", 4096);
        gone.close();
        assertRefused(Errno.ENODEV, () -> left.domain.register(gone, Node.ALL));
        QueuePair pair = connected()[0];
        assertRefused(Errno.EOPNOTSUPP, () -> pair.modify(QueuePairAttributes.to(QueuePairState.SQD)));
        assertThat(pair.state()).isEqualTo(QueuePairState.RTS);
    }
}
