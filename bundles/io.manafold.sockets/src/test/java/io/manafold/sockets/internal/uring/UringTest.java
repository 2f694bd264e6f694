package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.SocketStatistics;
import io.manafold.api.sockets.Transfer;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.sockets.internal.nio.KernelTimers;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.streams.Way;
import io.manafold.uring.Restricted;
import io.manafold.uring.Rings;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What only rings do. */
class UringTest {
    private static final Way USUAL = new TcpWay("uring", List.of());
    private static final Way ZERO_COPY = new TcpWay("uring", List.of("memory=registered", "send=zerocopy"));
    private static final int PAGE = 4096;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int ECONNRESET = 104;
    private static final int EPIPE = 32;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.RECEIVE_MULTISHOT);
        Rings.can(io.manafold.uring.Operation.SEND_ZERO_COPY_REGISTERED);
    }

    @Test
    void whatIsPostedTogetherIsOneSystemCall() {
        try (Ends ends = new Ends(USUAL)) {
            long before = ends.queues.systemCalls();
            for (int i = 0; i < 64; i++) {
                ends.near.send(ends.region.key(), (long) i * PAGE, PAGE, i);
            }
            assertThat(ends.queues.submit()).isEqualTo(64);
            assertThat(ends.queues.systemCalls() - before).isEqualTo(1);
            for (int i = 0; i < 64; i++) {
                assertThat(ends.next(ends.near, Operation.SEND).tag()).isEqualTo(i);
            }
            assertThat(ends.near.explain()).filteredOn(one -> one.operation() == Operation.SEND).hasSize(64)
                    .allSatisfy(one -> assertThat(one.gathered()).isEqualTo(64));
        }
    }

    @Test
    void theKernelAsksSilentPeersOfEitherEnd() {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("keepalive=100")))) {
            for (int port : new int[] {ends.near.local().getPort(), ends.far.local().getPort()}) {
                assertThat(KernelTimers.at(port)).hasSize(1).allSatisfy(
                        timer -> assertThat(KernelTimers.seconds(timer)).as(timer).isBetween(50.0, 100.5));
            }
        }
    }

    @Test
    void whatComesLandsInAnAreaOrTheKernelsNoIsTold() {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("prefer:receive=area")))) {
            KnobOffer offer = ends.context.offer(Knob.RECEIVE, "area");
            KnobState got = ends.far.state().knobs().stream().filter(state -> state.knob() == Knob.RECEIVE).findFirst()
                    .orElseThrow();
            ReceivePool pool = ends.queues.pool(ends.context.register(ends.block, 2 << 20, 1 << 20, Region.RECEIVE),
                    PAGE, 16);
            ends.far.receive(pool, 1);
            ends.fill(0, 1 << 20, 3);
            ends.near.send(ends.region.key(), 0, 1 << 20, 2);
            ends.near.finish(3);
            byte[] received = new byte[1 << 20];
            int at = 0;
            for (Done done = ends.next(ends.far, Operation.RECEIVE); !done.has(Completions.END); done = ends.next(
                    ends.far, Operation.RECEIVE)) {
                byte[] piece = ends.bytes((2 << 20) + done.offset(), done.length());
                System.arraycopy(piece, 0, received, at, piece.length);
                at += piece.length;
                pool.giveBack(done.buffer());
            }
            assertThat(at).isEqualTo(1 << 20);
            assertThat(received).isEqualTo(ends.bytes(0, 1 << 20));
            SocketStatistics counted = ends.far.state().statistics();
            if (offer.available()) {
                assertThat(got.got()).isEqualTo("area");
                assertThat(counted.area()).isPositive();
            } else {
                assertThat(got.got()).isEqualTo("pool");
                assertThat(got.why()).startsWith("not area: the kernel answers E").contains("without a card");
                assertThat(offer.errno()).isPositive();
                assertThat(counted.pooled()).isPositive();
                assertThatThrownBy(() -> new Ends(new TcpWay("uring", List.of("receive=area"))))
                        .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno().number())
                        .isEqualTo(offer.errno())).hasMessageContaining("receive cannot be 'area'");
            }
        }
    }

    @Test
    void theKernelsWordAndOurConclusionAreApart() {
        try (Ends ends = new Ends(ZERO_COPY)) {
            ends.near.send(ends.region.key(), 0, PAGE, 1);
            ends.far.receive(ends.region.key(), PAGE, PAGE, 2);
            assertThat(ends.next(ends.near, Operation.SEND).flags()).isEqualTo(Completions.ACCEPTED);
            assertThat(ends.next(ends.near, Operation.SEND).flags()).isEqualTo(Completions.FREE);
            Transfer sent = ends.near.explain().getLast();
            assertThat(sent.path()).isEqualTo("copied");
            assertThat(sent.kernel()).isEqualTo("copied");
            assertThat(sent.because()).contains("on this machine");
            assertThat(sent.inferred()).isTrue();
            assertThat(ends.near.state().statistics().copied()).isEqualTo(1);
            Transfer received = ends.far.explain().getLast();
            assertThat(received.kernel()).isNull();
        }
    }

    @Test
    void autoStopsWhereTheKernelCopiesAnyway() {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("send=auto")))) {
            ReceivePool pool = ends.queues.pool(ends.context.register(ends.block, 2 << 20, 1 << 20, Region.RECEIVE),
                    64 << 10, 16);
            ends.far.receive(pool, 1);
            for (int i = 0; i < 6; i++) {
                ends.near.send(ends.region.key(), 0, 32 << 10, i);
                while (!ends.next(ends.near, Operation.SEND).has(Completions.FREE)) {
                    ends.turn(Duration.ZERO);
                }
                while (pool.free() < 16) {
                    pool.giveBack(ends.next(ends.far, Operation.RECEIVE).buffer());
                }
            }
            assertThat(ends.near.explain().getLast().kernel()).isNull();
            assertThat(ends.near.explain().getLast().because()).contains("the kernel copied the last 3");
            assertThat(ends.near.state().statistics().copied()).isEqualTo(3);
            assertThat(ends.near.state().statistics().unreported()).isEqualTo(3);
            ends.near.send(ends.region.key(), 0, 100, 9);
            ends.next(ends.near, Operation.SEND);
            assertThat(ends.near.explain().getLast().path()).isEqualTo("copied");
        }
    }

    @Test
    void autoCopiesWhatIsSmallAndSaysSo() {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("send=auto")))) {
            ends.near.send(ends.region.key(), 0, 100, 1);
            assertThat(ends.next(ends.near, Operation.SEND).has(Completions.ACCEPTED | Completions.FREE)).isTrue();
            Transfer sent = ends.near.explain().getLast();
            assertThat(sent.path()).isEqualTo("copied");
            assertThat(sent.kernel()).as("a plain send says nothing").isNull();
            assertThat(sent.because()).isEqualTo("below 16384 bytes copying is cheaper");
            assertThat(sent.inferred()).isFalse();
        }
    }

    @Test
    void aRegionThatIsClosedLeavesItsSlotAndItsBlock() {
        try (Ends ends = new Ends(ZERO_COPY)) {
            for (int round = 0; round < 3; round++) {
                var block = ends.memory.make("short", PAGE);
                Region region = ends.context.register(block, Region.SEND);
                block.segment().fill((byte) (round + 1));
                ends.near.send(region.key(), 0, PAGE, round);
                ends.far.receive(ends.region.key(), 0, PAGE, round);
                ends.next(ends.far, Operation.RECEIVE);
                assertThat(ends.bytes(0, PAGE)).containsOnly(round + 1);
                while (!ends.next(ends.near, Operation.SEND).has(Completions.FREE)) {
                    ends.turn(Duration.ZERO);
                }
                assertThat(region.inFlight()).isZero();
                block.close();
                assertThat(block.holders()).as("the region, and nothing else").hasSize(1);
                region.close();
                for (int i = 0; i < 600 && !block.holders().isEmpty(); i++) {
                    ends.turn(Duration.ofMillis(100));
                }
                assertThat(block.holders()).isEmpty();
            }
        }
    }

    @Test
    void aPeerThatBreaksOffInTheMiddleLeavesACountAndAnError() throws Exception {
        try (Ends ends = new Ends(USUAL); SocketChannel peer = SocketChannel.open()) {
            peer.connect(new InetSocketAddress("127.0.0.1", ends.listener.local().getPort()));
            Endpoint accepted = ends.next(done -> done.operation() == Operation.ACCEPT).endpoint();
            for (int i = 0; i < 8; i++) {
                accepted.send(ends.region.key(), 0, Ends.BYTES, i);
            }
            ends.turn(Duration.ofMillis(20));
            peer.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
            peer.close();
            Done last = null;
            for (int i = 0; i < 8; i++) {
                last = ends.next(accepted, Operation.SEND);
                assertThat(last.tag()).isEqualTo(i);
            }
            assertThat(last.errno()).isIn(ECONNRESET, EPIPE);
            assertThat(accepted.failure()).contains("send to");
            assertThatThrownBy(() -> accepted.send(ends.region.key(), 0, 1, 9)).isInstanceOf(Refusal.class);
            assertThat(accepted.state().statistics().sentBytes()).isPositive();
        }
    }

    @Test
    void hundredsOfConnectionsComeAndGoAndNothingIsLeft() {
        try (Ends ends = new Ends(USUAL)) {
            ReceivePool pool = ends.queues.pool(ends.region, 1024, 256);
            List<Endpoint> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Endpoint near = ends.context.connect(ends.queues, ends.listener.local(), EndpointPlan.USUAL, 100 + i);
                Endpoint far = ends.next(done -> done.operation() == Operation.ACCEPT).endpoint();
                ends.next(near, Operation.CONNECT);
                far.receive(pool, i);
                near.send(ends.region.key(), 1 << 20, 64, i);
                all.add(near);
                all.add(far);
            }
            for (int i = 1; i < all.size(); i += 2) {
                Endpoint far = all.get(i);
                pool.giveBack(ends.next(far, Operation.RECEIVE).buffer());
            }
            for (int i = 0; i < all.size(); i++) {
                if (i % 3 == 0) {
                    all.get(i).abort();
                } else {
                    all.get(i).close();
                }
            }
            for (Endpoint one : all) {
                ends.next(one, Operation.CLOSE);
            }
            assertThat(pool.free()).isEqualTo(256);
            assertThat(ends.context.endpoints()).hasSize(2);
        }
    }

    @Test
    void sendingAndReceivingAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (Way way : List.of(new TcpWay("nio", List.of()), new TcpWay("nio", List.of("gather=off", "receive=posted")),
                USUAL, ZERO_COPY)) {
            try (Ends ends = new Ends(way)) {
                Completions completions = new Completions(64);
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                long least = Long.MAX_VALUE;
                ReceivePool pool = ends.queues.pool(ends.context.register(ends.block, 2 << 20, 1 << 20, Region.RECEIVE),
                        PAGE, 256);
                ends.far.receive(pool, 1);
                while (least > 0 && System.nanoTime() - end < 0) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < 500; i++) {
                        round(ends, pool, completions);
                    }
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                }
                assertThat(least).as("bytes with %s", way).isZero();
            }
        }
    }


    private static void round(Ends ends, ReceivePool pool, Completions completions) throws InterruptedException {
        int key = ends.region.key();
        for (int i = 0; i < 8; i++) {
            // none lies behind the one before it
            ends.near.send(key, (long) (i * 3 % 8) * PAGE, PAGE, i);
        }
        long got = 0;
        int free = 0;
        while (got < 8 * PAGE || free < 8) {
            ends.queues.submit();
            ends.queues.await(SECOND);
            ends.queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                if (completions.operation(i) == Operation.RECEIVE) {
                    got += completions.length(i);
                    pool.giveBack(completions.buffer(i));
                } else if (completions.has(i, Completions.FREE)) {
                    free++;
                }
            }
        }
    }

    @Test
    void whereRingsAreForbiddenChannelsOfJavaCarryItAndEachKnobSaysWhy() throws Exception {
        Restricted.onAThreadOfItsOwn(() -> {
            Restricted.forbidRings();
            try (Ends ends = new Ends(USUAL)) {
                ends.fill(0, 100, 1);
                ends.near.send(ends.region.key(), 0, 100, 1);
                ends.far.receive(ends.region.key(), 1000, 100, 2);
                assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(100);
                assertThat(ends.bytes(1000, 100)).isEqualTo(ends.bytes(0, 100));
                KnobState queues = ends.near.state().knobs().get(Knob.QUEUES.ordinal());
                assertThat(queues.got()).isEqualTo("calls");
                assertThat(queues.why()).contains("the transport nio carries it", "io_uring is forbidden here");
                assertThat(ends.context.probe()).filteredOn(KnobOffer::available)
                        .allSatisfy(offer -> assertThat(offer.why()).contains("io_uring is forbidden here"));
                assertThatThrownBy(() ->
                        ends.context.queues(QueuesPlan.USUAL.with(Knobs.parse(List.of("queues=ring")))))
                        .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EPERM));
            }
            return null;
        });
    }

    /** The kernel has given rings before, and gives these queues none. */
    @Test
    void knobsOfQueuesWithoutARingHaveTheReasonOfThoseWhoCarryThem() throws Exception {
        Restricted.onAThreadOfItsOwn(() -> {
            Context context = new Context(new UringTransport(), "test", Blocks.source());
            context.probe();
            Restricted.forbidRings();
            try (AutoCloseable _ = context::close) {
                Queues queues = context.queues(QueuesPlan.USUAL.with(Knobs.parse(List.of("wait=sleep"))));
                assertThat(queues.knobs()).isNotEmpty().allSatisfy(state -> assertThat(state.why())
                        .startsWith("the transport nio carries it: ").contains("io_uring is forbidden here"));
                KnobState waits = queues.knobs().stream().filter(state -> state.knob() == Knob.WAIT).findFirst()
                        .orElseThrow();
                assertThat(waits.asked()).isEqualTo("sleep");
                assertThat(waits.got()).isEqualTo("sleep");
                Endpoint endpoint = context.connect(queues, new InetSocketAddress("127.0.0.1", 9), EndpointPlan.USUAL,
                        1);
                // of the queues what the queues have, and of the endpoint that its queues have no ring
                assertThat(endpoint.state().knobs()).filteredOn(state -> state.knob() != Knob.BUFFERS)
                        .allSatisfy(state -> assertThat(state.why()).startsWith("the transport nio carries it: ")
                                .contains(state.knob().ofQueues() ? "io_uring is forbidden here"
                                        : "its queues have no ring"));
            }
            return null;
        });
    }

    @Test
    void memoryThatCannotBeLockedIsSentAsItLiesUnlessItIsDemanded() throws Exception {
        Restricted.onAThreadOfItsOwn(() -> {
            long limit = Restricted.lockedMemory();
            Restricted.dropCapabilities();
            Context context = new Context(new UringTransport(), "test", Blocks.source());
            context.probe();
            Restricted.lockedMemory(Math.min(limit, 1 << 20));
            try (Ends ends = new Ends(ZERO_COPY)) {
                assertThatThrownBy(() -> ends.near.send(ends.region.key(), 0, PAGE, 1))
                        .isInstanceOfSatisfying(Refusal.class, refused -> {
                    assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
                    assertThat(refused.getMessage()).contains("registered memory is demanded", "ulimit -l",
                            "Prefer memory=registered");
                });
                assertThat(ends.region.inFlight()).isZero();
            }
            try (Ends ends = new Ends(new TcpWay("uring", List.of("prefer:memory=registered", "send=zerocopy")))) {
                ends.near.send(ends.region.key(), 0, PAGE, 1);
                ends.far.receive(ends.region.key(), PAGE, PAGE, 2);
                assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(PAGE);
                while (!ends.next(ends.near, Operation.SEND).has(Completions.FREE)) {
                    ends.turn(Duration.ZERO);
                }
                assertThat(ends.near.explain().getLast().because()).contains("ulimit -l");
            } finally {
                Restricted.lockedMemory(limit);
                context.close();
            }
            return null;
        });
    }

    @Test
    void whileTheProcessHasNoDescriptorLeftConnectionsWait() throws Exception {
        // the kernel looks at the limit when it is asked to accept, which it is for each connection so
        Way single = new TcpWay("uring", List.of("accept=single"));
        try (Ends ends = new Ends(single); SocketChannel one = SocketChannel.open();
                SocketChannel two = SocketChannel.open()) {
            long limit = Restricted.descriptors();
            // its class takes a descriptor to load
            assertThat(ends.listener.state().resting()).isNull();
            InetSocketAddress there = new InetSocketAddress("127.0.0.1", ends.listener.local().getPort());
            one.connect(there);
            two.connect(there);
            Restricted.descriptors(0);
            try {
                Done full = ends.next(done -> done.operation() == Operation.ACCEPT && done.errno() != 0);
                assertThat(full.errno()).isEqualTo(Errno.EMFILE.number());
                assertThat(full.endpoint()).isNull();
                assertThat(ends.listener.state().resting()).contains("EMFILE");
                ends.turn(Duration.ofMillis(200));
                assertThat(ends.seen).as("it is said once").noneMatch(done -> done.errno() != 0);
            } finally {
                Restricted.descriptors(limit);
            }
            for (int i = 0; i < 2; i++) {
                Done come = ends.next(done -> done.operation() == Operation.ACCEPT);
                assertThat(come.errno()).isZero();
                assertThat(come.endpoint()).isNotNull();
            }
            assertThat(ends.listener.state().resting()).isNull();
        }
    }

    @Test
    void aChannelOfRegisteredMemoryEndsWithItsEndpoint() throws Exception {
        try (Ends ends = new Ends(ZERO_COPY)) {
            ByteBuffer text = ByteBuffer.wrap("through a channel".getBytes());
            ends.far.receive(ends.region.key(), 0, 17, 1);
            assertThat(ends.near.channel().write(text)).isEqualTo(17);
            assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(17);
            assertThat(new String(ends.bytes(0, 17))).isEqualTo("through a channel");
            ends.near.close();
            assertThat(ends.next(ends.near, Operation.CLOSE).errno()).isZero();
        }
    }

    @Test
    void theQueuesBelongToTheirThreadForGood() {
        try (Ends ends = new Ends(USUAL)) {
            assertThatThrownBy(ends.queues::release).isInstanceOfSatisfying(Refusal.class,
                    no -> assertThat(no.errno()).isEqualTo(Errno.EOPNOTSUPP));
        }
    }

    @Test
    void whoeverWaitsIsWokenByAnotherThread() throws Exception {
        try (Ends ends = new Ends(USUAL)) {
            Queues queues = ends.queues;
            Thread waker = new Thread(queues::wakeup);
            waker.start();
            long begin = System.nanoTime();
            assertThat(queues.await(Duration.ofSeconds(60))).isFalse();
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(60));
            waker.join();
        }
    }
}
