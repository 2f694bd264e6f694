package io.manafold.pmd.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each packet has one owner, whatever the device says; a queue that was lied to moves nothing any more. */
class LiesTest {
    private static final int DESCRIPTORS = 64;
    private static final int PACKETS = 512;
    private static final long MANY = Offload.RECEIVE_RSS_HASH | Offload.RECEIVE_IPV4_CHECKSUM
            | Offload.RECEIVE_TCP_CHECKSUM;
    private static final int ROUNDS = Integer.getInteger("manafold.pmd.completions", 100_000);

    private final SharedBlocks memory = Blocks.source();
    private final PacketPools pools = new PacketPools(memory);
    private final PacketPool pool = pools.make(new PacketPlan("test", PACKETS, 64, PacketPlan.DEFAULT_ROOM));
    private final Registrar domain = new Registrar();
    private final Keys keys = new Keys(domain);
    private final List<String> reported = new ArrayList<>();
    private final LyingQueue out = new LyingQueue(memory, QueueType.SEND);
    private final LyingQueue in = new LyingQueue(memory, QueueType.RECEIVE);
    private final SendSlot sends = new SendSlot(reported::add);
    private final ReceiveSlot receives = new ReceiveSlot(reported::add);
    private final int[] burst = new int[PACKETS];

    private void openSends(boolean plain) {
        sends.open(out.direct, keys, DESCRIPTORS, plain);
        sends.go();
    }

    private void openReceives() {
        receives.open(in.direct, keys, DESCRIPTORS, pool, 0);
        receives.go();
    }

    @AfterEach
    void end() {
        sends.end();
        receives.end();
        assertThat(pool.available()).as("packets that are home").isEqualTo(PACKETS);
        keys.close();
        assertThat(domain.open).as("blocks that are registered").isZero();
        pool.close();
        out.close();
        in.close();
        assertThat(memory.blocks()).isEmpty();
    }

    private void take(int count) {
        assertThat(pool.take(burst, 0, count)).isTrue();
        for (int i = 0; i < count; i++) {
            pool.first(burst[i], PacketPool.first(PacketPool.HEADROOM, 60, 0));
            pool.second(burst[i], PacketPool.SINGLE);
        }
    }

    @Test
    void poolsThatHaveGoneAreRegisteredNoMore() {
        PacketPlan plan = new PacketPlan("passing", 64, 0, PacketPlan.DEFAULT_ROOM);
        for (int i = 0; i < 10; i++) {
            try (PacketPool passing = pools.make(plan)) {
                assertThat(keys.register(passing).pool()).isSameAs(passing);
                assertThat(domain.open).as("blocks that are registered").isEqualTo(1);
            }
        }
    }

    @Test
    void aBurstHasOneDoorbellAndOneCompletion() {
        openSends(true);
        take(40);
        assertThat(sends.burst(burst, 0, 40)).isEqualTo(40);
        assertThat(out.doorbells).isEqualTo(1);
        assertThat(out.produced).isEqualTo(40 * WorkRequest.UNIT);
        assertThat(sends.count().packets()).isZero();
        out.sent(SendCompletion.OK, 39);
        assertThat(sends.reclaim()).isZero();
        assertThat(sends.count().packets()).isEqualTo(40);
        assertThat(sends.count().bytes()).isEqualTo(40 * 60);
        assertThat(pool.available()).isEqualTo(PACKETS);
        assertThat(reported).isEmpty();
    }

    @Test
    void aFullRingLeavesTheRestToTheCaller() {
        openSends(true);
        take(100);
        assertThat(sends.burst(burst, 0, 100)).isEqualTo(DESCRIPTORS);
        pool.give(burst, DESCRIPTORS, 100 - DESCRIPTORS);
        // one that failed before the last, which no completion was asked for
        out.sent(SendCompletion.SOURCE_ADDRESS, 9);
        assertThat(sends.reclaim()).isEqualTo(DESCRIPTORS - 10);
        assertThat(sends.count().packets()).as("sent before the last is").isZero();
        out.sent(SendCompletion.OK, DESCRIPTORS - 1);
        assertThat(sends.reclaim()).isZero();
        assertThat(sends.count().packets()).isEqualTo(DESCRIPTORS - 1);
        assertThat(sends.count().errors()).isEqualTo(1);
    }

    /** What cannot be sent counts as taken, so that the caller gives back none that the device has. */
    @Test
    void aPacketThatCannotBeRegisteredIsDroppedAndTaken() {
        PacketPool other = pools.make(new PacketPlan("other", 8, 0, PacketPlan.DEFAULT_ROOM));
        domain.refused = other.block();
        for (boolean plain : new boolean[] {true, false}) {
            openSends(plain);
            take(5);
            int kept = burst[2];
            burst[2] = other.allocate();
            other.first(burst[2], PacketPool.first(PacketPool.HEADROOM, 60, 0));
            long before = sends.count().errors();
            assertThat(sends.burst(burst, 0, 5)).isEqualTo(5);
            assertThat(sends.count().errors()).isEqualTo(before + 1);
            assertThat(other.available()).isEqualTo(8);
            pool.give(new int[] {kept}, 0, 1);
            sends.end();
        }
        other.close();
    }

    /** What is before it has its doorbell and is counted; what is behind it is still the caller's. */
    @Test
    void aPacketOfNoPoolEndsABurstAndIsRefusedAsTheFirst() {
        for (boolean plain : new boolean[] {true, false}) {
            openSends(plain);
            take(5);
            int kept = burst[2];
            burst[2] = 0xfe00_0001;
            int doorbells = out.doorbells;
            assertThat(sends.burst(burst, 0, 5)).as("those before it").isEqualTo(2);
            assertThat(out.doorbells).isEqualTo(doorbells + 1);
            assertThatThrownBy(() -> sends.burst(burst, 2, 3)).isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
                assertThat(refused).hasMessageStartingWith("Packet 0xfe000001 is of no pool: pool 254 is not there.");
            });
            assertThat(out.doorbells).isEqualTo(doorbells + 1);
            assertThat(sends.reclaim()).isEqualTo(2);
            burst[2] = kept;
            pool.give(burst, 2, 3);
            sends.end();
        }
    }

    @Test
    void aSegmentWhosePoolHasGoneIsDroppedWithItsPacket() {
        PacketPool other = pools.make(new PacketPlan("other", 8, 0, PacketPlan.DEFAULT_ROOM));
        int segment = other.allocate();
        for (boolean plain : new boolean[] {true, false}) {
            openSends(plain);
            take(3);
            pool.next(burst[1], segment);
            pool.second(burst[1], 2L << 48 | 1L << 56);
            if (plain) {
                PacketPool.release(new int[] {segment}, 0, 1);
                other.close();
            }
            long before = sends.count().errors();
            assertThat(sends.burst(burst, 0, 3)).isEqualTo(3);
            assertThat(sends.count().errors()).isEqualTo(before + 1);
            assertThat(pool.available()).as("all but those under way").isEqualTo(PACKETS - 2);
            sends.end();
        }
    }

    @Test
    void aChainThatIsTooLongIsDroppedAndTaken() {
        openSends(false);
        take(31);
        for (int i = 0; i < 30; i++) {
            pool.next(burst[i], burst[i + 1]);
        }
        pool.second(burst[0], 31L << 48 | 1L << 56);
        assertThat(sends.burst(burst, 0, 1)).isEqualTo(1);
        assertThat(sends.count().errors()).isEqualTo(1);
        assertThat(out.doorbells).isZero();
        assertThat(pool.available()).isEqualTo(PACKETS);
    }

    @Test
    void aChainForAQueueOfSinglePacketsIsDroppedWholeAndThoseAroundItGo() {
        openSends(true);
        take(5);
        pool.next(burst[1], burst[3]);
        pool.next(burst[3], burst[4]);
        pool.second(burst[1], 3L << 48 | 1L << 56);
        assertThat(sends.burst(burst, 0, 3)).as("all are taken, in their order").isEqualTo(3);
        assertThat(sends.count().errors()).isEqualTo(1);
        assertThat(pool.available()).as("all but those under way").isEqualTo(PACKETS - 2);
        out.sent(SendCompletion.OK, 1);
        assertThat(sends.reclaim()).isZero();
        assertThat(sends.count().packets()).isEqualTo(2);
    }

    @Test
    void aPoolThatCannotBeRegisteredFillsNoQueueAndKeepsItsPackets() {
        domain.refused = pool.block();
        assertThatThrownBy(this::openReceives).isInstanceOf(Refusal.class);
        assertThat(pool.available()).isEqualTo(PACKETS);
        domain.refused = null;
        openReceives();
        assertThat(pool.available()).isEqualTo(PACKETS - DESCRIPTORS);
        assertThat(in.doorbells).isEqualTo(1);
    }

    @Test
    void completionsOfRequestsThatAreNotUnderWayEndTheQueue() {
        openSends(true);
        take(8);
        sends.burst(burst, 0, 8);
        out.sent(SendCompletion.OK, 7);
        out.sent(SendCompletion.OK, 7);
        sends.reclaim();
        assertThat(reported).hasSize(1).first().asString().contains("not under way");
        take(8);
        assertThat(sends.burst(burst, 0, 8)).isZero();
        pool.give(burst, 0, 8);
        assertThat(reported).hasSize(1);
    }

    @Test
    void completionsOfAnotherQueueEndTheQueue() {
        openReceives();
        in.publish(LyingQueue.ID + 1);
        assertThat(receives.burst(burst, 0, 32)).isZero();
        assertThat(reported).hasSize(1).first().asString().contains("is not of the");
    }

    @Test
    void aPacketThatIsLongerThanItsBufferEndsTheQueue() {
        openReceives();
        in.received(ReceiveCompletion.OK, 0, 60);
        in.received(ReceiveCompletion.OK, 0, pool.room() + 1);
        assertThat(receives.burst(burst, 0, 32)).isEqualTo(1);
        assertThat(reported).hasSize(1).first().asString().contains("2049 bytes");
        assertThat(receives.burst(burst, 1, 32)).isZero();
        pool.give(burst, 0, 1);
    }

    /** Otherwise a device that goes on saying so would keep a burst from ever returning. */
    @ParameterizedTest
    @ValueSource(ints = {ReceiveCompletion.FENCE, ReceiveCompletion.OK, ReceiveCompletion.COALESCED})
    void aBurstLooksAtNoMoreCompletionsThanThereAreDescriptors(int type) {
        int few = 16;
        receives.open(in.direct, keys, few, pool, 0);
        receives.go();
        for (int i = 0; i < 2 * few + 2; i++) {
            in.received(type, 0);
        }
        in.received(ReceiveCompletion.OK, 0, 60);
        assertThat(receives.burst(burst, 0, 32)).as("packets among the first").isZero();
        assertThat(receives.burst(burst, 0, 32)).as("packets among the next").isZero();
        assertThat(receives.burst(burst, 0, 32)).as("packets behind them").isEqualTo(1);
        assertThat(reported).isEmpty();
        pool.give(burst, 0, 1);
    }

    @Test
    void aCompletionOfFourIsTakenAsAWhole() {
        openReceives();
        in.received(ReceiveCompletion.COALESCED, 0, 60, 2048, 1, 63);
        in.received(ReceiveCompletion.COALESCED, 0, 64, 65, 66);
        assertThat(receives.burst(burst, 0, 32)).isEqualTo(7);
        assertThat(IntStream.of(burst).limit(7).map(packet -> PacketPool.length(pool.first(packet))))
                .containsExactly(60, 2048, 1, 63, 64, 65, 66);
        assertThat(receives.count().bytes()).isEqualTo(60 + 2048 + 1 + 63 + 64 + 65 + 66);
        assertThat(receives.count().errors()).isZero();
        pool.give(burst, 0, 7);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void ofACompletionOfFourThoseBeforeTheOneThatIsTooLongAreGood(int wrong) {
        openReceives();
        int[] lengths = {60, 60, 60, 60};
        lengths[wrong] = pool.room() + 1;
        in.received(ReceiveCompletion.COALESCED, 0, lengths);
        assertThat(receives.burst(burst, 0, 32)).isEqualTo(wrong);
        assertThat(reported).hasSize(1).first().asString().contains("2049 bytes");
        pool.give(burst, 0, wrong);
    }

    /** Three are posted, and the device says that four have come. */
    @Test
    void aCompletionOfFourWithFewerPostedEndsTheQueue() {
        receives.open(in.direct, keys, 3, pool, 0);
        receives.go();
        in.received(ReceiveCompletion.COALESCED, 0, 60, 60, 60, 60);
        assertThat(receives.burst(burst, 0, 32)).isEqualTo(3);
        assertThat(reported).hasSize(1).first().asString().contains("nothing was posted");
        pool.give(burst, 0, 3);
    }

    @Test
    void aCompletionOfSeveralIsTakenInParts() {
        openReceives();
        in.received(ReceiveCompletion.COALESCED, 0, 60, 61, 62, 63);
        in.received(ReceiveCompletion.COALESCED, 0, 64, 65);
        for (int i = 0; i < 6; i++) {
            assertThat(receives.burst(burst, i, 1)).isEqualTo(1);
            assertThat(PacketPool.length(pool.first(burst[i]))).isEqualTo(60 + i);
        }
        assertThat(receives.burst(burst, 6, 1)).isZero();
        assertThat(receives.count().errors()).isZero();
        pool.give(burst, 0, 6);
    }

    /** Each of its requests has a packet, and the pool has none to post in their places. */
    private int[] takeAllAndFillTheRing() {
        openReceives();
        int[] all = new int[pool.available()];
        assertThat(pool.take(all, 0, all.length)).isTrue();
        for (int i = 0; i < DESCRIPTORS / 4; i++) {
            in.received(ReceiveCompletion.COALESCED, 0, 60, 60, 60, 60);
        }
        return all;
    }

    @Test
    void anEmptyPoolLeavesTheRingShort() {
        int[] all = takeAllAndFillTheRing();
        assertThat(receives.burst(burst, 0, DESCRIPTORS)).isEqualTo(DESCRIPTORS);
        assertThat(receives.count().noBuffers()).isEqualTo(DESCRIPTORS);
        pool.give(burst, 0, DESCRIPTORS);
        assertThat(receives.burst(burst, 0, 1)).isZero();
        in.received(ReceiveCompletion.OK, 0, 60);
        assertThat(receives.burst(burst, 0, 1)).as("it has been filled again").isEqualTo(1);
        pool.give(burst, 0, 1);
        pool.give(all, 0, all.length);
    }

    @Test
    void whatAPoolDoesNotHaveCountsOnce() {
        int[] all = takeAllAndFillTheRing();
        int few = DESCRIPTORS / 2 + 1;
        pool.give(all, 0, few);
        assertThat(receives.burst(burst, 0, DESCRIPTORS)).isEqualTo(DESCRIPTORS);
        assertThat(pool.available()).isZero();
        assertThat(receives.count().noBuffers()).isEqualTo(DESCRIPTORS - few);
        pool.give(burst, 0, DESCRIPTORS);
        pool.give(all, few, all.length - few);
    }

    /** Owner bits as they should be, but for some: those of the round before, which are repeated, and later ones. */
    private static int wrongRounds(Random random) {
        return random.nextInt(40) == 0 ? random.nextInt(-1, 7) : 0;
    }

    /** None is there twice, and none has gone. */
    private void assertAllAreThere() {
        assertThat(pool.available()).isEqualTo(PACKETS);
        assertThat(pool.take(burst, 0, PACKETS)).isTrue();
        assertThat(IntStream.of(burst).distinct().count()).as("packets").isEqualTo(PACKETS);
        pool.give(burst, 0, PACKETS);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MANY, Offload.RECEIVE_VLAN_STRIP})
    void noPacketIsLostOrGivenTwiceWhateverIsCompleted(long offloads) {
        Random random = new Random(19 + offloads);
        Set<Integer> held = new HashSet<>();
        int failures = 0;
        for (int round = 0; round < ROUNDS / 20; round++) {
            try (LyingQueue liar = new LyingQueue(memory, QueueType.RECEIVE)) {
                receives.open(liar.direct, keys, DESCRIPTORS, pool, offloads);
                receives.go();
                reported.clear();
                for (int i = 0; i < 20; i++) {
                    for (int at = 0; at < 60; at += 4) {
                        RawMemory.put32(liar.entry() + at, random.nextInt(4) == 0 ? random.nextInt()
                                : random.nextInt(2) * 60);
                    }
                    RawMemory.put8(liar.entry(), 0x40 | random.nextInt(6));
                    liar.publish(random.nextInt(50) == 0 ? random.nextInt() : LyingQueue.ID, wrongRounds(random));
                    int found = receives.burst(burst, 0, random.nextInt(1, 40));
                    for (int k = 0; k < found; k++) {
                        assertThat(held.add(burst[k])).as("packet %x is given once", burst[k]).isTrue();
                        assertThat(PacketPool.length(pool.first(burst[k]))).isBetween(1, pool.room() + 4);
                    }
                    if (held.size() > 100 || i == 19) {
                        held.forEach(packet -> pool.give(new int[] {packet}, 0, 1));
                        held.clear();
                    }
                }
                failures += reported.size();
                receives.end();
            }
            assertThat(pool.available()).isEqualTo(PACKETS);
        }
        assertAllAreThere();
        assertThat(failures).as("queues that were ended").isBetween(1, ROUNDS / 20 - 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noPacketIsLostOrGivenTwiceWhateverIsSaidToBeSent(boolean plain) {
        Random random = new Random(plain ? 20 : 21);
        int failures = 0;
        for (int round = 0; round < ROUNDS / 20; round++) {
            try (LyingQueue liar = new LyingQueue(memory, QueueType.SEND)) {
                sends.open(liar.direct, keys, DESCRIPTORS, plain);
                sends.go();
                reported.clear();
                for (int i = 0; i < 20; i++) {
                    int count = random.nextInt(24);
                    take(count);
                    if (count > 2 && random.nextInt(4) == 0) {
                        // the last one is a segment of the first, which a plain queue drops
                        pool.next(burst[0], burst[--count]);
                        pool.second(burst[0], 2L << 48 | 1L << 56);
                    }
                    int taken = sends.burst(burst, 0, count);
                    PacketPool.release(burst, taken, count - taken);
                    int unit = random.nextInt(10) == 0 ? random.nextInt() : liar.produced / WorkRequest.UNIT - 1;
                    int type = random.nextInt(4) == 0 ? random.nextInt(256) : SendCompletion.OK;
                    RawMemory.put32(liar.entry() + SendCompletion.FIRST, CompletionEntry.first(type, 0));
                    RawMemory.put32(liar.entry() + SendCompletion.REQUEST, SendCompletion.request(0, unit & 0xff));
                    liar.publish(random.nextInt(50) == 0 ? random.nextInt() : LyingQueue.ID, wrongRounds(random));
                    assertThat(sends.reclaim()).isBetween(0, DESCRIPTORS);
                }
                failures += reported.size();
                sends.end();
            }
            assertThat(pool.available()).isEqualTo(PACKETS);
        }
        assertAllAreThere();
        assertThat(failures).as("queues that were ended").isBetween(1, ROUNDS / 20 - 1);
    }

    @Test
    void nothingIsAllocatedAPacket() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        openSends(true);
        openReceives();
        PacketPool.enter();
        long least = Long.MAX_VALUE;
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int[] lengths = {60, 60, 60, 60};
        int sent = 0;
        while (least > 0 && System.nanoTime() < giveUp) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 5000; i++) {
                for (int k = 0; k < 8; k++) {
                    in.received(ReceiveCompletion.COALESCED, 0, lengths);
                }
                int found = receives.burst(burst, 0, 32);
                sent += sends.burst(burst, 0, found);
                out.sent(SendCompletion.OK, sent - 1 & 255);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        sends.reclaim();
        PacketPool.leave();
        assertThat(reported).isEmpty();
        assertThat(least).isZero();
    }
}
