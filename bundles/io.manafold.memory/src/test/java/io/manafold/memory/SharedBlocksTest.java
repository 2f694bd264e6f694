package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Blocks go when the last of those who hold them lets go, whichever that is. */
class SharedBlocksTest {
    private static final int PAGE = RawMemory.PAGE;

    private final SharedBlocks source = new SharedBlocks(8, 1L << 33);

    private static void assertRefused(Errno errno, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    @Test
    void itGoesWithItsMakerIfNoOtherHoldsIt() throws IOException {
        MemoryBlock block = source.make("shared-alone", 5000);
        assertThat(block.size()).isEqualTo(2 * PAGE);
        MemorySegment segment = block.segment();
        assertThat(segment.byteSize()).isEqualTo(2 * PAGE);
        segment.set(ValueLayout.JAVA_LONG, 4096, 42);
        assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).as("the rest is zeroes").isZero();
        assertThat(block.holders()).isEqualTo(Map.of("maker", 1));
        block.close();
        block.close();
        assertThat(source.blocks()).isEmpty();
        assertThat(Mappings.of("shared-alone")).isZero();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_LONG, 0)).isInstanceOf(IllegalStateException.class);
        assertRefused(Errno.ENODEV, () -> block.hold("late"));
    }

    @Test
    void whoClosesLastDecides() {
        Random random = new Random(9);
        for (int round = 0; round < 50; round++) {
            MemoryBlock block = source.make("shared", PAGE);
            List<AutoCloseable> all = new ArrayList<>(List.of(block));
            for (int i = 0; i < 5; i++) {
                all.add(block.hold("holder " + i % 3));
            }
            assertThat(block.holders()).isEqualTo(Map.of("maker", 1, "holder 0", 2, "holder 1", 2, "holder 2", 1));
            while (!all.isEmpty()) {
                assertThat(source.blocks()).containsExactly(block);
                try {
                    all.remove(random.nextInt(all.size())).close();
                } catch (Exception impossible) {
                    throw new AssertionError(impossible);
                }
            }
            assertThat(source.blocks()).isEmpty();
            assertThat(block.holders()).isEmpty();
        }
    }

    @Test
    void aHoldIsLetGoOnce() {
        MemoryBlock block = source.make("shared-once", PAGE);
        MemoryBlock.Hold hold = block.hold("mana.eth.0");
        hold.close();
        assertRefused(Errno.EINVAL, hold::close);
        assertThat(block.holders()).isEqualTo(Map.of("maker", 1));
        block.close();
    }

    @Test
    void thereAreLimits() {
        assertRefused(Errno.EINVAL, () -> source.make("none", 0));
        assertRefused(Errno.EINVAL, () -> source.make("endless", Long.MAX_VALUE));
        assertRefused(Errno.ENOSPC, () -> source.make("large", (1L << 33) + 1));
        List<MemoryBlock> made = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            made.add(source.make("one of eight", PAGE));
        }
        assertRefused(Errno.ENOSPC, () -> source.make("ninth", PAGE));
        made.forEach(MemoryBlock::close);
        source.make("again", 1L << 33).close();
    }
}
