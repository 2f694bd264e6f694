package io.manafold.gdma.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.MemoryMap;
import io.manafold.testkit.PlainBar;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegistersTest {
    private final Map<Long, Long> words = new HashMap<>();
    private long size = 2 << 20;

    /** A register window with what the test put there. */
    private final class Window extends PlainBar {
        @Override
        public int index() {
            return 0;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public int read32(long offset) {
            return (int) read64(offset);
        }

        @Override
        public long read64(long offset) {
            assertThat(offset).isBetween(0L, size - 4);
            return words.getOrDefault(offset, 0L);
        }

        @Override
        public void write32(long offset, int value) {
            write64(offset, value);
        }

        @Override
        public void write64(long offset, long value) {
            assertThat(offset).isBetween(0L, size - 4);
            words.put(offset, value);
        }
    }

    private Registers read(boolean vf) {
        return new Registers(new Window(), "7870:00:00.0", vf);
    }

    @Test
    void virtualFunction() {
        words.putAll(Map.of(0x08L, 0x10_0000L, 0x10L, 0xabcd_1000L, 0x18L, 0x400L));
        Registers registers = read(true);
        assertThat(registers.doorbellPageSize()).isEqualTo(0x1000);
        assertThat(registers.hasPage(255)).isTrue();
        assertThat(registers.hasPage(256)).isFalse();
        assertThat(registers.hasPage(-1)).isFalse();
        registers.page(4).ring(0xff8, 5);
        assertThat(words).containsEntry(0x10_4ff8L, 5L);
        registers.writeAperture(7, 0x81);
        assertThat(words).containsEntry(0x41cL, 0x81L);
    }

    @Test
    void whatASessionWritesThatWasGivenUpReachesNothing() {
        words.putAll(Map.of(0x08L, 0x10_0000L, 0x10L, 0x1000L, 0x18L, 0x400L));
        Registers registers = read(true);
        DoorbellPage page = registers.page(4);
        Map<Long, Long> before = Map.copyOf(words);
        registers.abandon();
        page.ring(0xff8, 5);
        registers.page(5).ring(0xff8, 5);
        registers.writeAperture(7, 0x81);
        assertThat(words).isEqualTo(before);
    }

    @Test
    void physicalFunction() {
        words.putAll(Map.of(0xc8L, 0x10_0000L, 0xd0L, 0x1000L, 0x108L, 0x8000L, 0x8070L, 0x200L));
        read(false).writeAperture(0, 9);
        assertThat(words).containsEntry(0x8200L, 9L);
        words.put(0x108L, size - 8);
        assertRefused(false);
        words.put(0x108L, 0x8004L);
        assertRefused(false);
    }

    @Test
    void whatLiesOutsideIsRefused() {
        Map<Long, Long> good = Map.of(0x08L, 0x10_0000L, 0x10L, 0x1000L, 0x18L, 0x400L);
        for (Map.Entry<Long, Long> wrong : Map.of(0x08L, size, 0x10L, 0xfffL, 0x18L, size - 28).entrySet()) {
            words.clear();
            words.putAll(good);
            words.put(wrong.getKey(), wrong.getValue());
            assertRefused(true);
        }
        words.putAll(good);
        words.put(0x18L, 0x402L);
        assertRefused(true);
    }

    /** Whatever the registers say, the window is not left. */
    @Test
    void fuzz() {
        Random random = new Random(8);
        int good = 0;
        for (int i = 0; i < 20_000; i++) {
            size = 1L << 13 + random.nextInt(9);
            words.clear();
            boolean vf = random.nextBoolean();
            for (long offset : vf ? new long[] {0x08, 0x10, 0x18} : new long[] {0xc8, 0xd0, 0x108}) {
                words.put(offset, random.nextLong() >>> random.nextInt(64) & (random.nextBoolean() ? -8 : -1));
            }
            try {
                Registers registers = read(vf);
                for (int page = 0; page < 10; page++) {
                    if (registers.hasPage(page)) {
                        registers.page(page).ring(0xff8, 1);
                    }
                }
                for (int word = 0; word < MemoryMap.APERTURE / 4; word++) {
                    registers.writeAperture(word, 0);
                }
                good++;
            } catch (Refusal refusal) {
                assertThat(refusal.errno()).isEqualTo(Errno.EPROTO);
            }
        }
        assertThat(good).isGreaterThan(50);
    }

    private void assertRefused(boolean vf) {
        assertThatThrownBy(() -> read(vf)).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EPROTO));
    }
}
