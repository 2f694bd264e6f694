package io.manafold.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.DmaBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What the kernel refuses to a plain user. */
class LimitsTest {
    private static final long MEBI = 1 << 20;
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @Test
    void whereRingsAreForbiddenOneSentenceSaysSo() throws Exception {
        Restricted.onAThreadOfItsOwn(() -> {
            Restricted.forbidRings();
            assertThatThrownBy(() -> Ring.open(RingSetup.of(4, 8))).isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.errno()).isEqualTo(Errno.EPERM);
                assertThat(refused.getMessage()).contains("io_uring is forbidden here", "kernel.io_uring_disabled");
            });
            List<Probe.Answer> answers = Probe.run();
            assertThat(answers).hasSize(Operation.values().length).allSatisfy(answer -> {
                assertThat(answer.available()).isFalse();
                assertThat(answer.errno()).isEqualTo(1);
                assertThat(answer.why()).contains("io_uring is forbidden here");
            });
            return null;
        });
    }

    @Test
    void memoryAboveTheLimitIsRefusedAndTheLimitNamed() throws Exception {
        Rings.areAllowed();
        Restricted.onAThreadOfItsOwn(() -> {
            long limit = Restricted.lockedMemory();
            Restricted.dropCapabilities();
            if (limit > 64 * MEBI) {
                Restricted.lockedMemory(8 * MEBI);
            }
            try (Ring ring = Ring.open(RingSetup.of(4, 8))) {
                ring.enable();
                fillUp(ring);
            } finally {
                Restricted.lockedMemory(limit);
            }
            return null;
        });
    }

    private static void fillUp(Ring ring) {
        List<DmaBlock> blocks = new ArrayList<>();
        try (BufferTable table = new BufferTable(ring, 65)) {
            assertThatThrownBy(() -> {
                for (int slot = 0; slot < table.slots(); slot++) {
                    DmaBlock block = new DmaBlock("limit", MEBI);
                    blocks.add(block);
                    table.set(slot, block.address(), block.size(), slot);
                }
            }).isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
                assertThat(refused.getMessage()).contains("ulimit -l", "KiB");
            });
            assertThat(blocks.size()).as("slots that were filled").isGreaterThan(1);
        } finally {
            blocks.forEach(DmaBlock::close);
        }
    }

    @Test
    void whoRegistersTooMuchWaitsForATenthOfASecond() throws Exception {
        Rings.areAllowed();
        Restricted.onAThreadOfItsOwn(() -> {
            long limit = Restricted.lockedMemory();
            Restricted.dropCapabilities();
            long low = Math.min(limit, 8 * MEBI) / 2;
            Restricted.lockedMemory(low);
            try (Ring ring = Ring.open(RingSetup.of(4, 8)); DmaBlock block = new DmaBlock("late", low)) {
                ring.enable();
                try (BufferTable table = new BufferTable(ring, 1)) {
                    long begin = System.nanoTime();
                    assertThatThrownBy(() -> table.set(0, block.address(), block.size(), 1))
                            .isInstanceOf(Refusal.class).hasMessageContaining("within 100 ms");
                    // bounded, on a busy machine as well: a refusal is not waited for
                    assertThat(System.nanoTime() - begin).isBetween(WAIT_NANOS, 50 * WAIT_NANOS);
                    assertThat(shortestRefusal(table, block)).as("of those that follow at once").isLessThan(WAIT_NANOS);
                    assertThat(isTakenLate(table, block, low, limit)).isTrue();
                }
            } finally {
                Restricted.lockedMemory(limit);
            }
            return null;
        });
    }

    private static long shortestRefusal(BufferTable table, DmaBlock block) {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            assertThatThrownBy(() -> table.set(0, block.address(), block.size(), 1))
                    .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.ENOMEM));
            shortest = Math.min(shortest, System.nanoTime() - begin);
        }
        return shortest;
    }

    /**
     * Whether memory is registered for which there is room only after it was asked for; a few times, since a busy
     * machine may make room too early or too late.
     */
    private static boolean isTakenLate(BufferTable table, DmaBlock block, long low, long limit)
            throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            // what was refused a moment ago is not waited for
            Thread.sleep(1200);
            Restricted.lockedMemory(low);
            Thread later = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(WAIT_NANOS / 3);
                Restricted.lockedMemory(limit);
            });
            long begin = System.nanoTime();
            try {
                table.set(0, block.address(), block.size(), 1);
                if (System.nanoTime() - begin > WAIT_NANOS / 5) {
                    return true;
                }
                table.clear(0);
            } catch (Refusal tooLate) {
                assertThat(tooLate.errno()).isEqualTo(Errno.ENOMEM);
            } finally {
                later.join();
            }
        }
        return false;
    }

    @Test
    void memoryOfClosedRingsComesBackInTime() throws Exception {
        Rings.areAllowed();
        Restricted.onAThreadOfItsOwn(() -> {
            long limit = Restricted.lockedMemory();
            Restricted.dropCapabilities();
            if (limit > 64 * MEBI) {
                Restricted.lockedMemory(8 * MEBI);
            }
            long most = Math.min(limit, 8 * MEBI) / 2;
            try (DmaBlock block = new DmaBlock("again", most)) {
                for (int round = 0; round < 20; round++) {
                    try (Ring ring = Ring.open(RingSetup.of(4, 8))) {
                        ring.enable();
                        try (BufferTable table = new BufferTable(ring, 1)) {
                            table.set(0, block.address(), block.size(), 1);
                        }
                    }
                }
            } finally {
                Restricted.lockedMemory(limit);
            }
            return null;
        });
    }
}
