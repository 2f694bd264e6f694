package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.DestroyDmaRegion;
import io.manafold.gdma.message.DestroyMr;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PieceList;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of what is in use: after the answer nothing of it is touched, and all that was taken is given back. */
@Timeout(300)
class RdmaLifeTest {
    private static final int LENGTH = 256 << 10;
    private static final int KEYS = Integer.getInteger("manafold.rdma.keys", 4_096);

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);

    @BeforeEach
    void plug() {
        RdmaEnd.plug(net, left, right);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private RcPair[] connected() {
        RcSettings settings = RcSettings.of(4096).withPatience(14, 1, 1, 12);
        RcPair[] both = {left.pair(settings), right.pair(settings)};
        RdmaEnd.connect(left, both[0], right, both[1]);
        return both;
    }

    /** Writes without end into memory of the right, as much as the ring takes. */
    private void writeOn(RcPair one, int key) {
        PieceList piece = new PieceList().add(RdmaEnd.VIRTUAL, left.key(), LENGTH);
        for (int i = 0; i < 32; i++) {
            one.post(RdmaRequest.WRITE, RdmaRequest.SIGNALED, piece, RdmaEnd.VIRTUAL, key, 0);
        }
        one.ring();
    }

    /** Watches memory that must not change from now on: it is overwritten and has to stay so. */
    private void staysAsItIs(RdmaEnd end, int offset, int length) {
        long at = end.block.pointer() + offset;
        RawMemory.clear(at, length);
        end.pause();
        assertThat(Arrays.mismatch(end.bytes(offset, length), new byte[length])).as("first byte that was written")
                .isEqualTo(-1);
    }

    @Test
    void memoryThatWasGivenBackIsNotWrittenAnyMore() {
        for (int round = 0; round < 20; round++) {
            RcPair[] pairs = connected();
            left.fill(0, LENGTH, round);
            ProtectionDomain.RegisteredMemory target = right.domain.register(right.block, LENGTH, RdmaEnd.VIRTUAL,
                    RdmaEnd.ALL);
            writeOn(pairs[0], target.remoteKey());
            int wanted = round % 5;
            RdmaEnd.until(() -> pairs[0].completed() > wanted, pairs);
            target.close();
            staysAsItIs(right, 0, LENGTH);
            assertThat(RdmaEnd.until(() -> pairs[0].outstanding() == 0 || pairs[0].sendErrors() > 0, pairs)).isTrue();
            pairs[0].close();
            pairs[1].close();
            right.completions.poll((entry, queue, send) -> { }, 1000);
            left.completions.poll((entry, queue, send) -> { }, 1000);
        }
    }

    @Test
    void aQueuePairThatHasEndedTouchesNothing() {
        for (int round = 0; round < 20; round++) {
            RcPair[] pairs = connected();
            left.fill(0, LENGTH, round);
            for (int i = 0; i < 8; i++) {
                pairs[1].receive(RdmaEnd.VIRTUAL, right.key(), LENGTH);
            }
            pairs[1].ringReceives();
            PieceList piece = new PieceList().add(RdmaEnd.VIRTUAL, left.key(), LENGTH);
            for (int i = 0; i < 8; i++) {
                pairs[0].post(RdmaRequest.SEND, RdmaRequest.SIGNALED, piece, 0, 0, 0);
            }
            pairs[0].ring();
            int wanted = round % 4;
            RdmaEnd.until(() -> pairs[1].received() >= wanted, pairs);
            pairs[1].close();
            byte[] completions = new byte[RdmaEnd.ENTRIES * 64];
            RawMemory.copy(right.completions.memory().pointer(), completions, 0, completions.length);
            staysAsItIs(right, 0, LENGTH);
            byte[] later = new byte[completions.length];
            RawMemory.copy(right.completions.memory().pointer(), later, 0, later.length);
            assertThat(later).isEqualTo(completions);
            pairs[0].close();
            right.completions.poll((entry, queue, send) -> { }, 1000);
            left.completions.poll((entry, queue, send) -> { }, 1000);
        }
    }

    @Test
    void whatIsInUseDoesNotEnd() {
        RcPair[] pairs = connected();
        isBusy(() -> right.completions.close());
        isBusy(() -> right.domain.close());
        pairs[1].close();
        isBusy(() -> right.domain.close());
    }

    private static void isBusy(ThrowingCallable end) {
        assertThatThrownBy(end).isInstanceOfSatisfying(CommandRefused.class,
                refused -> assertThat(refused.status()).isEqualTo(Status.BUSY));
    }

    @Test
    void numbersAndKeysAreNotUsedAgainSoon() {
        Set<Integer> numbers = new HashSet<>();
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            try (RcPair pair = left.pair(RcSettings.of(1024));
                    ProtectionDomain.RegisteredMemory memory = left.domain.register(left.block, 4096, 0, RdmaEnd.ALL)) {
                assertThat(pair.number() & 3).isZero();
                assertThat(pair.number()).isGreaterThanOrEqualTo(0x100);
                assertThat(numbers.add(pair.number())).isTrue();
                assertThat(memory.localKey()).isNotZero();
                assertThat(keys.add(memory.localKey())).isTrue();
            }
        }
    }

    /** An adapter says how many it has. Only the long form makes all of them; the short one makes some. */
    @Test
    void keysAreDifferent() {
        assertThat(left.rdma.capabilities().memoryRegions()).isEqualTo(65_536);
        if (KEYS >= 65_536) {
            keysEnd(left, 60_000, 65_536);
        } else {
            allDiffer(left, KEYS);
        }
    }

    /** The same end as of all keys, on an adapter that has few. */
    @Test
    void whatAKeyTookIsGivenBackWhereThereIsNone() {
        try (RdmaEnd few = new RdmaEnd("few", 3, "limits", new String[] {"memory_keys=300"})) {
            assertThat(few.rdma.capabilities().memoryRegions()).isEqualTo(300);
            keysEnd(few, 280, 300);
        }
    }

    /** Makes keys until there are no more: the refused one takes nothing, and all that were made come back. */
    private static void keysEnd(RdmaEnd end, int least, int most) {
        long before = end.bench.adapter.objectBytes();
        List<CreateMr.Result> made = allDiffer(end, Integer.MAX_VALUE);
        assertThat(made.size()).isBetween(least, most);
        long full = end.bench.adapter.objectBytes();
        assertThat(one(end)).isNull();
        assertThat(end.bench.adapter.objectBytes()).as("what a refused key took").isEqualTo(full);
        made.forEach(one -> end.rdma.call(new DestroyMr(one.handle())));
        assertThat(end.bench.adapter.objectBytes()).isEqualTo(before);
        assertThat(one(end)).as("a key where others were given back").isNotNull();
    }

    private static List<CreateMr.Result> allDiffer(RdmaEnd end, int most) {
        List<CreateMr.Result> made = new ArrayList<>();
        Set<Integer> keys = new HashSet<>();
        for (CreateMr.Result one = one(end); one != null; one = made.size() < most ? one(end) : null) {
            made.add(one);
            assertThat(keys.add(one.localKey())).isTrue();
        }
        return made;
    }

    /** One more registration, or null where the adapter has no more of what it takes. */
    private static CreateMr.Result one(RdmaEnd end) {
        try {
            long region = end.ethernet.function().createRegion(end.block, 4096);
            try {
                return end.rdma.call(new CreateMr(end.domain.handle(), CreateMr.VIRTUAL, region, 0, RdmaEnd.ALL, 0));
            } catch (CommandRefused full) {
                end.rdma.call(new DestroyDmaRegion(region));
                throw full;
            }
        } catch (CommandRefused full) {
            assertThat(full.status()).isEqualTo(Status.NO_RESOURCES);
            return null;
        }
    }

    @Test
    void aSessionThatEndsUnderTrafficGivesAllBack() {
        for (int round = 0; round < 10; round++) {
            RdmaEnd guest = new RdmaEnd("guest", 3);
            try (TestSwitch own = new TestSwitch("guest/1")) {
                RdmaEnd.plug(own, guest);
                RcPair one = guest.pair(RcSettings.of(1024));
                RcPair other = guest.pair(RcSettings.of(1024));
                RdmaEnd.connect(guest, one, guest, other);
                PieceList piece = new PieceList().add(RdmaEnd.VIRTUAL, guest.key(), LENGTH);
                for (int i = 0; i < 32; i++) {
                    one.post(RdmaRequest.WRITE, 0, piece, RdmaEnd.VIRTUAL + LENGTH, guest.key(), 0);
                }
                one.ring();
                assertThat(guest.bench.adapter.usage()).containsEntry("queue_pairs", 2L);
                if (round % 2 == 0) {
                    guest.bench.function.reset();
                } else {
                    guest.rdma.close();
                    guest.ethernet.close();
                }
                staysAsItIs(guest, LENGTH, LENGTH);
                assertThat(guest.bench.adapter.objectBytes()).isZero();
                assertThat(guest.bench.adapter.usage().getOrDefault("queue_pairs", 0L)).isZero();
                assertThat(guest.bench.adapter.usage().getOrDefault("memory_keys", 0L)).isZero();
            } finally {
                guest.memory.discard();
                guest.bench.close();
            }
        }
    }
}
