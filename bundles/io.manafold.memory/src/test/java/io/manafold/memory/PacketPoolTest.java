package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools of packets: each packet has one owner, memory goes when the last one is back, and no number reaches beyond. */
class PacketPoolTest {
    private final SharedBlocks memory = new SharedBlocks(16, 1L << 30);
    private final PacketPools pools = new PacketPools(memory);

    @AfterEach
    void end() {
        PacketPool.leave();
        assertThat(memory.blocks()).isEmpty();
    }

    private PacketPool pool(int packets, int cache) {
        return pools.make(new PacketPlan("test", packets, cache, PacketPlan.DEFAULT_ROOM));
    }

    @Test
    void eachPacketIsTakenOnce() {
        try (PacketPool pool = pool(1000, 32)) {
            int[] all = new int[1000];
            assertThat(pool.take(all, 0, 1000)).isTrue();
            assertThat(pool.take(new int[1], 0, 1)).isFalse();
            assertThat(pool.available()).isZero();
            assertThat(IntStream.of(all).distinct().count()).isEqualTo(1000);
            assertThat(IntStream.of(all).map(packet -> packet >>> PacketPool.INDEX_BITS).distinct())
                    .containsOnly(pool.number());
            long[] places = IntStream.of(all).mapToLong(pool::place).sorted().toArray();
            for (int i = 1; i < places.length; i++) {
                assertThat(places[i] - places[i - 1]).isEqualTo(PacketPool.stride(PacketPlan.DEFAULT_ROOM));
            }
            assertThat(places[999] + PacketPool.HEADROOM + pool.room()).isLessThanOrEqualTo(pool.block().size());
            pool.give(all, 0, 1000);
            assertThat(pool.available()).isEqualTo(1000);
        }
    }

    @Test
    void memoryOfAnApplicationIsFreeWhenItsLastUserLetsGo() {
        MemoryBlock block = memory.make("of an application", 8192);
        AtomicInteger told = new AtomicInteger();
        ExternalBuffer buffer = new ExternalBuffer(block, 1000, 5000, told::incrementAndGet);
        block.close();
        try (PacketPool pool = pool(4, 0)) {
            int[] packets = new int[3];
            assertThat(pool.take(packets, 0, 3)).isTrue();
            pool.attach(packets[0], buffer, 4000, 1000);
            assertThat(pool.data(packets[0])).isEqualTo(block.segment().address() + 5000);
            assertThat(pool.attached(packets[0])).isSameAs(buffer);
            assertThat(PacketPool.length(pool.first(packets[0]))).isEqualTo(1000);
            assertThat(PacketPool.segments(pool.second(packets[0]))).isOne();
            // the second is a later segment of the third
            pool.attach(packets[1], buffer, 0, 1);
            pool.clear(packets[2]);
            pool.next(packets[2], packets[1]);
            pool.second(packets[2], 2L << 48 | 1L << 56);
            assertThat(buffer.users()).isEqualTo(3);
            for (long[] wrong : new long[][] {{-1, 10}, {4001, 1000}, {0, 0}, {0, 65536}, {Long.MAX_VALUE, 1}}) {
                assertThatThrownBy(() -> pool.attach(packets[0], buffer, wrong[0], (int) wrong[1]))
                        .isInstanceOf(Refusal.class).hasMessageContaining("they have to be in the buffer");
            }
            PacketPool.release(packets, 0, 1);
            assertThat(pool.attached(packets[0])).isNull();
            buffer.close();
            buffer.close();
            assertThat(told).hasValue(0);
            assertThat(pool.take(packets, 0, 1)).isTrue();
            assertThatThrownBy(() -> pool.attach(packets[0], buffer, 0, 1)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("has been closed");
            pool.clear(packets[0]);
            PacketPool.release(packets, 0, 1);
            PacketPool.release(packets, 2, 1);
            assertThat(told).hasValue(1);
            assertThat(pool.available()).isEqualTo(4);
        }
        for (long[] wrong : new long[][] {{-1, 1}, {0, 0}, {1, 8192}, {Long.MAX_VALUE, 2}}) {
            assertThatThrownBy(() -> new ExternalBuffer(block, wrong[0], wrong[1], () -> { }))
                    .isInstanceOf(Refusal.class).hasMessageContaining("packets could be attached to");
        }
    }

    @Test
    void linesOfPacketsSpreadOverACache() {
        for (int room = 64; room < 9300; room += 17) {
            assertThat(PacketPool.stride(room) / 64 % 2).isOne();
            assertThat(PacketPool.stride(room)).isGreaterThanOrEqualTo(room + PacketPool.HEADROOM);
        }
    }

    @Test
    void aThreadKeepsAFewAndTheRestIsShared() {
        try (PacketPool pool = pool(256, 32)) {
            PacketPool.enter();
            int[] some = new int[256];
            assertThat(pool.take(some, 0, 8)).isTrue();
            assertThat(pool.shared()).isLessThan(248);
            int last = some[7];
            pool.give(some, 0, 8);
            assertThat(pool.take(some, 0, 1)).isTrue();
            assertThat(some[0]).as("the one touched last").isEqualTo(last);
            pool.give(some, 0, 1);
            // more than are shared, with what this thread keeps to itself
            assertThat(pool.take(some, 0, 200)).isTrue();
            pool.give(some, 0, 200);
            assertThat(pool.shared()).isGreaterThanOrEqualTo(256 - 49);
            PacketPool.leave();
            assertThat(pool.shared()).isEqualTo(256);
        }
    }

    @Test
    void memoryGoesWithTheLastPacket() {
        PacketPool pool = pool(4, 0);
        int packet = pool.allocate();
        pool.close();
        assertThat(memory.blocks()).hasSize(2);
        assertThat(pool.allocate()).isEqualTo(-1);
        PacketPool.release(new int[] {packet}, 0, 1);
        assertThat(memory.blocks()).isEmpty();
        assertThat(PacketPool.of(packet)).isNull();
    }

    /** The others go home before it is refused, and nothing of a chain is looked for behind a segment that has gone. */
    @Test
    void whatIsOfNoPoolIsRefusedAndTheOthersGoHome() {
        PacketPool gone = pool(4, 0);
        int segment = gone.allocate();
        int other = gone.allocate();
        try (PacketPool pool = pool(8, 0)) {
            int chain = pool.allocate();
            int last = pool.allocate();
            pool.next(chain, segment);
            pool.second(chain, 3L << 48 | 1L << 56);
            gone.next(segment, last);
            gone.close();
            PacketPool.release(new int[] {segment, other}, 0, 2);
            assertThat(PacketPool.of(segment)).isNull();
            int[] all = {pool.allocate(), segment, chain, -1, pool.allocate()};
            assertThatThrownBy(() -> PacketPool.release(all, 0, 5)).isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
                assertThat(refused).hasMessageContaining("3 of 5 packets are of no pool");
            });
            assertThat(pool.available()).as("all but the one behind the segment that has gone").isEqualTo(7);
            PacketPool.release(new int[] {last}, 0, 1);
        }
    }

    @Test
    void wordsAreWhatWasWritten() {
        try (PacketPool pool = pool(3, 0)) {
            int packet = pool.allocate();
            assertThat(pool.data(packet)).isEqualTo(pool.block().segment().address() + pool.place(packet)
                    + PacketPool.HEADROOM);
            pool.first(packet, PacketPool.first(64, 65535, PacketFlags.HASHED | 1 << 31));
            pool.second(packet, PacketPool.second(0x8000_0001, 0xffff));
            assertThat(PacketPool.offset(pool.first(packet))).isEqualTo(64);
            assertThat(PacketPool.length(pool.first(packet))).isEqualTo(65535);
            assertThat(PacketPool.flags(pool.first(packet))).isEqualTo(PacketFlags.HASHED | 1 << 31);
            assertThat(PacketPool.hash(pool.second(packet))).isEqualTo(0x8000_0001);
            assertThat(PacketPool.tag(pool.second(packet))).isEqualTo(0xffff);
            assertThat(PacketPool.segments(pool.second(packet))).isOne();
            assertThat(PacketPool.references(pool.second(packet))).isOne();
            PacketPool.release(new int[] {packet}, 0, 1);
        }
    }

    @Test
    void segmentsGoHomeToTheirPools() {
        try (PacketPool one = pool(8, 0); PacketPool other = pool(8, 0)) {
            int head = one.allocate();
            int tail = other.allocate();
            int shared = one.allocate();
            one.next(head, tail);
            one.second(head, PacketPool.SINGLE + (1L << 48));
            one.second(shared, PacketPool.SINGLE + (1L << 56));
            int plain = other.allocate();
            PacketPool.release(new int[] {plain, head, shared}, 0, 3);
            assertThat(one.available()).as("one is referred to by another").isEqualTo(7);
            assertThat(other.available()).isEqualTo(8);
            PacketPool.release(new int[] {shared}, 0, 1);
            assertThat(one.available()).isEqualTo(8);
        }
    }

    @Test
    void anyNumberStaysInTheMemoryOfItsPool() {
        try (PacketPool pool = pool(5, 0)) {
            for (int i = 0; i < 10_000; i++) {
                int packet = ThreadLocalRandom.current().nextInt();
                assertThat(pool.place(packet)).isBetween(0L, pool.block().size() - PacketPool.HEADROOM - pool.room());
                pool.first(packet, pool.first(packet));
                pool.next(packet, pool.next(packet));
            }
        }
    }

    @Test
    void whatIsNoPlanIsRefused() {
        for (PacketPlan plan : new PacketPlan[] {new PacketPlan("p", 0, 0, 2048), new PacketPlan("p", 1 << 25, 0, 2048),
                new PacketPlan("p", 1, 513, 2048), new PacketPlan("p", 1, -1, 2048), new PacketPlan("p", 1, 0, 63),
                new PacketPlan("p", 1, 0, 65535)}) {
            assertThatThrownBy(() -> pools.make(plan)).isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        }
    }

    @Test
    void ownersOfManyThreadsNeverMeet() throws Exception {
        int packets = 512;
        AtomicIntegerArray owners = new AtomicIntegerArray(packets);
        try (PacketPool pool = pool(packets, 16); ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Future<?>[] work = new Future<?>[4];
            for (int t = 0; t < work.length; t++) {
                boolean keeps = t < 3;
                work[t] = threads.submit(() -> {
                    if (keeps) {
                        PacketPool.enter();
                    }
                    int[] mine = new int[64];
                    for (int i = 0; i < 50_000; i++) {
                        int wanted = 1 + ThreadLocalRandom.current().nextInt(mine.length);
                        if (pool.take(mine, 0, wanted)) {
                            for (int k = 0; k < wanted; k++) {
                                assertThat(owners.getAndIncrement(mine[k] & 0xff_ffff)).isZero();
                            }
                            for (int k = 0; k < wanted; k++) {
                                owners.decrementAndGet(mine[k] & 0xff_ffff);
                            }
                            pool.give(mine, 0, wanted);
                        }
                    }
                    PacketPool.leave();
                });
            }
            for (Future<?> future : work) {
                future.get();
            }
            assertThat(pool.shared()).isEqualTo(packets);
            int[] all = new int[packets];
            assertThat(pool.take(all, 0, packets)).isTrue();
            Arrays.sort(all);
            assertThat(IntStream.of(all).distinct().count()).isEqualTo(packets);
            pool.give(all, 0, packets);
        }
    }

    @Test
    void whatAThreadKeepsIsAvailableAndWhatItUsesIsNot() {
        try (PacketPool pool = pool(256, 32)) {
            PacketPool.enter();
            int[] some = new int[20];
            assertThat(pool.take(some, 0, 20)).isTrue();
            assertThat(pool.available()).isEqualTo(236);
            PacketPool.leave();
            assertThat(pool.available()).isEqualTo(236);
            pool.give(some, 0, 20);
            assertThat(pool.available()).isEqualTo(256);
        }
    }
}
