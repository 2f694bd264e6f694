package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RawMemoryTest {
    private final DmaBlock block = new DmaBlock("test", 3 * RawMemory.PAGE);
    private final long at = block.address();

    @AfterEach
    void close() {
        block.close();
    }

    @Test
    void numbersAreLittleEndian() {
        RawMemory.put64(at, 0x8877665544332211L);

        assertThat(RawMemory.get8(at)).isEqualTo(0x11);
        assertThat(RawMemory.get8(at + 7)).isEqualTo(0x88);
        assertThat(RawMemory.get16(at + 1)).isEqualTo(0x3322);
        assertThat(RawMemory.get16(at + 6)).isEqualTo(0x8877);
        assertThat(RawMemory.get32(at + 4)).isEqualTo(0x88776655);
        assertThat(RawMemory.getUnsigned32(at + 4)).isEqualTo(0x88776655L);
        assertThat(RawMemory.get64(at)).isEqualTo(0x8877665544332211L);
        assertThat(RawMemory.getAcquire32(at + 4)).isEqualTo(0x88776655);
        assertThat(RawMemory.getAcquire64(at)).isEqualTo(0x8877665544332211L);
    }

    @Test
    void theNetworksOrderIsTheOther() {
        RawMemory.putBig64(at + 1, 0x8877665544332211L);

        assertThat(RawMemory.get8(at + 1)).isEqualTo(0x88);
        assertThat(RawMemory.getBig16(at + 1)).isEqualTo(0x8877);
        assertThat(RawMemory.getBig32(at + 3)).isEqualTo(0x66554433);
        assertThat(RawMemory.getBig64(at + 1)).isEqualTo(0x8877665544332211L);
        RawMemory.putBig16(at, 0xfffe);
        RawMemory.putBig32(at + 2, 0x01020304);
        assertThat(RawMemory.get64(at)).isEqualTo(0x2233_04030201_feffL);
    }

    @Test
    void writesTouchNoNeighbours() {
        RawMemory.put64(at, -1);
        RawMemory.put64(at + 8, -1);
        RawMemory.put8(at + 1, 0x100);
        RawMemory.put16(at + 3, 0x10000);
        RawMemory.putRelease32(at + 8, 0);
        assertThat(RawMemory.get64(at)).isEqualTo(0xffffff0000ff00ffL);
        assertThat(RawMemory.get64(at + 8)).isEqualTo(0xffffffff00000000L);
        RawMemory.putRelease64(at + 8, 5);
        assertThat(RawMemory.get64(at + 8)).isEqualTo(5);
    }

    @Test
    void bytesAreCopiedAndCleared() {
        byte[] bytes = new byte[5000];
        new java.util.Random(1).nextBytes(bytes);
        RawMemory.copy(bytes, 0, at + 3, bytes.length);
        RawMemory.copy(at + 3, at + 6001, bytes.length);
        byte[] back = new byte[bytes.length + 2];
        RawMemory.copy(at + 6001, back, 1, bytes.length);
        assertThat(java.util.Arrays.copyOfRange(back, 1, back.length - 1)).isEqualTo(bytes);
        assertThat(back[0]).isZero();
        assertThat(back[back.length - 1]).isZero();

        for (int length : new int[] {0, 1, 7, 8, 9, 63, 64, 65, 300}) {
            RawMemory.copy(bytes, 0, at, 400);
            RawMemory.clear(at + 5, length);
            RawMemory.copy(at, back, 0, 400);
            byte[] expected = java.util.Arrays.copyOf(bytes, 400);
            java.util.Arrays.fill(expected, 5, 5 + length, (byte) 0);
            assertThat(java.util.Arrays.copyOf(back, 400)).isEqualTo(expected);
        }
    }

    @Test
    void overlappingCopiesAreRight() {
        for (int i = 0; i < 64; i++) {
            RawMemory.put8(at + i, i);
        }
        RawMemory.copy(at, at + 5, 50);
        assertThat(RawMemory.get8(at + 54)).isEqualTo(49);
        assertThat(RawMemory.get8(at + 5)).isZero();
        RawMemory.copy(at + 5, at, 50);
        assertThat(RawMemory.get8(at + 49)).isEqualTo(49);
    }

    @Test
    void aFaultIsToldBeforeTheEndOfTheTryThatSettles() throws Exception {
        try (Memfd file = Memfd.create("gone", RawMemory.PAGE)) {
            long gone = Linux.map(file.descriptor().number(), 0, RawMemory.PAGE, true);
            file.truncate(0);
            int told = 0;
            // often enough for every compiler
            for (int i = 0; i < 40_000; i++) {
                try {
                    touch(gone, i);
                    RawMemory.settle();
                } catch (InternalError fault) {
                    told++;
                }
            }
            assertThat(told).isEqualTo(40_000);
            Linux.unmap(gone, RawMemory.PAGE);
        }
    }

    private void touch(long gone, int i) {
        switch (i & 3) {
            case 0 -> RawMemory.put32(gone, i);
            case 1 -> RawMemory.copy(gone, at, 64);
            case 2 -> RawMemory.copy(at, gone, 1500);
            default -> RawMemory.put64(at, RawMemory.get64(gone + 8));
        }
    }
}
