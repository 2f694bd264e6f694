package io.manafold.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Linux;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.uring.Wire.Completion;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the kernel does that its users must know. */
class TrapsTest {
    private static final int FLAGS = Request.NO_SIGNAL;
    private static final int EFAULT = 14;
    private static final int ENOBUFS = 105;
    private static final int ECANCELED = 125;
    private static final int ECONNRESET = 104;
    private static final int ADVICE_REMOVE = 9;
    private static final int PAGE = RawMemory.PAGE;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
    }

    @Test
    void sendingWithoutACopyCompletesTwice() throws Exception {
        Rings.can(Operation.SEND_ZERO_COPY_REGISTERED);
        try (Arena arena = Arena.ofShared(); Wire wire = new Wire()) {
            long from = arena.allocate(PAGE, PAGE).address();
            Completion accepted = wire.done(Request.sendZeroCopy(wire.near.number(), FLAGS), from, PAGE, 5);
            assertThat(accepted.result()).isEqualTo(PAGE);
            assertThat(accepted.has(Ring.MORE)).isTrue();
            wire.received(PAGE);
            Completion free = wire.next(5);
            assertThat(free.has(Ring.NOTIFICATION)).isTrue();
            assertThat(free.result() & Ring.COPIED).as("over this machine's own interface it is always copied")
                    .isNotZero();
        }
    }

    @Test
    void sendingWithoutACopyCompletesTwiceEvenIfItFails() throws Exception {
        Rings.can(Operation.SEND_ZERO_COPY_REGISTERED);
        try (Wire wire = new Wire(); BufferTable table = new BufferTable(wire.ring, 4)) {
            Completion failed = wire.done(Request.sendZeroCopyRegistered(wire.near.number(), FLAGS, 2), PAGE, 8, 6);
            assertThat(failed.result()).isEqualTo(-EFAULT);
            if (failed.has(Ring.MORE)) {
                assertThat(wire.next(6).has(Ring.NOTIFICATION)).isTrue();
            }
        }
    }

    @Test
    void aSlotKeepsThePagesThatItWasFilledWith() throws Exception {
        Rings.can(Operation.SEND_ZERO_COPY_REGISTERED);
        try (DmaBlock block = new DmaBlock("traps", 4 * PAGE); Wire wire = new Wire();
                BufferTable table = new BufferTable(wire.ring, 4)) {
            fill(block, 'o');
            table.set(1, block.address(), block.size(), 77);
            assertThat(Linux.advise(block.address(), block.size(), ADVICE_REMOVE)).isZero();
            fill(block, 'n');
            assertThat(sent(wire, Request.sendZeroCopyRegistered(wire.near.number(), FLAGS, 1), block, 8))
                    .isEqualTo((byte) 'o');
            assertThat(sent(wire, Request.send(wire.near.number(), FLAGS), block, 9)).isEqualTo((byte) 'n');
        }
    }

    private static byte sent(Wire wire, Request request, DmaBlock block, int tag) {
        assertThat(wire.done(request, block.address(), PAGE, tag).result()).isEqualTo(PAGE);
        byte[] got = wire.received(PAGE);
        byte[] same = new byte[PAGE];
        Arrays.fill(same, got[0]);
        assertThat(got).isEqualTo(same);
        return got[0];
    }

    private static void fill(DmaBlock block, char letter) {
        for (long at = 0; at < block.size(); at++) {
            RawMemory.put8(block.address() + at, letter);
        }
    }

    @Test
    void aClearedSlotSaysWhenItsMemoryIsFree() throws Exception {
        try (DmaBlock block = new DmaBlock("traps", PAGE); Wire wire = new Wire();
                BufferTable table = new BufferTable(wire.ring, 4)) {
            table.set(3, block.address(), PAGE, 99);
            assertThat(table.clear(3)).isTrue();
            assertThat(wire.next(99).result()).isZero();
            assertThat(table.clear(4)).as("a slot beyond the end").isFalse();
        }
    }

    @Test
    void beyondTheEndOfASlotNothingIsSent() throws Exception {
        Rings.can(Operation.SEND_ZERO_COPY_REGISTERED);
        try (DmaBlock block = new DmaBlock("traps", PAGE); Wire wire = new Wire();
                BufferTable table = new BufferTable(wire.ring, 1)) {
            table.set(0, block.address(), PAGE, 0);
            Request send = Request.sendZeroCopyRegistered(wire.near.number(), FLAGS, 0);
            assertThat(wire.done(send, block.address() + 1, PAGE, 1).result()).isEqualTo(-EFAULT);
            assertThat(wire.done(send, block.address() - 1, PAGE, 2).result()).isEqualTo(-EFAULT);
        }
    }

    @Test
    void whenBuffersAreUsedUpReceivingRestsAndLosesNothing() throws Exception {
        Rings.can(Operation.RECEIVE_MULTISHOT);
        try (Arena arena = Arena.ofShared(); Wire wire = new Wire(); BufferRing buffers = new BufferRing(wire.ring,
                2, 9)) {
            long into = arena.allocate(2 * PAGE, PAGE).address();
            long from = arena.allocate(4 * PAGE, PAGE).address();
            for (int i = 0; i < 4; i++) {
                RawMemory.put32(from + (long) i * PAGE, i + 1);
            }
            buffers.add(into, PAGE, 0);
            buffers.add(into + PAGE, PAGE, 1);
            buffers.publish();
            Request receive = Request.receiveOnAndOn(wire.far.number(), 9, false);
            assertThat(wire.done(Request.send(wire.near.number(), FLAGS | Request.ALL), from, 4 * PAGE, 1).result())
                    .isEqualTo(4 * PAGE);
            wire.ask(receive, 0, 0, 2);
            for (int i = 0; i < 2; i++) {
                assertThat(Ring.buffer(wire.next(completion -> completion.tag() == 2 && completion.result() == PAGE)
                        .flags()))
                        .isEqualTo(i);
            }
            Completion empty = wire.next(2);
            assertThat(empty.result()).isEqualTo(-ENOBUFS);
            assertThat(empty.has(Ring.MORE)).isFalse();
            buffers.add(into, PAGE, 0);
            buffers.add(into + PAGE, PAGE, 1);
            buffers.publish();
            wire.ask(receive, 0, 0, 3);
            wire.next(3);
            wire.next(3);
            assertThat(RawMemory.get32(into)).isEqualTo(3);
            assertThat(RawMemory.get32(into + PAGE)).isEqualTo(4);
        }
    }

    @Test
    void receivingMustBeCancelledBeforeTheDescriptorIsClosed() throws Exception {
        Rings.can(Operation.RECEIVE_MULTISHOT);
        try (Arena arena = Arena.ofShared(); Wire wire = new Wire();
                BufferRing buffers = new BufferRing(wire.ring, 1, 1);
                SocketChannel peer = SocketChannel.open()) {
            buffers.add(arena.allocate(PAGE, PAGE).address(), PAGE, 0);
            buffers.publish();
            peer.connect(new InetSocketAddress("127.0.0.1", wire.trial.listener.local().getPort()));
            int accepted = wire.done(Request.accept(wire.trial.listener.number()), 0, 0, 1).result();
            assertThat(accepted).isPositive();
            wire.ask(Request.receiveOnAndOn(accepted, 1, false), 0, 0, 2);
            assertThat(wire.done(Request.cancelAll(accepted), 0, 0, 3).result()).isEqualTo(1);
            assertThat(wire.next(2).result()).isEqualTo(-ECANCELED);
            assertThat(wire.done(Request.close(accepted), 0, 0, 4).result()).isZero();
            peer.socket().setSoTimeout(60_000);
            assertThat(peer.socket().getInputStream().read()).as("the end of the stream").isEqualTo(-1);
        }
    }

    @Test
    void aPeerThatResetsIsToldByTheNextOperation() throws Exception {
        try (Arena arena = Arena.ofShared(); Wire wire = new Wire()) {
            int size = 8 << 20;
            long from = arena.allocate(size, PAGE).address();
            wire.ask(Request.send(wire.near.number(), FLAGS | Request.ALL), from, size, 1);
            wire.far.linger(0);
            wire.far.close();
            Completion cut = wire.next(1);
            if (cut.result() >= 0) {
                assertThat(cut.result()).isLessThan(size);
                assertThat(wire.done(Request.send(wire.near.number(), FLAGS), from, 1, 2).result())
                        .isIn(-ECONNRESET, -32);
            } else {
                assertThat(cut.result()).isIn(-ECONNRESET, -32);
            }
        }
    }
}
