package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets grow, shrink, are chained and cloned, and in the end all are home, however they are let go. */
class PacketsTest {
    private static final int PACKETS = 300;
    private static final int ROOM = 256;

    private final SharedBlocks memory = new SharedBlocks(16, 1L << 30);
    private final PacketPools pools = new PacketPools(memory);
    private final PacketPool pool = pools.make(new PacketPlan("one", PACKETS, 0, ROOM));
    private final PacketPool other = pools.make(new PacketPlan("other", PACKETS, 0, ROOM));
    private int filled;

    @AfterEach
    void end() {
        assertThat(pool.available()).isEqualTo(PACKETS);
        assertThat(other.available()).isEqualTo(PACKETS);
        pool.close();
        other.close();
        assertThat(memory.blocks()).isEmpty();
    }

    /** A packet whose bytes count on from those of the one before. */
    private int packet(PacketPool of, int length) {
        int made = of.allocate();
        of.first(made, PacketPool.first(PacketPool.HEADROOM, length, 0));
        fill(of.data(made), length);
        return made;
    }

    private void fill(long at, int length) {
        for (int i = 0; i < length; i++) {
            RawMemory.put8(at + i, filled++ & 0xff);
        }
    }

    private int chain(int... lengths) {
        int first = packet(pool, lengths[0]);
        for (int i = 1; i < lengths.length; i++) {
            Packets.chain(first, packet(i % 2 == 0 ? pool : other, lengths[i]));
        }
        return first;
    }

    /** All of its bytes, segment by segment. */
    private static int[] bytes(int packet) {
        int[] all = new int[Packets.length(packet)];
        int at = 0;
        int segment = packet;
        for (int left = PacketPool.segments(PacketPool.of(packet).second(packet)); left > 0; left--) {
            PacketPool its = PacketPool.of(segment);
            for (int i = 0; i < PacketPool.length(its.first(segment)); i++) {
                all[at++] = RawMemory.get8(its.data(segment) + i);
            }
            segment = its.next(segment);
        }
        return all;
    }

    private static int[] counting(int from, int count) {
        int[] all = new int[count];
        Arrays.setAll(all, i -> from + i & 0xff);
        return all;
    }

    private static void release(int... packets) {
        PacketPool.release(packets, 0, packets.length);
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(errno);
            assertThat(refused).hasMessageContaining(part);
        });
    }

    // ---- at the ends

    @Test
    void aPacketGrowsAndShrinksAtBothEnds() {
        int packet = packet(pool, 100);
        pool.first(packet, pool.first(packet) | (long) PacketFlags.HASHED << 32);
        assertThat(Packets.headroom(packet)).isEqualTo(PacketPool.HEADROOM);
        assertThat(Packets.tailroom(packet)).isEqualTo(ROOM - 100);
        assertThat(Packets.prepend(packet, PacketPool.HEADROOM)).isEqualTo(pool.data(packet))
                .isEqualTo(pool.block().segment().address() + pool.place(packet));
        assertThat(Packets.append(packet, ROOM - 100)).isEqualTo(pool.data(packet) + PacketPool.HEADROOM + 100);
        assertThat(Packets.length(packet)).isEqualTo(PacketPool.HEADROOM + ROOM);
        assertRefused(Errno.ENOSPC, "gets no 1 bytes in front of its data: it has a headroom of 0",
                () -> Packets.prepend(packet, 1));
        assertRefused(Errno.ENOSPC, "has a tailroom of 0", () -> Packets.append(packet, 1));
        Packets.dropBack(packet, ROOM - 100);
        assertThat(Packets.dropFront(packet, PacketPool.HEADROOM)).isEqualTo(pool.data(packet));
        assertThat(bytes(packet)).containsExactly(counting(0, 100));
        assertThat(Packets.dropFront(packet, 30)).isEqualTo(pool.data(packet));
        Packets.dropBack(packet, 20);
        assertThat(bytes(packet)).containsExactly(counting(30, 50));
        assertThat(PacketPool.flags(pool.first(packet))).isEqualTo(PacketFlags.HASHED);
        assertRefused(Errno.EINVAL, "its first segment has 50", () -> Packets.dropFront(packet, 51));
        assertRefused(Errno.EINVAL, "its last segment has 50", () -> Packets.dropBack(packet, 51));
        for (int wrong : new int[] {-1, Integer.MIN_VALUE}) {
            assertRefused(Errno.EINVAL, "", () -> Packets.prepend(packet, wrong));
            assertRefused(Errno.EINVAL, "", () -> Packets.append(packet, wrong));
            assertRefused(Errno.EINVAL, "", () -> Packets.dropFront(packet, wrong));
            assertRefused(Errno.EINVAL, "", () -> Packets.dropBack(packet, wrong));
        }
        for (int much : new int[] {1000, Integer.MAX_VALUE}) {
            assertRefused(Errno.ENOSPC, "headroom", () -> Packets.prepend(packet, much));
            assertRefused(Errno.ENOSPC, "tailroom", () -> Packets.append(packet, much));
            assertRefused(Errno.EINVAL, "", () -> Packets.dropFront(packet, much));
        }
        assertThat(bytes(packet)).as("after all that was refused").containsExactly(counting(30, 50));
        Packets.dropBack(packet, 50);
        assertThat(Packets.length(packet)).isZero();
        release(packet);
    }

    // ---- chains

    @Test
    void theEndsOfAChainAreThoseOfItsSegments() {
        int packet = chain(10, 20, 30);
        assertThat(PacketPool.segments(pool.second(packet))).isEqualTo(3);
        assertThat(Packets.length(packet)).isEqualTo(60);
        assertThat(bytes(packet)).containsExactly(counting(0, 60));
        int last = Packets.last(packet);
        assertThat(PacketPool.length(pool.first(last))).isEqualTo(30);
        assertThat(Packets.tailroom(packet)).isEqualTo(ROOM - 30);
        fill(Packets.append(packet, 5), 5);
        assertThat(bytes(packet)).containsExactly(counting(0, 65));
        Packets.dropFront(packet, 10);
        Packets.dropBack(packet, 35);
        assertThat(bytes(packet)).containsExactly(counting(10, 20));
        assertRefused(Errno.EINVAL, "its first segment has 0", () -> Packets.dropFront(packet, 1));
        assertRefused(Errno.EINVAL, "its last segment has 0", () -> Packets.dropBack(packet, 1));
        release(packet);
    }

    @Test
    void aChainBecomesOneSegment() {
        int packet = chain(10, 100, 50, 40);
        pool.second(packet, pool.second(packet) | 0xabcdL << 32 | 0x1234_5678);
        Packets.linearize(packet);
        assertThat(pool.second(packet)).isEqualTo(PacketPool.second(0x1234_5678, 0xabcd));
        assertThat(bytes(packet)).containsExactly(counting(0, 200));
        assertThat(pool.available() + other.available()).isEqualTo(2 * PACKETS - 1);
        Packets.linearize(packet);
        int full = chain(100, 100, 57);
        int begin = filled - 257;
        assertRefused(Errno.ENOSPC, "the others have 157 bytes, and its first one has room for 156",
                () -> Packets.linearize(full));
        assertThat(bytes(full)).containsExactly(counting(begin, 257));
        Packets.dropBack(full, 1);
        Packets.linearize(full);
        assertThat(bytes(full)).containsExactly(counting(begin, 256));
        release(packet, full);
    }

    @Test
    void aChainHasSoManySegmentsAndNoneTwice() {
        int packet = packet(pool, 1);
        for (int i = 1; i < Packets.MOST_SEGMENTS; i++) {
            Packets.chain(packet, packet(pool, 1));
        }
        int more = packet(pool, 1);
        assertRefused(Errno.EOVERFLOW, "it would have 128, of 127 at most", () -> Packets.chain(packet, more));
        assertRefused(Errno.EINVAL, "one is a segment of the other", () -> Packets.chain(more, more));
        int two = chain(1, 1);
        int last = Packets.last(two);
        assertRefused(Errno.EINVAL, "one is a segment of the other", () -> Packets.chain(two, last));
        assertRefused(Errno.EINVAL, "one is a segment of the other", () -> Packets.chain(last, two));
        assertThat(Packets.length(packet)).isEqualTo(127);
        release(packet, more, two);
    }

    // ---- clones

    @Test
    void cloneAndSourceAreLetGoInAnyOrder() {
        for (int order = 0; order < 2; order++) {
            int begin = filled;
            int packet = chain(40, 60, 80);
            pool.second(packet, pool.second(packet) | 0xabcdL << 32 | 0x1234_5678);
            pool.first(packet, pool.first(packet) | (long) PacketFlags.HASHED << 32);
            int clone = Packets.clone(packet, other);
            int second = Packets.clone(clone, pool);
            assertThat(bytes(clone)).containsExactly(counting(begin, 180));
            assertThat(other.data(clone)).as("not a copy").isEqualTo(pool.data(packet)).isEqualTo(pool.data(second));
            assertThat(other.source(clone)).isEqualTo(packet).isEqualTo(pool.source(second));
            assertThat(pool.source(packet)).isEqualTo(-1);
            assertThat(PacketPool.references(pool.second(packet))).isEqualTo(3);
            assertThat(PacketPool.hash(other.second(clone))).isEqualTo(0x1234_5678);
            assertThat(PacketPool.tag(other.second(clone))).isEqualTo(0xabcd);
            assertThat(PacketPool.flags(other.first(clone))).isEqualTo(PacketFlags.HASHED);
            int free = pool.available() + other.available();
            release(order == 0 ? packet : clone);
            assertThat(pool.available() + other.available()).isEqualTo(free + (order == 0 ? 0 : 3));
            assertThat(bytes(order == 0 ? clone : packet)).containsExactly(counting(begin, 180));
            release(second);
            assertThat(bytes(order == 0 ? clone : packet)).containsExactly(counting(begin, 180));
            release(order == 0 ? clone : packet);
            assertThat(pool.available() + other.available()).isEqualTo(2 * PACKETS);
        }
    }

    @Test
    void aCloneLosesBytesOfItsOwnViewAloneAndGetsAHeaderByAChain() {
        int packet = packet(pool, 100);
        int clone = Packets.clone(packet, other);
        assertThat(Packets.dropFront(clone, 30)).isEqualTo(pool.data(packet) + 30);
        Packets.dropBack(clone, 20);
        assertThat(bytes(clone)).containsExactly(counting(30, 50));
        assertThat(bytes(packet)).containsExactly(counting(0, 100));
        int again = Packets.clone(clone, pool);
        Packets.dropFront(packet, 50);
        assertThat(bytes(again)).containsExactly(counting(30, 50));
        for (int shared : new int[] {packet, clone, again}) {
            assertThat(Packets.headroom(shared)).isZero();
            assertThat(Packets.tailroom(shared)).isZero();
            assertRefused(Errno.EBUSY, "its bytes are those of other packets", () -> Packets.prepend(shared, 1));
            assertRefused(Errno.EBUSY, "its bytes are those of other packets", () -> Packets.append(shared, 1));
        }
        int header = packet(other, 8);
        Packets.chain(header, clone);
        assertThat(Packets.length(header)).isEqualTo(58);
        Packets.linearize(header);
        assertThat(Arrays.copyOfRange(bytes(header), 8, 58)).containsExactly(counting(30, 50));
        release(again);
        assertThat(Packets.headroom(packet)).as("its bytes are its own again").isEqualTo(PacketPool.HEADROOM + 50);
        int alone = Packets.clone(packet, pool);
        int rest = packet(pool, 1);
        Packets.chain(packet, rest);
        assertRefused(Errno.EBUSY, "is not made one segment", () -> Packets.linearize(packet));
        release(alone);
        Packets.linearize(packet);
        release(header, packet);
    }

    @Test
    void memoryOfAnApplicationIsClonedToo() {
        MemoryBlock block = memory.make("of an application", 4096);
        fill(block.segment().address(), 200);
        AtomicInteger told = new AtomicInteger();
        ExternalBuffer buffer = new ExternalBuffer(block, 0, 200, told::incrementAndGet);
        int packet = pool.allocate();
        pool.attach(packet, buffer, 20, 100);
        buffer.close();
        int clone = Packets.clone(packet, other);
        assertThat(buffer.users()).isEqualTo(2);
        assertThat(other.source(clone)).isEqualTo(-1);
        assertThat(Packets.dropFront(clone, 5)).isEqualTo(block.segment().address() + 25);
        assertThat(bytes(clone)).containsExactly(counting(25, 95));
        assertRefused(Errno.EBUSY, "or of memory of an application", () -> Packets.prepend(packet, 1));
        release(packet);
        assertThat(told).hasValue(0);
        assertThat(bytes(clone)).containsExactly(counting(25, 95));
        release(clone);
        assertThat(told).hasValue(1);
        block.close();
    }

    /** The thread that lets go last gives packets of others back, and is in the middle of that. */
    @Test
    void anErrorOfAnApplicationKeepsNoPacketFromHome() throws InterruptedException {
        MemoryBlock block = memory.make("of an application", 4096);
        Error mistake = new NoClassDefFoundError("of a bundle that has gone");
        ExternalBuffer buffer = new ExternalBuffer(block, 0, 200, () -> {
            throw mistake;
        });
        int packet = pool.allocate();
        pool.attach(packet, buffer, 20, 100);
        buffer.close();
        int[] burst = {packet(other, 10), packet, packet(pool, 10)};
        AtomicReference<Throwable> told = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().unstarted(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((_, wrong) -> {
                told.set(wrong);
                throw new IllegalStateException("of the handler");
            });
            try {
                assertThat(PacketPool.tryRelease(burst, 0, burst.length)).isZero();
            } catch (Throwable wrong) {
                thrown.set(wrong);
            }
        });
        thread.start();
        thread.join();
        assertThat(thrown.get()).isNull();
        assertThat(told.get()).isSameAs(mistake);
        assertThat(buffer.users()).isZero();
        block.close();
    }

    @Test
    void whatCannotBeClonedLeavesEverythingAsItWas() {
        int packet = chain(1, 2, 3);
        try (PacketPool small = pools.make(new PacketPlan("small", 2, 0, ROOM))) {
            assertThat(Packets.clone(packet, small)).isEqualTo(-1);
            assertThat(small.available()).isEqualTo(2);
        }
        int last = Packets.last(packet);
        List<Integer> clones = new ArrayList<>();
        for (int i = 1; i < 255; i++) {
            clones.add(Packets.clone(last, other));
        }
        assertRefused(Errno.EOVERFLOW, "has 255 users already", () -> Packets.clone(packet, other));
        assertThat(PacketPool.references(pool.second(packet))).as("those of its first segment").isOne();
        assertThat(other.available()).isEqualTo(PACKETS - 255);
        clones.forEach(clone -> release(clone));
        int spoilt = pool.allocate();
        pool.second(spoilt, PacketPool.SINGLE | 1L << 55);
        pool.first(spoilt, pool.first(spoilt) | 0xffff);
        assertRefused(Errno.EINVAL, "", () -> Packets.clone(spoilt, other));
        pool.clear(spoilt);
        release(packet, spoilt);
    }

    @Test
    void manyThreadsLetGoOfOnePacket() throws Exception {
        int threads = 4;
        int each = 60;
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 200; round++) {
                int packet = packet(pool, 10);
                int[][] clones = new int[threads][each];
                for (int[] some : clones) {
                    Arrays.setAll(some, _ -> Packets.clone(packet, other));
                }
                CyclicBarrier begin = new CyclicBarrier(threads);
                List<Future<?>> work = new ArrayList<>();
                for (int[] some : clones) {
                    work.add(workers.submit(() -> {
                        begin.await();
                        for (int clone : some) {
                            release(clone);
                            // and one more, of which it is the only user
                            release(Packets.clone(packet, other));
                        }
                        return null;
                    }));
                }
                for (Future<?> one : work) {
                    one.get();
                }
                assertThat(PacketPool.references(pool.second(packet))).as("users in round " + round).isOne();
                release(packet);
                assertThat(pool.available() + other.available()).as("round " + round).isEqualTo(2 * PACKETS);
            }
        }
    }

    // ---- what is none

    @Test
    void whatIsNoPacketIsRefused() {
        PacketPool gone = pools.make(new PacketPlan("gone", 1, 0, ROOM));
        int number = gone.number() << PacketPool.INDEX_BITS;
        gone.close();
        int mine = packet(pool, 1);
        for (int wrong : new int[] {number, pool.number() << PacketPool.INDEX_BITS | PACKETS, -1}) {
            for (ThrowingCallable asked : List.<ThrowingCallable>of(() -> Packets.length(wrong),
                    () -> Packets.prepend(wrong, 1), () -> Packets.append(wrong, 1), () -> Packets.dropFront(wrong, 1),
                    () -> Packets.dropBack(wrong, 1), () -> Packets.linearize(wrong), () -> Packets.clone(wrong, pool),
                    () -> Packets.chain(wrong, mine), () -> Packets.chain(mine, wrong), () -> Packets.last(wrong),
                    () -> Packets.headroom(wrong), () -> Packets.tailroom(wrong))) {
                assertRefused(Errno.EINVAL, "is of no pool", asked);
            }
        }
        int broken = packet(pool, 1);
        pool.next(broken, number);
        pool.second(broken, 2L << 48 | 1L << 56);
        for (ThrowingCallable asked : List.<ThrowingCallable>of(() -> Packets.length(broken),
                () -> Packets.append(broken, 1), () -> Packets.dropBack(broken, 1), () -> Packets.linearize(broken),
                () -> Packets.clone(broken, pool), () -> Packets.chain(mine, broken))) {
            assertRefused(Errno.EINVAL, "is of no pool", asked);
        }
        pool.second(broken, PacketPool.SINGLE);
        release(mine, broken);
    }
}
