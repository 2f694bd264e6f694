package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Memfd;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mistakes with packets of a pool that is checked are told with the packet, who has it, and where that came about. */
class PacketOwnersTest {
    private static final int PACKETS = 16;

    private final SharedBlocks memory = new SharedBlocks(16, 1L << 30);
    private final PacketPools pools = new PacketPools(memory);
    private final PacketPool pool = pools.make(new PacketPlan("checked", PACKETS, 8, 256).withChecks(true));
    private final PacketPool other = pools.make(new PacketPlan("other", PACKETS, 8, 256));
    private final PacketOwners owners = pool.owners();
    private final int[] packets = new int[PACKETS];

    @AfterEach
    void end() {
        assertThat(pool.available()).isEqualTo(PACKETS);
        assertThat(owners.missing()).isEmpty();
        assertThat(owners.spoilt()).isZero();
        pool.close();
        other.close();
        assertThat(memory.blocks()).isEmpty();
    }

    private void take(int count) {
        assertThat(pool.take(packets, 0, count)).isTrue();
        for (int i = 0; i < count; i++) {
            pool.clear(packets[i]);
        }
    }

    /** Its cause shows this class. */
    private static void assertRefused(ThrowingCallable mistake, String... parts) {
        assertThatThrownBy(mistake).isInstanceOf(Refusal.class).hasMessageContainingAll(parts).satisfies(refused ->
                assertThat(refused.getCause().getStackTrace()).anyMatch(frame ->
                        frame.getClassName().equals(PacketOwnersTest.class.getName())));
    }

    private static void by(String queue, Runnable step) {
        PacketOwners.acting(queue);
        try {
            step.run();
        } finally {
            PacketOwners.done();
        }
    }

    /** A queue that is done with a packet keeps no other from letting go of its clones. */
    @Test
    void clonesAreLetGoByAnyOneHasThemLast() {
        take(2);
        int clone = Packets.clone(packets[0], other);
        int second = Packets.clone(packets[0], pool);
        by("queue", () -> PacketOwners.toQueue(packets, 0, 1));
        assertRefused(() -> Packets.prepend(packets[0], 1), "gets no bytes in front", "it is that of queue");
        PacketPool.release(new int[] {clone}, 0, 1);
        by("queue", () -> PacketPool.release(packets, 0, 1));
        assertThat(pool.available()).as("a clone has its bytes").isEqualTo(PACKETS - 3);
        PacketPool.release(new int[] {second}, 0, 1);
        assertThat(pool.available()).isEqualTo(PACKETS - 1);
        assertThatThrownBy(() -> Packets.length(packets[0])).isInstanceOf(Refusal.class)
                .hasMessageContaining("it was given back");
        clone = Packets.clone(packets[1], other);
        int[] sent = {clone};
        by("queue", () -> PacketOwners.toQueue(sent, 0, 1));
        PacketPool.release(packets, 1, 1);
        by("queue", () -> PacketPool.release(sent, 0, 1));
        assertThat(other.available()).isEqualTo(PACKETS);
    }

    @Test
    void aPacketIsGivenBackOnce() {
        PacketPool.enter();
        try {
            take(4);
            assertThat(owners.owner(packets[0])).isEqualTo("the application");
            pool.give(packets, 0, 1);
            assertThat(owners.owner(packets[0])).isEqualTo("free");
            assertRefused(() -> pool.give(packets, 0, 1), "0x%08x".formatted(packets[0]), "checked",
                    "cannot be given back", "it was given back");
            // the first two are the application's still
            int[] twice = {packets[1], packets[2], packets[1]};
            assertRefused(() -> pool.give(twice, 0, 3), "0x%08x".formatted(packets[1]));
            assertThat(pool.available()).isEqualTo(PACKETS - 3);
            PacketPool.release(packets, 1, 3);
        } finally {
            PacketPool.leave();
        }
    }

    @Test
    void aPacketOfAnotherPoolIsNotTaken() {
        int[] foreign = new int[1];
        assertThat(other.take(foreign, 0, 1)).isTrue();
        assertThatThrownBy(() -> pool.give(foreign, 0, 1)).isInstanceOf(Refusal.class)
                .hasMessageContainingAll("0x%08x".formatted(foreign[0]), "is none of checked");
        int[] beyond = {pool.number() << 24 | PACKETS};
        assertThatThrownBy(() -> pool.give(beyond, 0, 1)).isInstanceOf(Refusal.class)
                .hasMessageContaining("16 of them");
        other.give(foreign, 0, 1);
        int[] none = {0xff00_0000};
        by("send queue 0", () -> assertThatThrownBy(() -> PacketOwners.toQueue(none, 0, 1)).isInstanceOf(Refusal.class)
                .hasMessageContaining("is of no pool"));
    }

    @Test
    void aQueueHasWhatWasSentUntilItGivesThatBack() {
        take(3);
        by("send queue 0", () -> PacketOwners.toQueue(packets, 0, 2));
        assertThat(owners.owner(packets[1])).isEqualTo("send queue 0");
        assertRefused(() -> pool.give(packets, 0, 1), "cannot be given back by the application",
                "that of send queue 0");
        by("send queue 1", () -> {
            assertRefused(() -> PacketOwners.toQueue(packets, 1, 1), "cannot be sent by send queue 1",
                    "that of send queue 0");
            int[] twice = {packets[2], packets[2]};
            assertRefused(() -> PacketOwners.toQueue(twice, 0, 2), "that of send queue 1");
        });
        assertThat(owners.owner(packets[2])).as("nothing has changed").isEqualTo("the application");
        by("send queue 0", () -> pool.give(packets, 0, 2));
        by("send queue 0", () -> assertRefused(() -> PacketOwners.toQueue(packets, 0, 1), "cannot be sent",
                "it was given back"));
        pool.give(packets, 2, 1);
    }

    @Test
    void allSegmentsOfAPacketGoTogether() {
        take(3);
        pool.next(packets[0], packets[1]);
        pool.next(packets[1], packets[2]);
        pool.second(packets[0], 3L << 48 | 1L << 56);
        by("send queue 0", () -> PacketOwners.toQueue(packets, 0, 1));
        assertThat(owners.owner(packets[2])).isEqualTo("send queue 0");
        by("send queue 0", () -> PacketOwners.toApplication(packets, 0, 1));
        assertThat(owners.owner(packets[1])).isEqualTo("the application");
        by("send queue 0", () -> PacketOwners.toQueue(packets, 0, 1));
        by("send queue 0", () -> PacketPool.release(packets, 0, 1));
    }

    /** What another process writes all the time fills no log. */
    @Test
    void whatIsWrittenTooLateIsToldOfALimitedNumberOfTimes() throws Exception {
        PacketPlan plan = new PacketPlan("written", 4, 0, 256).withChecks(true);
        try (Memfd file = Memfd.create("written", PacketPools.bytes(plan) + RawMemory.PAGE & -RawMemory.PAGE)) {
            file.sealLength();
            PacketPool written = pools.attach(plan, new AttachedBlock("written", file.descriptor().duplicate(),
                    PacketPools.bytes(plan)));
            AtomicLong now = new AtomicLong(System.nanoTime());
            written.owners().clock(now::get);
            for (int i = 0; i < 100; i++) {
                writeAllTooLate(written);
            }
            assertThat(written.owners().spoilt()).isEqualTo(400);
            assertThat(written.owners().told()).isEqualTo(8);
            now.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
            writeAllTooLate(written);
            assertThat(written.owners().told()).isEqualTo(8);
            now.incrementAndGet();
            writeAllTooLate(written);
            assertThat(written.owners().told()).isEqualTo(9);
            assertThat(written.owners().writers()).contains("the primary can write");
            assertThat(owners.writers()).isEmpty();
            written.close();
        }
    }

    private static void writeAllTooLate(PacketPool written) {
        int[] got = new int[4];
        for (int packet = 0; packet < got.length; packet++) {
            RawMemory.put8(written.block().segment().address() + written.place(packet) + PacketPool.HEADROOM, 1);
        }
        assertThat(written.take(got, 0, 4)).isTrue();
        written.give(got, 0, 4);
    }

    @Test
    void whatIsNotBackAndWhatIsWrittenTooLateIsTold() {
        PacketPool closing = pools.make(new PacketPlan("closing", 4, 0, 256).withChecks(true));
        int[] got = new int[4];
        by("receive queue 0", () -> assertThat(closing.take(got, 0, 2)).isTrue());
        assertThat(closing.owners().missing()).hasValueSatisfying(missing -> assertThat(missing)
                .hasMessageContainingAll("2 of its packets", "0x%08x (receive queue 0)".formatted(got[0])));
        closing.first(got[0], PacketPool.HEADROOM);
        by("receive queue 0", () -> closing.give(got, 0, 2));
        RawMemory.put8(closing.data(got[0]), 1);
        assertThat(closing.take(got, 0, 4)).isTrue();
        assertThat(closing.owners().spoilt()).isEqualTo(1);
        closing.give(got, 0, 4);
        closing.close();
        assertThat(PacketPool.numbered(closing.number())).isNull();
    }
}
