package io.manafold.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Pieces;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Ends.Done;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every transport does alike, with whatever knobs. A subclass says in a static method {@code ways} with which. */
public abstract class Streams {
    private static final int ECONNRESET = 104;
    private static final int ECONNREFUSED = 111;
    private static final int ECANCELED = 125;
    private static final int KIB = 1024;

    @ParameterizedTest
    @MethodSource("ways")
    void manySendsArriveInOrderThroughAPool(Way way) {
        try (Ends ends = new Ends(way, EndpointPlan.USUAL.withPieces(300))) {
            int total = 0;
            ends.fill(0, 1 << 20, 7);
            Pieces pieces = new Pieces(300);
            try (ReceivePool pool = ends.queues.pool(ends.context.register(ends.block, 2 << 20, 1 << 20, 2),
                    4096, 64)) {
                ends.far.receive(pool, 9);
                for (int i = 0; i < 40; i++) {
                    ends.near.send(ends.region.key(), total, 1000 + i, i);
                    total += 1000 + i;
                }
                pieces.clear();
                for (int i = 0; i < 300; i++) {
                    pieces.add(ends.region.key(), total, 777);
                    total += 777;
                }
                ends.near.send(pieces, 40);
                ends.near.send(ends.region.key(), total, 300_000, 41);
                total += 300_000;
                ByteArrayOutputStream got = new ByteArrayOutputStream();
                while (got.size() < total) {
                    Done done = ends.next(ends.far, Operation.RECEIVE);
                    assertThat(done.errno()).isZero();
                    assertThat(done.has(Completions.POOLED | Completions.MORE)).isTrue();
                    got.writeBytes(ends.bytes((2 << 20) + done.offset(), done.length()));
                    pool.giveBack(done.buffer());
                }
                assertThat(got.toByteArray()).isEqualTo(ends.bytes(0, total));
                int accepted = 0;
                int free = 0;
                for (long sent = 0; accepted < 42 || free < 42;) {
                    Done done = ends.next(ends.near, Operation.SEND);
                    assertThat(done.errno()).isZero();
                    if (done.has(Completions.ACCEPTED)) {
                        assertThat(done.tag()).isEqualTo(sent++);
                        accepted++;
                    }
                    free += done.has(Completions.FREE) ? 1 : 0;
                }
                ends.far.cancelReceives();
                assertThat(ends.next(ends.far, Operation.RECEIVE).errno()).isEqualTo(ECANCELED);
                assertThat(ends.near.state().statistics().sentBytes()).isEqualTo(total);
                assertThat(ends.near.state().statistics().inFlight()).isZero();
                assertThat(ends.near.state().statistics().pinnedBytes()).isZero();
                assertThat(pool.free()).isEqualTo(64);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void bothDirectionsIntoPostedRanges(Way way) {
        try (Ends ends = new Ends(way)) {
            ends.fill(0, 200 * KIB, 1);
            ends.fill(200 * KIB, 200 * KIB, 2);
            ends.near.send(ends.region.key(), 0, 200 * KIB, 1);
            ends.far.send(ends.region.key(), 200 * KIB, 200 * KIB, 2);
            ByteArrayOutputStream near = new ByteArrayOutputStream();
            ByteArrayOutputStream far = new ByteArrayOutputStream();
            // receives of different sizes one after the other, which a burst may fill together
            for (int i = 0; i < 3; i++) {
                ends.near.receive(ends.region.key(), (1000 + 100 * i) * KIB, 1000 + 700 * i, i);
                ends.far.receive(ends.region.key(), (2000 + 100 * i) * KIB, 70_000, 10 + i);
            }
            while (near.size() < 200 * KIB || far.size() < 200 * KIB) {
                Done done = ends.next(one -> one.operation() == Operation.RECEIVE);
                assertThat(done.errno()).isZero();
                assertThat(done.length()).isPositive();
                boolean isNear = done.endpoint() == ends.near;
                (isNear ? near : far).writeBytes(ends.bytes(done.offset(), done.length()));
                done.endpoint().receive(ends.region.key(), done.offset(), isNear ? 3000 : 30_000, done.tag());
            }
            assertThat(far.toByteArray()).isEqualTo(ends.bytes(0, 200 * KIB));
            assertThat(near.toByteArray()).isEqualTo(ends.bytes(200 * KIB, 200 * KIB));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void rangesThatLieApartAreOneStream(Way way) {
        try (Ends ends = new Ends(way)) {
            int size = 5000;
            int count = 64;
            ends.fill(0, count * size, 9);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                int from = i * 5 % count * size;
                // some are long enough to leave alone
                int length = i % 7 == 0 ? 100_000 : size;
                ends.near.send(ends.region.key(), from, length, i);
                expected.writeBytes(ends.bytes(from, length));
            }
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            for (int i = 0; i < 8; i++) {
                ends.far.receive(ends.region.key(), (2L << 20) + (7 - i) * 9000L, 7001, i);
            }
            while (got.size() < expected.size()) {
                Done done = ends.next(ends.far, Operation.RECEIVE);
                got.writeBytes(ends.bytes(done.offset(), done.length()));
                ends.far.receive(ends.region.key(), done.offset(), 7001, done.tag());
            }
            assertThat(got.toByteArray()).isEqualTo(expected.toByteArray());
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void oneHalfCanEndAndTheOtherLivesOn(Way way) {
        try (Ends ends = new Ends(way)) {
            ends.fill(0, 100, 5);
            ends.near.send(ends.region.key(), 0, 100, 1);
            ends.near.finish(2);
            ends.far.receive(ends.region.key(), 5000, 1000, 3);
            assertThat(ends.next(ends.near, Operation.FINISH).errno()).isZero();
            assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(100);
            ends.far.receive(ends.region.key(), 5000, 1000, 4);
            assertThat(ends.next(ends.far, Operation.RECEIVE).has(Completions.END)).isTrue();
            ends.far.send(ends.region.key(), 0, 50, 5);
            ends.near.receive(ends.region.key(), 9000, 50, 6);
            assertThat(ends.next(ends.near, Operation.RECEIVE).length()).isEqualTo(50);
            assertThat(ends.bytes(9000, 50)).isEqualTo(ends.bytes(0, 50));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void breakingOffIsSeenAtBothEnds(Way way) {
        try (Ends ends = new Ends(way)) {
            ends.far.receive(ends.region.key(), 0, 100, 1);
            ends.near.receive(ends.region.key(), 0, 100, 2);
            ends.turn(Duration.ofMillis(1));
            ends.near.abort();
            assertThat(ends.next(ends.far, Operation.RECEIVE).errno()).isEqualTo(ECONNRESET);
            assertThat(ends.far.failure()).contains("failed");
            assertThat(ends.next(ends.near, Operation.RECEIVE).errno()).isIn(ECANCELED, ECONNRESET);
            assertThat(ends.next(ends.near, Operation.CLOSE).errno()).isEqualTo(ECONNRESET);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aPoolThatIsUsedUpLosesNothing(Way way) {
        try (Ends ends = new Ends(way)) {
            ReceivePool pool = ends.queues.pool(ends.region, 1024, 4);
            ends.fill(100 * KIB, 50 * KIB, 3);
            ends.far.receive(pool, 1);
            ends.near.send(ends.region.key(), 100 * KIB, 50 * KIB, 2);
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            while (got.size() < 50 * KIB) {
                Done first = ends.next(ends.far, Operation.RECEIVE);
                // let it run dry
                ends.turn(Duration.ofMillis(2));
                for (Done done = first; done != null; done = taken(ends)) {
                    got.writeBytes(ends.bytes(done.offset(), done.length()));
                    pool.giveBack(done.buffer());
                }
            }
            assertThat(got.toByteArray()).isEqualTo(ends.bytes(100 * KIB, 50 * KIB));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatIsGivenBackAfterItsPoolOrItsQueuesHaveEndedIsNoLongerUsed(Way way) {
        try (Ends ends = new Ends(way)) {
            ReceivePool pool = ends.queues.pool(ends.region, 4096, 8);
            ReceivePool other = ends.queues.pool(ends.region, 4096, 8);
            Done late = lent(ends, pool);
            ends.far.cancelReceives();
            ends.next(done -> done.endpoint() == ends.far && done.errno() == ECANCELED);
            pool.close();
            pool.giveBack(late.buffer());
            assertThat(pool.free()).as("of a pool that has ended").isEqualTo(7);
            Done last = lent(ends, other);
            ends.queues.close();
            other.giveBack(last.buffer());
            assertThat(other.free()).as("of queues that have ended").isEqualTo(7);
            assertRefused(Errno.EINVAL, () -> other.giveBack(last.buffer()));
        }
    }

    private static Done lent(Ends ends, ReceivePool pool) {
        ends.far.receive(pool, 1);
        ends.near.send(ends.region.key(), 100 * KIB, 100, 2);
        return ends.next(ends.far, Operation.RECEIVE);
    }

    private static Done taken(Ends ends) {
        for (Done done : ends.seen) {
            if (done.endpoint() == ends.far && done.operation() == Operation.RECEIVE) {
                ends.seen.remove(done);
                return done;
            }
        }
        return null;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void receivesThatAreTakenBackLoseNothing(Way way) {
        try (Ends ends = new Ends(way); ReceivePool pool = ends.queues.pool(ends.region, 4096, 4)) {
            ends.fill(100 * KIB, 100, 4);
            ends.far.receive(pool, 1);
            ends.turn(Duration.ofMillis(1));
            assertThat(ends.far.cancelReceives()).isEqualTo(1);
            assertThat(ends.next(ends.far, Operation.RECEIVE).errno()).isEqualTo(ECANCELED);
            ends.near.send(ends.region.key(), 100 * KIB, 100, 2);
            ends.next(ends.near, Operation.SEND);
            ends.far.receive(ends.region.key(), 200 * KIB, 100, 3);
            assertThat(ends.next(ends.far, Operation.RECEIVE).length()).isEqualTo(100);
            assertThat(ends.bytes(200 * KIB, 100)).isEqualTo(ends.bytes(100 * KIB, 100));
        }
    }

    private static void assertRefused(Errno errno, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno())
                .as(refused.getMessage()).isEqualTo(errno));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatMayNotBeUsedIsRefusedAndCostsNothing(Way way) {
        try (Ends ends = new Ends(way, EndpointPlan.USUAL.withQueues(4, 4))) {
            Region sent = ends.context.register(ends.block, 0, KIB, Region.SEND);
            Region received = ends.context.register(ends.block, KIB, KIB, Region.RECEIVE);
            Region closed = ends.context.register(ends.block, 0, KIB, Region.SEND | Region.RECEIVE);
            closed.close();
            for (int key : new int[] {closed.key(), ends.region.key() + 77, -1, 0}) {
                assertRefused(Errno.EFAULT, () -> ends.near.send(key, 0, 10, 1));
                assertRefused(Errno.EFAULT, () -> ends.near.receive(key, 0, 10, 1));
                assertRefused(Errno.EFAULT, () -> ends.near.send(new Pieces(2).add(sent.key(), 0, 10).add(key, 0, 10),
                        1));
            }
            for (long[] range : new long[][] {{KIB, 1}, {KIB - 9, 10}, {-1, 10}, {Long.MAX_VALUE, 10},
                {Long.MIN_VALUE, 10}, {0, Integer.MAX_VALUE}}) {
                assertRefused(Errno.EFAULT, () -> ends.near.send(sent.key(), range[0], (int) range[1], 1));
                assertRefused(Errno.EFAULT, () -> ends.near.receive(received.key(), range[0], (int) range[1], 1));
            }
            assertRefused(Errno.EACCES, () -> ends.near.send(received.key(), 0, 10, 1));
            assertRefused(Errno.EACCES, () -> ends.near.receive(sent.key(), 0, 10, 1));
            assertRefused(Errno.EACCES, () -> ends.queues.pool(sent, 128, 4));
            assertThat(sent.inFlight() + received.inFlight() + ends.region.inFlight()).isZero();
            assertThat(ends.near.state().statistics().pinnedBytes()).isZero();
            ends.fill(0, KIB, 3);
            for (int i = 0; i < 4; i++) {
                ends.near.send(sent.key(), i * 256L, 256, i);
            }
            assertRefused(Errno.ENOBUFS, () -> ends.near.send(sent.key(), 0, 10, 4));
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            while (got.size() < KIB) {
                ends.far.receive(received.key(), 0, KIB, 5);
                Done done = ends.next(ends.far, Operation.RECEIVE);
                assertThat(done.errno()).isZero();
                got.writeBytes(ends.bytes(KIB + done.offset(), done.length()));
            }
            assertThat(got.toByteArray()).isEqualTo(ends.bytes(0, KIB));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whereNobodyListensConnectingSaysSo(Way way) {
        try (Ends ends = new Ends(way)) {
            InetSocketAddress there = ends.listener.local();
            ends.listener.close();
            ends.turn(Duration.ofMillis(1));
            var lost = ends.context.connect(ends.queues, there, EndpointPlan.USUAL.with(way.knobs()), 5);
            assertThat(ends.next(lost, Operation.CONNECT).errno()).isEqualTo(ECONNREFUSED);
            assertThat(lost.failure()).contains("connect");
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aBlockThatIsClosedWhileItLeavesGoesOutWholeAndIsFreeThen(Way way) {
        try (Ends ends = new Ends(way)) {
            ReceivePool pool = ends.queues.pool(ends.region, 64 * KIB, 16);
            int length = 3 << 20;
            var leaving = ends.memory.make("leaving", length);
            var region = ends.context.register(leaving, 1);
            leaving.segment().fill((byte) 'x');
            ends.near.send(region.key(), 0, length, 1);
            ends.queues.submit();
            region.close();
            leaving.close();
            // pages that a holder keeps are not punched out: registered ones would go on leaving as they were
            assertThat(leaving.holders()).as("who holds what is leaving").isNotEmpty();
            ends.far.receive(pool, 2);
            int got = 0;
            while (got < length) {
                Done done = ends.next(ends.far, Operation.RECEIVE);
                byte[] bytes = ends.bytes(done.offset(), done.length());
                for (byte one : bytes) {
                    if (one != 'x') {
                        throw new AssertionError("a byte " + one + " after " + got);
                    }
                }
                got += bytes.length;
                pool.giveBack(done.buffer());
            }
            boolean free = false;
            while (!free) {
                free = ends.next(ends.near, Operation.SEND).has(Completions.FREE);
            }
            for (int i = 0; i < 600 && !leaving.holders().isEmpty(); i++) {
                ends.turn(Duration.ofMillis(100));
            }
            assertThat(leaving.holders()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anotherThreadCanCloseAndMemoryIsHomeThen(Way way) throws Exception {
        Ends ends = new Ends(way);
        ReceivePool pool = ends.queues.pool(ends.region, 4096, 8);
        ends.near.receive(pool, 1);
        ends.near.send(ends.region.key(), 0, 3 << 20, 2);
        ends.far.receive(ends.region.key(), 0, 100, 3);
        ends.turn(Duration.ofMillis(1));
        Thread other = new Thread(ends::close, "closer");
        Throwable[] failed = new Throwable[1];
        other.setUncaughtExceptionHandler((_, thrown) -> failed[0] = thrown);
        other.start();
        other.join(60_000);
        assertThat(other.isAlive()).isFalse();
        assertThat(failed[0]).isNull();
    }
}
