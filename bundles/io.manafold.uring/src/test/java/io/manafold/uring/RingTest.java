package io.manafold.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.manafold.uring.Wire.Completion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RingTest {
    private static final int FLAGS = Request.NO_SIGNAL;
    private static final int GROUP = 3;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
    }

    @Test
    void bytesGoOutAndComeIn() throws Exception {
        try (Arena arena = Arena.ofConfined(); Wire wire = new Wire()) {
            MemorySegment text = arena.allocateFrom("over the ring");
            int length = (int) text.byteSize();
            assertThat(wire.done(Request.send(wire.near.number(), FLAGS), text.address(), length, 7).result())
                    .isEqualTo(length);
            assertThat(new String(wire.received(length)).strip()).startsWith("over the ring");
        }
    }

    @Test
    void aBundleLeavesAndComesInAsOne() throws Exception {
        Rings.can(Operation.SEND_BUNDLE);
        Rings.can(Operation.RECEIVE_BUNDLE);
        int pieces = 16;
        int size = 4096;
        try (Arena arena = Arena.ofShared(); Wire wire = new Wire()) {
            MemorySegment out = arena.allocate((long) pieces * size, 4096);
            for (int i = 0; i < out.byteSize(); i++) {
                out.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / size));
            }
            MemorySegment in = arena.allocate((long) pieces * size, 4096);
            try (BufferRing sends = new BufferRing(wire.ring, 16, 1); BufferRing receives = new BufferRing(wire.ring,
                    16, GROUP)) {
                for (int i = 0; i < pieces; i++) {
                    sends.add(out.address() + (long) i * size, size, i);
                    receives.add(in.address() + (long) i * size, size, i);
                }
                sends.publish();
                receives.publish();
                Completion sent = wire.done(Request.sendBundle(wire.near.number(), FLAGS | Request.ALL, 1), 0, 0, 1);
                assertThat(sent.result()).isEqualTo(pieces * size);
                assertThat(Ring.buffer(sent.flags())).isZero();
                wire.ask(Request.receiveOnAndOn(wire.far.number(), GROUP, true), 0, 0, 2);
                int got = 0;
                int completions = 0;
                boolean more = true;
                while (got < pieces * size) {
                    Completion came = wire.next(2);
                    assertThat(came.result()).isPositive();
                    assertThat(came.has(Ring.BUFFER)).isTrue();
                    assertThat(Ring.buffer(came.flags())).isEqualTo(got / size);
                    got += came.result();
                    more = came.has(Ring.MORE);
                    completions++;
                }
                assertThat(completions).isLessThan(pieces);
                assertThat(in.mismatch(out)).isEqualTo(-1);
                if (more) {
                    wire.ask(Request.cancelAll(wire.far.number()), 0, 0, 3);
                    wire.next(completion -> completion.tag() == 2 && !completion.has(Ring.MORE));
                }
            }
        }
    }

    @Test
    void aListOfPiecesLeavesAsOne() throws Exception {
        try (Arena arena = Arena.ofConfined(); Wire wire = new Wire(); GatherList list = new GatherList(3)) {
            MemorySegment text = arena.allocateFrom("onetwothree");
            list.add(text.address() + 6, 5);
            list.add(text.address() + 3, 3);
            list.add(text.address(), 3);
            assertThat(list.add(text.address(), 1)).isFalse();
            assertThat(wire.done(Request.sendGathered(wire.near.number(), FLAGS | Request.ALL), list.address(), 1, 4)
                    .result())
                    .isEqualTo(11);
            assertThat(new String(wire.received(11))).isEqualTo("threetwoone");
        }
    }

    @Test
    void aFullRingTakesNoMoreAndGoesOn() throws Exception {
        try (Wire wire = new Wire(RingSetup.of(4, 8))) {
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < wire.ring.capacity(); i++) {
                    assertThat(wire.ring.add(Request.nothing(), 0, 0, i)).isTrue();
                }
                assertThat(wire.ring.room()).isZero();
                assertThat(wire.ring.add(Request.nothing(), 0, 0, 99)).isFalse();
                assertThat(wire.ring.submit()).isZero();
                assertThat(wire.ring.room()).isEqualTo(wire.ring.capacity());
                assertThat(wire.ring.ready()).isEqualTo(4);
                wire.ring.done(4);
            }
        }
    }

    @Test
    void completionsThatDoNotFitAreKept() throws Exception {
        try (Wire wire = new Wire(RingSetup.of(4, 4))) {
            for (int i = 0; i < 32; i++) {
                assertThat(wire.ring.add(Request.nothing(), 0, 0, i)).isTrue();
                int answer = wire.ring.submit();
                if (answer != 0) {
                    // too much is kept back already: the kernel wants it read first
                    assertThat(answer).isEqualTo(-Limits.EBUSY);
                    break;
                }
            }
            assertThat(wire.ring.hasPending()).isTrue();
            wire.ring.submit();
            for (int i = 0; i < 5; i++) {
                assertThat(wire.next(i).result()).isZero();
            }
            assertThat(wire.ring.lost()).isZero();
        }
    }

    @Test
    void waitingEndsWhenItsTimeHasPassed() throws Exception {
        try (Wire wire = new Wire()) {
            assertThat(wire.ring.await(1, TimeUnit.MILLISECONDS.toNanos(5))).isZero();
            assertThat(wire.ring.ready()).isZero();
        }
    }

    @Test
    void aThreadOfTheKernelTakesRequestsByItself() throws Exception {
        Rings.can(Operation.SUBMISSION_POLLING);
        try (Arena arena = Arena.ofConfined(); Wire wire = new Wire(RingSetup.of(8, 16).polling(1))) {
            assertThat(wire.ring.isPolling()).isTrue();
            MemorySegment text = arena.allocateFrom("polled");
            for (int i = 0; i < 3; i++) {
                assertThat(wire.done(Request.send(wire.near.number(), FLAGS), text.address(), 6, i).result())
                        .isEqualTo(6);
                assertThat(new String(wire.received(6))).isEqualTo("polled");
                // it has gone to sleep by then, most often, and must be woken
                Thread.sleep(5);
            }
        }
    }

    @Test
    void theRingIsItsThreadsAlone() throws Exception {
        try (Wire wire = new Wire()) {
            int[] answer = new int[1];
            Thread other = new Thread(() -> {
                wire.ring.add(Request.nothing(), 0, 0, 1);
                answer[0] = wire.ring.submit();
            });
            other.start();
            other.join();
            assertThat(answer[0]).isEqualTo(-17);
            assertThat(wire.next(1).result()).isZero();
        }
    }

    @Test
    void sizesThatNoRingHasAreRefused() {
        assertThatThrownBy(() -> RingSetup.of(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RingSetup.of(8, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new GatherList(1025)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sendingAndReceivingAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Arena arena = Arena.ofConfined(); Wire wire = new Wire()) {
            MemorySegment memory = arena.allocate(128, 8);
            Request send = Request.send(wire.near.number(), FLAGS);
            Request receive = Request.receive(wire.far.number(), 0);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            long least = Long.MAX_VALUE;
            while (least > 0 && System.nanoTime() - end < 0) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 2000; i++) {
                    round(wire.ring, send, receive, memory.address());
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
        }
    }

    private static void round(Ring ring, Request send, Request receive, long address) {
        ring.add(send, address, 64, 1);
        ring.add(receive, address + 64, 64, 2);
        int got = 0;
        while (got < 2) {
            if (ring.await(2 - got, TimeUnit.SECONDS.toNanos(1)) != 0) {
                throw new AssertionError();
            }
            int ready = ring.ready();
            for (int i = 0; i < ready; i++) {
                if (ring.result(i) != 64) {
                    throw new AssertionError();
                }
            }
            ring.done(ready);
            got += ready;
        }
    }
}
