package io.manafold.adapter.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyedMemoryTest {
    @Test
    void aRegionIsItsPagesAndNothingBesides() {
        Random random = new Random(16);
        for (int round = 0; round < 200; round++) {
            int shift = 12 + random.nextInt(3);
            long[] pages = new long[1 + random.nextInt(9)];
            boolean follow = random.nextBoolean() || pages.length == 1;
            for (int i = 0; i < pages.length; i++) {
                pages[i] = i > 0 && follow ? pages[i - 1] + (1L << shift) : random.nextInt(1 << 20) + 1L << shift;
            }
            int offset = random.nextInt(1 << shift);
            long room = ((long) pages.length << shift) - offset;
            long length = 1 + random.nextLong(room);
            // also regions that end with the last address there is
            long start = random.nextInt(4) == 0 ? -length : random.nextLong();
            KeyedMemory memory = new KeyedMemory(start, length, offset, shift, MemorySegment.ofArray(pages));
            for (int i = 0; i < 200; i++) {
                long at = random.nextLong(length + 64) - 32;
                int bytes = random.nextInt(9000);
                boolean inside = at >= 0 && at + bytes <= length;
                assertThat(memory.holds(start + at, bytes)).isEqualTo(inside);
                if (!inside || bytes == 0) {
                    assertThat(bytes == 0 ? -1 : memory.translateWhole(start + at, bytes)).isEqualTo(-1);
                    continue;
                }
                long first = at + offset;
                long expected = pages[(int) (first >>> shift)] + (first & (1L << shift) - 1);
                assertThat(memory.translate(start + at)).isEqualTo(expected);
                boolean onePage = first >>> shift == first + bytes - 1 >>> shift;
                assertThat(memory.translateWhole(start + at, bytes)).isEqualTo(onePage || follow ? expected : -1);
                assertThat(memory.straight(start + at)).isEqualTo(follow ? length - at
                        : (1L << shift) - (first & (1L << shift) - 1));
            }
        }
    }

    @Test
    void whatIsNegativeOrWrapsIsOutside() {
        KeyedMemory memory = new KeyedMemory(0x1000, 0x1000, 0, 12, MemorySegment.ofArray(new long[] {0x5000}));
        assertThat(memory.holds(0x1000, -1)).isFalse();
        assertThat(memory.holds(0x0fff, 1)).isFalse();
        assertThat(memory.holds(0x2000, 1)).isFalse();
        assertThat(memory.holds(0x1000 + Long.MIN_VALUE, 1)).isFalse();
        assertThat(memory.holds(0x1fff, 1)).isTrue();
        assertThat(KeyedMemory.WHOLE.isWhole()).isTrue();
    }
}
