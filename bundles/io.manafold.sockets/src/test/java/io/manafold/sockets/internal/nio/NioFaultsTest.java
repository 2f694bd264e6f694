package io.manafold.sockets.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Pieces;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Context;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What cannot be is refused with its number and a sentence, or completes with an error, and nothing is left behind. */
@Timeout(300)
class NioFaultsTest {
    private final Ends ends = new Ends(Knobs.USUAL.with(Knob.BUFFERS, "16384"), EndpointPlan.USUAL.withQueues(4, 4)
            .withPieces(3));

    @AfterEach
    void end() {
        ends.close();
        assertThat(ends.memory.blocks()).as("memory is home").isEmpty();
    }

    private static void refused(Errno errno, ThrowingCallable what, String... words) {
        assertThatExceptionOfType(Refusal.class).isThrownBy(what)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(errno))
                .satisfies(refusal -> assertThat(refusal.getMessage()).endsWith("."))
                .satisfies(refusal -> {
                    for (String word : words) {
                        assertThat(refusal.getMessage()).contains(word);
                    }
                });
    }

    @Test
    void aKeyThatNobodyHasIsRefused() {
        refused(Errno.EFAULT, () -> ends.near.send(ends.region.key() + 1, 0, 10, 1), "names no memory");
        refused(Errno.EFAULT, () -> ends.near.receive(-1, 0, 10, 1), "Key 0xffffffff");
    }

    @Test
    void aKeyThatWasClosedIsRefusedAndNeverGivenAgain() {
        Region second = ends.context.register(ends.block, Region.SEND);
        int stale = second.key();
        second.close();
        second.close();
        Region third = ends.context.register(ends.block, Region.SEND);

        assertThat(third.key()).isNotEqualTo(stale);
        refused(Errno.EFAULT, () -> ends.near.send(stale, 0, 10, 1), "closed");
        third.close();
    }

    @Test
    void aKeyOfAnotherBundleIsRefused() {
        Context other = new Context(new NioTransport(), "other", ends.memory);
        Region theirs = other.register(ends.block, Region.SEND);

        refused(Errno.EFAULT, () -> ends.near.send(theirs.key(), 0, 10, 1), "test");
        other.close();
    }

    @Test
    void aRangeOutsideIsRefused() {
        refused(Errno.EFAULT, () -> ends.near.send(ends.region.key(), (1 << 20) - 5, 6, 1), "1048576");
        refused(Errno.EFAULT, () -> ends.near.send(ends.region.key(), -1, 6, 1));
        refused(Errno.EFAULT, () -> ends.near.receive(ends.region.key(), Long.MAX_VALUE, 6, 1));
        refused(Errno.EINVAL, () -> ends.near.send(ends.region.key(), 0, 0, 1), "at least 1");
        refused(Errno.EINVAL, () -> ends.near.send(ends.region.key(), 0, -7, 1));
        refused(Errno.EINVAL, () -> ends.context.register(ends.block, 1, 1 << 20, Region.SEND), "part");
        refused(Errno.EINVAL, () -> ends.context.register(ends.block, 0), "right");
    }

    @Test
    void aRightThatIsMissingIsRefused() {
        Region only = ends.context.register(ends.block, Region.RECEIVE);

        refused(Errno.EACCES, () -> ends.near.send(only.key(), 0, 10, 1), "right");
        only.close();
    }

    @Test
    void aSendWithOneWrongPieceHoldsNothing() {
        Region second = ends.context.register(ends.block, Region.SEND);
        Pieces pieces = new Pieces(4).add(second.key(), 0, 10).add(ends.region.key() + 1, 0, 10);

        refused(Errno.EFAULT, () -> ends.near.send(pieces, 1));
        assertThat(second.inFlight()).isZero();
        refused(Errno.EINVAL, () -> ends.near.send(pieces.clear(), 1), "pieces");
        second.close();
    }

    @Test
    void aFullQueueIsRefusedAndGoesOnLater() {
        for (int i = 0; i < 4; i++) {
            ends.near.send(ends.region.key(), 0, 1, i);
        }
        assertThat(ends.near.sendRoom()).isZero();
        refused(Errno.ENOBUFS, () -> ends.near.send(ends.region.key(), 0, 1, 9), "full");

        ends.until(ends.near, Operation.SEND);
        assertThat(ends.near.sendRoom()).isEqualTo(4);
        ends.near.send(ends.region.key(), 0, 1, 9);
        ends.until(index -> ends.completions.tag(index) == 9);
    }

    @Test
    void completionsCannotOverrun() {
        Queues small = ends.context.queues(QueuesPlan.USUAL.named("small").withEntries(16));
        Endpoint endpoint = ends.context.connect(small, ends.listener.local(),
                EndpointPlan.USUAL.withQueues(64, 64), 0);
        for (int i = 0; i < 16; i++) {
            endpoint.send(ends.region.key(), 0, 1, i);
        }
        refused(Errno.ENOBUFS, () -> endpoint.send(ends.region.key(), 0, 1, 16), "completions");
        small.close();
    }

    @Test
    void aThreadThatDoesNotServeTheQueuesIsRefused() throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread other = new Thread(() -> {
            try {
                ends.queues.poll(new Completions(1));
            } catch (Refusal refused) {
                thrown.set(refused);
            }
        });
        other.start();
        other.join();

        assertThat(thrown.get()).isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno())
                .isEqualTo(Errno.EBUSY));
    }

    @Test
    void aBlockThatItsMakerClosesStaysWhileItIsInFlight() {
        MemoryBlock second = ends.memory.make("short", 1 << 20);
        Region region = ends.context.register(second, Region.SEND);
        second.segment().fill((byte) 42);
        fill();
        ends.near.send(region.key(), 0, 1 << 20, 77);
        ends.queues.submit();
        region.close();
        second.close();

        assertThat(ends.memory.blocks()).as("what is in flight holds it").hasSize(2);
        assertThat(drain(77)).as("what was sent last").isEqualTo((byte) 42);
        ends.near.close();
        ends.until(ends.near, Operation.CLOSE);
        assertThat(ends.memory.blocks()).hasSize(1);
    }

    /** So much that the connection takes no more. */
    private void fill() {
        for (int i = 0; i < 3; i++) {
            ends.near.send(ends.region.key(), 0, 1 << 20, 0);
        }
    }

    /** Takes all that was sent until the send of a tag is complete, and answers the last byte. */
    private byte drain(long tag) {
        ReceivePool pool = ends.queues.pool(ends.context.register(ends.block, Region.RECEIVE), 65_536, 8);
        ends.far.receive(pool, 5);
        long left = 4L << 20;
        byte[] last = {0};
        boolean[] isSent = {false};
        while (left > 0 || !isSent[0]) {
            long[] came = {0};
            ends.next(index -> {
                isSent[0] |= ends.completions.endpoint(index) == ends.near && ends.completions.tag(index) == tag;
                if (ends.completions.operation(index) == Operation.RECEIVE) {
                    came[0] += ends.completions.length(index);
                    last[0] = ends.block.segment().get(ValueLayout.JAVA_BYTE, ends.completions.offset(index)
                            + ends.completions.length(index) - 1);
                    pool.giveBack(ends.completions.buffer(index));
                }
                return true;
            });
            left -= came[0];
        }
        return last[0];
    }

    @Test
    void aResetInMidTransferSaysHowMuchWentAndWhy() {
        fill();
        ends.queues.submit();
        ends.far.abort();

        int failed = ends.until(index -> ends.completions.endpoint(index) == ends.near
                && ends.completions.operation(index) == Operation.SEND && ends.completions.errno(index) != 0);

        assertThat(ends.completions.errno(failed)).isIn(Errno.ECONNRESET.number(), Errno.EPIPE.number());
        assertThat(ends.completions.length(failed)).isBetween(0L, (1L << 20) - 1);
        assertThat(ends.near.state().phase()).isEqualTo(EndpointState.Phase.BROKEN);
        assertThat(ends.near.failure()).endsWith(".");
        assertThat(ends.near.explain().getLast().status()).isIn("ECONNRESET", "EPIPE");
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> ends.near.send(ends.region.key(), 0, 1, 1))
                .satisfies(refusal -> assertThat(refusal.errno()).isIn(Errno.ECONNRESET, Errno.EPIPE));
    }

    @Test
    void whoReceivesSeesTheResetToo() {
        ends.near.receive(ends.region.key(), 0, 100, 3);
        ends.far.abort();

        int failed = ends.until(ends.near, Operation.RECEIVE);

        assertThat(ends.completions.errno(failed)).isEqualTo(Errno.ECONNRESET.number());
    }

    @Test
    void anEndpointThatIsClosedWhileAReceiveIsArmedEndsTheStreamAtOnce() {
        ends.near.receive(ends.region.key(), 0, 100, 3);
        ends.queues.submit();
        ends.far.receive(ends.region.key(), 4096, 100, 4);
        ends.near.close();

        int cancelled = ends.until(ends.near, Operation.RECEIVE);
        assertThat(ends.completions.errno(cancelled)).isEqualTo(Errno.ECANCELED.number());
        ends.near = null;
        int end = -1;
        for (int i = 0; i < ends.completions.count(); i++) {
            if (ends.completions.endpoint(i) == ends.far) {
                end = i;
            }
        }
        if (end < 0) {
            end = ends.until(ends.far, Operation.RECEIVE);
        }
        assertThat(ends.completions.has(end, Completions.END)).isTrue();
        assertThat(ends.completions.length(end)).isZero();
    }

    @Test
    void halfCloseLeavesTheOtherHalf() {
        ends.put(0, "question");
        ends.put(100, "answer");
        ends.far.receive(ends.region.key(), 4096, 100, 1);
        ends.near.receive(ends.region.key(), 8192, 100, 2);
        ends.near.send(ends.region.key(), 0, 8, 3);
        ends.near.finish(4);
        refused(Errno.EPIPE, () -> ends.near.send(ends.region.key(), 0, 8, 3), "finish");
        ends.until(index -> ends.completions.tag(index) == 1);
        assertThat(ends.text(4096, 8)).isEqualTo("question");
        ends.far.receive(ends.region.key(), 4096, 100, 5);
        int end = ends.until(index -> ends.completions.tag(index) == 5);
        assertThat(ends.completions.has(end, Completions.END)).isTrue();
        assertThat(ends.far.state().phase()).isEqualTo(EndpointState.Phase.ENDED);

        ends.far.send(ends.region.key(), 100, 6, 6);
        int answer = ends.until(index -> ends.completions.tag(index) == 2);
        assertThat(ends.completions.length(answer)).isEqualTo(6);
        assertThat(ends.text(8192, 6)).isEqualTo("answer");
        ends.far.finish(7);
        ends.until(index -> ends.completions.tag(index) == 7);
        assertThat(ends.far.state().phase()).isEqualTo(EndpointState.Phase.DRAINED);
    }

    @Test
    void receivesThatAreTakenBackLoseNothing() {
        ends.far.receive(ends.region.key(), 4096, 100, 1);
        ends.queues.submit();
        assertThat(ends.far.cancelReceives()).isEqualTo(1);
        int cancelled = ends.until(ends.far, Operation.RECEIVE);
        assertThat(ends.completions.errno(cancelled)).isEqualTo(Errno.ECANCELED.number());

        ends.put(0, "not lost");
        ends.near.send(ends.region.key(), 0, 8, 2);
        ends.until(ends.near, Operation.SEND);
        ends.far.receive(ends.region.key(), 4096, 100, 3);
        int received = ends.until(index -> ends.completions.tag(index) == 3);
        assertThat(ends.completions.length(received)).isEqualTo(8);
        assertThat(ends.text(4096, 8)).isEqualTo("not lost");
    }

    @Test
    void sendsThatAreTakenBackLeaveNoHole() {
        fill();
        ends.near.send(ends.region.key(), 0, 100, 50);
        ends.queues.submit();
        int taken = ends.near.cancelSends();

        // the one that a part of has left goes on
        assertThat(taken).isBetween(1, 3);
        int cancelled = ends.until(index -> ends.completions.tag(index) == 50);
        assertThat(ends.completions.errno(cancelled)).isEqualTo(Errno.ECANCELED.number());
        assertThat(ends.completions.length(cancelled)).isZero();
    }

    @Test
    void aPoolWithoutFreeBuffersRestsAndGoesOn() {
        ReceivePool pool = ends.queues.pool(ends.region, 64, 2);
        ends.far.receive(pool, 1);
        ends.put(0, "x".repeat(300));
        ends.near.send(ends.region.key(), 4096, 300, 2);
        StringBuilder sizes = new StringBuilder();
        int[] got = {0};
        ArrayDeque<Integer> lent = new ArrayDeque<>();
        while (got[0] < 300) {
            if (pool.free() == 0) {
                assertThat(lent).hasSize(2);
                pool.giveBack(lent.poll());
            }
            ends.next(index -> {
                if (ends.completions.operation(index) == Operation.RECEIVE) {
                    got[0] += (int) ends.completions.length(index);
                    sizes.append(ends.completions.length(index)).append(' ');
                    lent.add(ends.completions.buffer(index));
                }
                return true;
            });
        }
        assertThat(got[0]).as(sizes.toString()).isEqualTo(300);
        refused(Errno.EBUSY, pool::close, "in use");
        refused(Errno.EINVAL, () -> pool.giveBack(99), "lent");
        while (!lent.isEmpty()) {
            pool.giveBack(lent.poll());
        }
        refused(Errno.EINVAL, () -> pool.giveBack(0), "lent");
        ends.far.cancelReceives();
        pool.close();
        pool.close();
    }

    @Test
    void aConnectionThatIsRefusedIsACompletion() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Endpoint endpoint = ends.context.connect(ends.queues,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), EndpointPlan.USUAL, 9);
        int refused = ends.until(endpoint, Operation.CONNECT);

        assertThat(ends.completions.errno(refused)).isEqualTo(Errno.ECONNREFUSED.number());
        assertThat(ends.completions.tag(refused)).isEqualTo(9);
        assertThat(endpoint.failure()).contains(String.valueOf(port));
    }

    @Test
    void aConnectionThatIsNotThereInTimeIsACompletion() throws Exception {
        // a backlog that is full answers nothing
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            EndpointPlan plan = EndpointPlan.USUAL.withConnectLimit(Duration.ofMillis(300));
            for (int i = 0; i < 6; i++) {
                ends.context.connect(ends.queues, address, plan, 100);
            }
            int late = ends.until(index -> ends.completions.tag(index) == 100 && ends.completions.errno(index) != 0);

            assertThat(ends.completions.errno(late)).isEqualTo(Errno.ETIMEDOUT.number());
            assertThat(ends.completions.endpoint(late).failure()).contains("time");
        }
    }

    @Test
    void anAddressThatIsTakenIsRefused() {
        refused(Errno.EADDRINUSE, () -> ends.context.listen(ends.queues, ends.listener.local(), EndpointPlan.USUAL, 0));
        refused(Errno.EINVAL, () -> ends.context.connect(ends.queues, InetSocketAddress.createUnresolved("a.name", 1),
                EndpointPlan.USUAL, 0), "a.name");
        refused(Errno.EINVAL, () -> ends.context.connect(ends.queues, ends.listener.local(),
                EndpointPlan.USUAL.withQueues(0, 1), 0));
    }

    @Test
    void closingTheQueuesFromAnotherThreadBringsEverythingHome() throws InterruptedException {
        fill();
        ends.near.receive(ends.region.key(), 0, 100, 3);
        ends.queues.submit();
        Thread closing = new Thread(ends.queues::close);
        closing.start();
        closing.join();

        assertThat(ends.region.inFlight()).isZero();
        Completions left = new Completions(256);
        ends.queues.poll(left);
        assertThat(left.count()).isPositive();
        refused(Errno.EBADF, () -> {
            while (true) {
                ends.queues.poll(left);
            }
        });
        refused(Errno.EBADF, () -> ends.near.send(ends.region.key(), 0, 1, 1), "closed");
    }

    @Test
    void knobsThatCannotBeAreRefusedOrTheNextBestIsSaid() {
        refused(Errno.EOPNOTSUPP,
                () -> ends.context.queues(QueuesPlan.USUAL.with(Knobs.parse(List.of("memory=registered")))), "memory",
                "registered", "nio");
        refused(Errno.EINVAL, () -> Knobs.parse(List.of("memory=sometimes")), "plain, registered");
        refused(Errno.EINVAL, () -> Knobs.parse(List.of("gaher=on")), "gather");
        refused(Errno.EINVAL, () -> ends.context.connect(ends.queues, ends.listener.local(),
                EndpointPlan.USUAL.with(Knobs.parse(List.of("wait=spin"))), 0), "queues");
        Queues queues = ends.context.queues(QueuesPlan.USUAL.with(Knobs.parse(List.of("prefer:memory=registered",
                "prefer:wait=kernel"))));
        assertThat(queues.knobs()).filteredOn(knob -> knob.knob() == Knob.MEMORY).singleElement()
                .satisfies(knob -> assertThat(knob.asked()).isEqualTo("registered"))
                .satisfies(knob -> assertThat(knob.got()).isEqualTo("plain"))
                .satisfies(knob -> assertThat(knob.why()).contains("registered"));
        assertThat(queues.knobs()).filteredOn(knob -> knob.knob() == Knob.WAIT).singleElement()
                .satisfies(knob -> assertThat(knob.got()).isEqualTo("spin"));
        queues.close();
    }
}
