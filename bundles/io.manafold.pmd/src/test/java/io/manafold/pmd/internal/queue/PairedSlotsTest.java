package io.manafold.pmd.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.Packets;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets of a port over a pair have one owner at any time, whichever way they take. */
class PairedSlotsTest {
    private static final int PACKETS = 256;
    private static final int FRAME = 60;

    private final SharedBlocks memory = Blocks.source();
    private final PacketPool pool = new PacketPools(memory).make(new PacketPlan("test", PACKETS, 0,
            PacketPlan.DEFAULT_ROOM));
    private final FakeSynthetic synthetic = new FakeSynthetic();
    private final Gate turn = new Gate();
    private final PairedReceiveSlot receives = new PairedReceiveSlot();
    private final PairedSendSlot sends = new PairedSendSlot(turn);
    private final int[] burst = new int[PACKETS];

    PairedSlotsTest() {
        turn.open();
        receives.open(synthetic, pool);
        sends.open(synthetic);
        receives.go();
        sends.go();
    }

    @AfterEach
    void end() {
        receives.shut();
        sends.shut();
        assertThat(receives.burst(burst, 0, 32)).as("once it is shut").isZero();
        assertThat(sends.burst(burst, 0, 1)).as("once it is shut").isZero();
        assertThat(pool.available()).as("packets that are home").isEqualTo(PACKETS);
        pool.close();
        assertThat(memory.blocks()).isEmpty();
    }

    /** A virtual function's queue that gives as many packets as it has, and takes as many as it has room for. */
    private final class FakeQueues implements ReceiveQueue {
        private int has;
        private int room;
        private int taken;

        @Override
        public int burst(int[] packets, int from, int most) {
            int count = Math.min(has, most);
            assertThat(pool.take(packets, from, count)).isTrue();
            for (int i = 0; i < count; i++) {
                pool.clear(packets[from + i]);
            }
            has -= count;
            return count;
        }

        SendQueue sends() {
            return new SendQueue() {
                @Override
                public int burst(int[] packets, int from, int count) {
                    int accepted = Math.min(room, count);
                    PacketPool.release(packets, from, accepted);
                    taken += accepted;
                    return accepted;
                }

                @Override
                public int reclaim() {
                    return 7;
                }
            };
        }

        @Override
        public void arm() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean await(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    private int packet(int length, int content) {
        int packet = pool.allocate();
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, 0));
        for (int i = 0; i < length; i++) {
            RawMemory.put8(pool.data(packet) + i, (byte) content);
        }
        return packet;
    }

    @Test
    void framesOfTheSyntheticDeviceAreCopied() {
        synthetic.arrives(FRAME, 1);
        synthetic.arrives(PacketPlan.DEFAULT_ROOM + 1, 2);
        synthetic.arrives(FRAME + 1, 3);
        int found = receives.burst(burst, 0, 32);
        assertThat(found).isEqualTo(2);
        assertThat(PacketPool.length(pool.first(burst[0]))).isEqualTo(FRAME);
        assertThat(RawMemory.get8(pool.data(burst[1]) + FRAME)).isEqualTo(3);
        assertThat(receives.count().errors()).as("those that were too long").isEqualTo(1);
        assertThat(receives.count().packets()).isEqualTo(2);
        assertThat(receives.count().bytes()).isEqualTo(2 * FRAME + 1);
        PacketPool.release(burst, 0, found);
    }

    @Test
    void aPacketOfNoPoolEndsABurstAndIsRefusedAsTheFirst() {
        int[] three = {packet(FRAME, 1), 0xfe00_0001, packet(FRAME, 2)};
        assertThat(sends.burst(three, 0, 3)).as("those before it").isEqualTo(1);
        assertThat(sends.count().packets()).isEqualTo(1);
        assertThatThrownBy(() -> sends.burst(three, 1, 2)).isInstanceOf(Refusal.class)
                .hasMessageContaining("pool 254 is not there");
        PacketPool.release(three, 2, 1);
    }

    @Test
    void aPoolThatIsEmptyLeavesFramesWhereTheyAre() {
        int[] all = new int[PACKETS];
        assertThat(pool.take(all, 0, PACKETS)).isTrue();
        synthetic.arrives(FRAME, 1);
        assertThat(receives.burst(burst, 0, 32)).isZero();
        assertThat(receives.count().noBuffers()).isEqualTo(1);
        assertThat(synthetic.waiting()).isEqualTo(1);
        for (int packet : all) {
            pool.clear(packet);
        }
        PacketPool.release(all, 0, PACKETS);
        assertThat(receives.burst(burst, 0, 32)).isEqualTo(1);
        PacketPool.release(burst, 0, 1);
    }

    @Test
    void neitherWayKeepsTheOtherWaiting() {
        FakeQueues function = new FakeQueues();
        receives.shut();
        receives.use(function);
        receives.go();
        function.has = 100;
        for (int i = 0; i < 40; i++) {
            synthetic.arrives(FRAME, i);
        }
        int found = receives.burst(burst, 0, 32);
        found += receives.burst(burst, found, 32);
        assertThat(found).isEqualTo(64);
        assertThat(synthetic.waiting()).isBetween(1, 39);
        assertThat(function.has).isBetween(1, 99);
        PacketPool.release(burst, 0, found);
    }

    @Test
    void packetsGoByTheWayThatIsInUseAndTheRestIsTheCallers() {
        for (int i = 0; i < 5; i++) {
            burst[i] = packet(FRAME, i);
        }
        synthetic.room = 3;
        assertThat(sends.burst(burst, 0, 5)).isEqualTo(3);
        assertThat(synthetic.flushes).isEqualTo(1);
        assertThat(synthetic.sent).hasSize(3).last().satisfies(frame -> assertThat(frame).hasSize(FRAME)
                .containsOnly(2));
        assertThat(sends.count().packets()).isEqualTo(3);

        FakeQueues function = new FakeQueues();
        function.room = 1;
        sends.shut();
        assertThat(sends.burst(burst, 3, 2)).as("while the way is changed").isZero();
        sends.use(function.sends());
        sends.go();
        assertThat(sends.burst(burst, 3, 2)).isEqualTo(1);
        assertThat(sends.reclaim()).isEqualTo(7);
        assertThat(function.taken).isEqualTo(1);
        PacketPool.release(burst, 4, 1);
    }

    @Test
    void segmentsAreGatheredAndWhatCannotBeSentIsHome() {
        int first = packet(FRAME, 1);
        int second = packet(100, 2);
        pool.next(first, second);
        pool.second(first, 2L << 48 | 1L << 56);
        burst[0] = first;
        burst[1] = packet(10, 3);
        burst[2] = packet(FRAME, 4);
        pool.first(burst[2], PacketPool.first(PacketPool.HEADROOM, 0xffff, 0));
        int source = packet(FRAME, 5);
        burst[3] = Packets.clone(source, pool);
        burst[4] = Packets.clone(source, pool);
        pool.first(burst[4], pool.first(burst[4]) + (0x8000L << 16));
        assertThat(sends.burst(burst, 3, 2)).isEqualTo(2);
        assertThat(synthetic.sent).hasSize(1).first().satisfies(frame -> assertThat(frame).hasSize(FRAME)
                .containsOnly(5));
        assertThat(PacketPool.references(pool.second(source))).isOne();
        PacketPool.release(new int[] {source}, 0, 1);
        assertThat(sends.count().errors()).as("a clone that says it has more than there is").isOne();
        synthetic.sent.clear();
        assertThat(sends.burst(burst, 0, 3)).isEqualTo(3);
        assertThat(synthetic.sent).hasSize(1).first().satisfies(frame -> assertThat(frame).hasSize(FRAME + 100)
                .endsWith(2).startsWith(1));
        assertThat(sends.count().errors()).isEqualTo(3);
    }

    @Test
    void memoryOfTheApplicationIsCopiedAndFreeAtOnce() {
        try (MemoryBlock block = memory.make("of an application", 4096)) {
            for (int i = 0; i < FRAME; i++) {
                RawMemory.put8(block.segment().address() + 1000 + i, 9);
            }
            AtomicInteger told = new AtomicInteger();
            ExternalBuffer buffer = new ExternalBuffer(block, 900, 200, told::incrementAndGet);
            burst[0] = pool.allocate();
            pool.attach(burst[0], buffer, 100, FRAME);
            burst[1] = packet(FRAME, 1);
            int rest = pool.allocate();
            pool.attach(rest, buffer, 100, FRAME);
            pool.next(burst[1], rest);
            pool.second(burst[1], 2L << 48 | 1L << 56);
            // one that says it has more than the buffer
            burst[2] = pool.allocate();
            pool.attach(burst[2], buffer, 140, FRAME);
            pool.first(burst[2], pool.first(burst[2]) + (1L << 16));
            buffer.close();
            assertThat(buffer.users()).isEqualTo(3);
            synthetic.room = 1;
            assertThat(sends.burst(burst, 0, 3)).isEqualTo(1);
            assertThat(buffer.users()).as("those that the caller still has").isEqualTo(2);
            assertThat(told).hasValue(0);
            synthetic.room = 2;
            assertThat(sends.burst(burst, 1, 2)).isEqualTo(2);
            assertThat(told).hasValue(1);
            assertThat(synthetic.sent).hasSize(2);
            assertThat(synthetic.sent.get(0)).hasSize(FRAME).containsOnly(9);
            assertThat(synthetic.sent.get(1)).hasSize(2 * FRAME).startsWith(1).endsWith(9);
            assertThat(sends.count().errors()).isEqualTo(1);
        }
    }

    /** Memory of the application would be free when packets go by that function again, which may be never. */
    @Test
    void whatAFunctionHasSentComesHomeWhenPacketsHaveTakenTheOtherWay() {
        int[] has = {3};
        sends.shut();
        sends.use(new SendQueue() {
            @Override
            public int burst(int[] packets, int from, int count) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int reclaim() {
                return has[0] > 0 ? --has[0] : 0;
            }
        });
        sends.use(null);
        sends.go();
        burst[0] = packet(FRAME, 1);
        assertThat(sends.burst(burst, 0, 1)).isEqualTo(1);
        assertThat(has).containsExactly(2);
        assertThat(sends.reclaim()).isEqualTo(1);
        assertThat(sends.reclaim()).isZero();
        has[0] = 5;
        assertThat(sends.reclaim()).as("once it has nothing, it is left alone").isZero();
        assertThat(has).containsExactly(5);
    }

    @Test
    void oneQueueAtATimeHasTheSyntheticDevice() {
        assertThat(turn.enter()).isTrue();
        burst[0] = packet(FRAME, 1);
        assertThat(sends.burst(burst, 0, 1)).isZero();
        turn.leave();
        assertThat(sends.burst(burst, 0, 1)).isEqualTo(1);
    }

    @Test
    void noThreadSleepsForIt() {
        assertThatThrownBy(receives::arm).isInstanceOf(Refusal.class).hasMessageContaining("no interrupts");
        assertThatThrownBy(() -> receives.await(1)).isInstanceOf(Refusal.class);
    }
}
