package io.manafold.sockets.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState.Phase;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.rdma.internal.device.Hosts;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that lie, peers that go, and a device that goes: one endpoint ends, and nothing else. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RdmaFaultsTest {
    private static final byte[] HELLO = new Hello(16, 16 << 10, true).encode();
    private static final int BYTES = 1 << 20;

    private final Hosts hosts = new Hosts();
    private final MemorySource memory = Blocks.source();
    private final RdmaTransport transport = new RdmaTransport(hosts.leftConnections());
    private final Deque<Seen> seen = new ArrayDeque<>();
    private final Completions completions = new Completions(64);
    private SortedMap<String, Integer> before;
    private boolean isRemoved;
    private Context context;
    private Queues queues;
    private MemoryBlock block;
    private Region region;
    private Listener listener;

    private record Seen(Endpoint endpoint, Operation operation, long tag, int flags, int errno, long length) {
    }

    /** What a peer does, and what that is called. */
    enum Lie {
        NO_IMMEDIATE("none of this protocol", peer -> peer.sendBare(100)),
        UNKNOWN_BITS("none of this protocol", peer -> peer.send(100, 1 << 20)),
        DATA_IN_CREDITS("none of this protocol", peer -> peer.send(100, Immediate.CREDITS)),
        DATA_IN_END("none of this protocol", peer -> peer.send(1, Immediate.FINISH)),
        NOTHING_AT_ALL("none of this protocol", peer -> peer.send(0, 0)),
        BOTH_AT_ONCE("none of this protocol", peer -> peer.send(0, Immediate.FINISH | Immediate.CREDITS)),
        TOO_MANY_CREDITS("more credits", peer -> peer.send(0, Immediate.CREDITS | 65_535)),
        ONE_CREDIT_TOO_MANY("more credits", peer -> peer.send(10, 1)),
        AFTER_THE_END("after the end", peer -> {
            peer.send(0, Immediate.FINISH);
            peer.send(10, 0);
        }),
        WITHOUT_CREDIT("credits for", peer -> {
            for (int i = 0; i < 17; i++) {
                peer.send(10, 0);
            }
        }),
        TOO_LONG("ended with", peer -> peer.send((16 << 10) + 1, 0));

        private final String words;
        private final Consumer<Stranger> what;

        Lie(String words, Consumer<Stranger> what) {
            this.words = words;
            this.what = what;
        }
    }

    @BeforeEach
    void begin() {
        before = hosts.left().resources();
        transport.add(hosts.left());
        context = new Context(transport, "test", memory);
        queues = context.queues(QueuesPlan.USUAL);
        block = memory.make("test", BYTES);
        region = context.register(block, Region.SEND | Region.RECEIVE);
        listener = context.listen(queues, new InetSocketAddress(hosts.leftAddress(), 0), EndpointPlan.USUAL, 1);
    }

    @AfterEach
    void end() {
        context.close();
        transport.remove(hosts.left(), "The test is over.");
        block.close();
        assertThat(block.holders()).isEmpty();
        assertThat(memory.blocks()).isEmpty();
        if (!isRemoved) {
            assertThat(hosts.left().resources()).isEqualTo(before);
        }
        hosts.close();
    }

    private Seen next(Predicate<Seen> wanted) {
        while (true) {
            for (Seen one : seen) {
                if (wanted.test(one)) {
                    seen.remove(one);
                    return one;
                }
            }
            turn(Duration.ofSeconds(1));
        }
    }

    private Seen next(Endpoint of, Operation operation) {
        return next(one -> one.endpoint() == of && one.operation() == operation);
    }

    private void turn(Duration limit) {
        queues.submit();
        try {
            queues.await(limit);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        queues.poll(completions);
        for (int i = 0; i < completions.count(); i++) {
            seen.add(new Seen(completions.endpoint(i), completions.operation(i), completions.tag(i),
                    completions.flags(i), completions.errno(i), completions.length(i)));
        }
    }

    /** Connects a stranger while the queues are served, and gives the endpoint that is its peer. */
    private Endpoint meet(Stranger[] peer, byte[] privateData) throws InterruptedException {
        Throwable[] failed = new Throwable[1];
        Thread connecting = Thread.ofPlatform().start(() -> {
            try {
                peer[0] = new Stranger(hosts, listener.local(), privateData);
            } catch (Throwable refused) {
                failed[0] = refused;
            }
        });
        while (connecting.isAlive()) {
            turn(Duration.ofMillis(10));
        }
        connecting.join();
        if (failed[0] instanceof RuntimeException refused) {
            throw refused;
        }
        return next(one -> one.operation() == Operation.ACCEPT).endpoint();
    }

    private Endpoint[] pair() {
        Endpoint near = context.connect(queues, listener.local(), EndpointPlan.USUAL, 2);
        assertThat(next(near, Operation.CONNECT).errno()).isZero();
        return new Endpoint[] {near, next(one -> one.operation() == Operation.ACCEPT).endpoint()};
    }

    private void carries(Endpoint near, Endpoint far) {
        near.send(region.key(), 0, 1000, 1);
        far.receive(region.key(), 2000, 1000, 2);
        assertThat(next(far, Operation.RECEIVE).length()).isEqualTo(1000);
        while ((next(near, Operation.SEND).flags() & Completions.FREE) == 0) {
            // the other half of its completion
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoLiesEndsItsEndpointAndNothingElse(Lie lie) throws InterruptedException {
        Endpoint[] good = pair();
        Stranger[] peer = new Stranger[1];
        Endpoint bad = meet(peer, HELLO);
        try (Stranger stranger = peer[0]) {
            carries(good[0], good[1]);
            lie.what.accept(stranger);
            // a receive that is posted before the end of the lie, or refused after it
            while (bad.failure() == null) {
                turn(Duration.ofMillis(10));
            }
            assertThat(bad.failure()).contains("failed").contains(lie.words);
            assertThat(bad.state().phase()).isEqualTo(Phase.BROKEN);
            assertThatThrownBy(() -> bad.send(region.key(), 0, 1, 9)).isInstanceOf(Refusal.class)
                    .hasMessageContaining(bad.failure());
            carries(good[1], good[0]);
            bad.close();
            assertThat(next(bad, Operation.CLOSE).errno()).isEqualTo(Errno.EPROTO.number());
        }
    }

    /** Acknowledgments may be lost: what the asking peer repeats is acknowledged until that leaves, or for a while. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoWasAskedIsTheLastToLeave(boolean leaves) throws InterruptedException {
        Stranger[] peer = new Stranger[1];
        Endpoint asked = meet(peer, HELLO);
        try (Stranger stranger = peer[0]) {
            asked.receive(region.key(), 0, 1000, 1);
            stranger.send(0, Immediate.FINISH);
            assertThat(next(asked, Operation.RECEIVE).flags() & Completions.END).isNotZero();
            assertThat(stranger.ended()).isEqualTo(CompletionStatus.SUCCESS);
            asked.finish(2);
            next(asked, Operation.FINISH);
            asked.close();
            for (int i = 0; i < 10; i++) {
                turn(Duration.ofMillis(10));
            }
            stranger.send(0, Immediate.CREDITS);
            assertThat(stranger.ended()).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(stranger.isLeft()).isFalse();
            if (!leaves) {
                assertThat(next(asked, Operation.CLOSE).errno()).isZero();
                // which is told here before the other end hears of it
                boolean left = stranger.isLeft();
                for (int i = 0; i < 1000 && !left; i++) {
                    turn(Duration.ofMillis(10));
                    left = stranger.isLeft();
                }
                assertThat(left).isTrue();
            }
        }
        if (leaves) {
            assertThat(next(asked, Operation.CLOSE).errno()).isZero();
        }
    }

    /** Each has memory of the platform's as soon as it is asked for, long before it is a connection. */
    @Test
    void whoAsksWithoutEndTakesWhatTheBacklogHasRoomFor() throws Exception {
        int backlog = 8;
        EndpointPlan plan = EndpointPlan.USUAL.with(Knobs.USUAL.with(Knob.ACCEPT, "multishot"));
        Listener flooded = context.listen(queues, new InetSocketAddress(hosts.leftAddress(), 0),
                new EndpointPlan(plan.knobs(), plan.sends(), plan.receives(), plan.pieces(), plan.connectLimit(),
                backlog), 7);
        int blocks = memory.blocks().size();
        try (AutoCloseable _ = hosts.flood(flooded.local().getPort(), HELLO)) {
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() - end < 0) {
                turn(Duration.ofMillis(10));
            }
            assertThat(memory.blocks()).hasSizeBetween(blocks + 1, blocks + backlog);
            Endpoint[] good = pair();
            carries(good[0], good[1]);
        }
        flooded.close();
    }

    private Listener another() {
        return context.listen(queues, new InetSocketAddress(hosts.leftAddress(), 0), EndpointPlan.USUAL, 1);
    }

    /** Connects to a listener; {@code null} if it has no room. */
    private Endpoint[] pair(Listener to) {
        Endpoint near = context.connect(queues, to.local(), EndpointPlan.USUAL, 2);
        int errno = next(near, Operation.CONNECT).errno();
        if (errno == 0) {
            return new Endpoint[] {near, next(one -> one.operation() == Operation.ACCEPT).endpoint()};
        }
        assertThat(errno).isEqualTo(Errno.ECONNREFUSED.number());
        near.close();
        return null;
    }

    /** Here three of each listener, and four of all together. */
    @Test
    void peersHaveSoManyConnectionsOfAListenerAndOfAllTogether() {
        context.close();
        transport.remove(hosts.left(), "There is another.");
        RdmaTransport bounded = new RdmaTransport(hosts.leftConnections(), 3, 4);
        bounded.add(hosts.left());
        context = new Context(bounded, "test", memory);
        queues = context.queues(QueuesPlan.USUAL);
        region = context.register(block, Region.SEND | Region.RECEIVE);
        Listener first = another();
        Listener second = another();
        List<Endpoint[]> there = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            there.add(pair(first));
        }
        assertThat(there).doesNotContainNull();
        assertThat(pair(first)).as("a fourth of the first").isNull();
        there.add(pair(second));
        assertThat(there).doesNotContainNull();
        assertThat(pair(second)).as("a fifth of all").isNull();
        carries(there.getFirst()[0], there.getFirst()[1]);
        for (Endpoint end : there.getFirst()) {
            end.close();
            next(end, Operation.CLOSE);
        }
        Endpoint[] later = pair(first);
        assertThat(later).as("in its place").isNotNull();
        carries(later[0], later[1]);
        context.close();
        bounded.remove(hosts.left(), "The test is over.");
    }

    @Test
    void aPeerReachesNoMemory() throws InterruptedException {
        Stranger[] peer = new Stranger[1];
        Endpoint bad = meet(peer, HELLO);
        try (Stranger stranger = peer[0]) {
            stranger.write(block.segment().address(), 0x1234, 100);
            while (bad.failure() == null) {
                turn(Duration.ofMillis(10));
            }
            assertThat(bad.failure()).contains("failed");
            assertThat(block.segment().asSlice(0, 100).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .containsOnly(0);
        }
    }

    @Test
    void whoSpeaksAnotherProtocolIsRejected() {
        for (byte[] data : new byte[][] {{}, "something else altogether".getBytes(StandardCharsets.US_ASCII),
                new Hello(0, 16 << 10, true).encode(), new Hello(16, 1 << 30, true).encode(),
                new Hello(-1, -1, false).encode()}) {
            assertThatThrownBy(() -> meet(new Stranger[1], data)).isInstanceOf(Refusal.class)
                    .satisfies(refused -> assertThat(((Refusal) refused).errno()).isEqualTo(Errno.ECONNREFUSED));
        }
        Endpoint[] good = pair();
        carries(good[0], good[1]);
        assertThat(listener.state().accepted()).isEqualTo(1);
    }

    @Test
    void aPeerThatGoesInMidTransferIsAReset() throws InterruptedException {
        Stranger[] peer = new Stranger[1];
        Endpoint left = meet(peer, HELLO);
        left.send(region.key(), 0, BYTES, 3);
        left.receive(region.key(), 0, 100, 4);
        turn(Duration.ofMillis(5));
        peer[0].close();
        assertThat(next(left, Operation.RECEIVE).errno()).isEqualTo(Errno.ECONNRESET.number());
        Seen sent = next(left, Operation.SEND);
        // 16 messages are what the stranger has taken
        assertThat(sent.errno()).isEqualTo(Errno.ECONNRESET.number());
        assertThat(sent.length()).isEqualTo(16 * (16 << 10));
        assertThat(left.explain()).anySatisfy(transfer -> assertThat(transfer.status()).isEqualTo("ECONNRESET"));
    }

    @Test
    void aDeviceThatGoesInMidTransferEndsAllWithNoSuchDevice() {
        Endpoint[] ends = pair();
        ends[0].send(region.key(), 0, BYTES, 3);
        ends[1].receive(region.key(), 0, 100, 4);
        ends[0].receive(region.key(), 0, 100, 5);
        next(ends[1], Operation.RECEIVE);
        hosts.removeLeft();
        isRemoved = true;
        assertThat(next(ends[0], Operation.RECEIVE).errno()).isEqualTo(Errno.ENODEV.number());
        assertThat(next(ends[0], Operation.SEND).errno()).isEqualTo(Errno.ENODEV.number());
        while (ends[1].failure() == null) {
            turn(Duration.ofMillis(10));
        }
        assertThatThrownBy(() -> ends[1].receive(region.key(), 0, 100, 6)).isInstanceOf(Refusal.class)
                .satisfies(refused -> assertThat(((Refusal) refused).errno()).isEqualTo(Errno.ENODEV));
        ends[0].close();
        assertThat(next(ends[0], Operation.CLOSE).errno()).isEqualTo(Errno.ENODEV.number());
    }

    /** A stranger that a listener of its own has taken, which asks silent peers after so many seconds. */
    private Endpoint silent(Stranger[] peer, int seconds, byte[] hello) throws InterruptedException {
        listener.close();
        listener = context.listen(queues, new InetSocketAddress(hosts.leftAddress(), 0),
                EndpointPlan.USUAL.with(Knobs.USUAL.with(Knob.KEEPALIVE, Integer.toString(seconds))), 1);
        Endpoint left = meet(peer, hello);
        left.receive(region.key(), 0, 100, 4);
        return left;
    }

    private void waits(Duration howLong) {
        long end = System.nanoTime() + howLong.toNanos();
        while (System.nanoTime() - end < 0) {
            turn(Duration.ofMillis(200));
        }
    }

    @Test
    void whoOnlyWaitsIsToldOfAPeerThatHasVanished() throws InterruptedException {
        Stranger[] peer = new Stranger[1];
        Endpoint left = silent(peer, 1, HELLO);
        try (Stranger stranger = peer[0]) {
            waits(Duration.ofSeconds(4));
            assertThat(left.failure()).as("its device answers, though its program does not look").isNull();
            stranger.send(60, 0);
            assertThat(next(left, Operation.RECEIVE).length()).as("questions are none of the stream").isEqualTo(60);
            left.receive(region.key(), 0, 100, 5);
            hosts.cut();
            long since = System.nanoTime();
            Seen told = next(left, Operation.RECEIVE);
            assertThat(told.errno()).isEqualTo(Errno.ETIMEDOUT.number());
            assertThat(Duration.ofNanos(System.nanoTime() - since)).as("a second, and the device's repetitions")
                    .isBetween(Duration.ofMillis(800), Duration.ofSeconds(20));
            assertThat(left.failure()).contains("nothing was heard of the peer for 1 s", "does not answer");
            assertThat(left.state().phase()).isEqualTo(Phase.BROKEN);
            left.close();
            assertThat(next(left, Operation.CLOSE).errno()).isEqualTo(Errno.ETIMEDOUT.number());
            region.close();
            assertThat(block.holders()).as("its memory is home").containsOnlyKeys("maker");
        }
    }

    @Test
    void whoDoesNotAskIsNotTold() throws InterruptedException {
        Stranger[] peer = new Stranger[1];
        Endpoint left = silent(peer, 0, HELLO);
        hosts.cut();
        waits(Duration.ofSeconds(8));
        assertThat(left.failure()).isNull();
        left.abort();
        next(left, Operation.CLOSE);
        peer[0].close();
    }

    @Test
    void aPeerThatCannotBeAskedIsLeftAlone() throws InterruptedException {
        Stranger[] peer = new Stranger[1];
        // the first sixteen bytes are all that platforms of before say
        Endpoint left = silent(peer, 1, Arrays.copyOf(HELLO, 16));
        try (Stranger stranger = peer[0]) {
            waits(Duration.ofSeconds(3));
            assertThat(left.failure()).isNull();
            stranger.send(60, 0);
            assertThat(next(left, Operation.RECEIVE).length()).isEqualTo(60);
        }
    }

    @Test
    void aHundredConnectionsComeAndGo() {
        for (int i = 0; i < 100; i++) {
            Endpoint[] ends = pair();
            ends[i % 2].send(region.key(), 0, 5000, 1);
            queues.submit();
            if (i % 3 == 0) {
                ends[1].abort();
            } else {
                ends[1].close();
            }
            ends[0].close();
            next(ends[0], Operation.CLOSE);
            next(ends[1], Operation.CLOSE);
            seen.clear();
        }
        Map<String, Integer> now = hosts.left().resources();
        assertThat(now.getOrDefault("qp", 0)).isEqualTo(before.getOrDefault("qp", 0));
        assertThat(memory.blocks()).hasSize(1);
    }
}
