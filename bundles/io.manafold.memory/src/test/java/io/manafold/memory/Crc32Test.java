package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.testkit.base.Allocation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Crc32Test {
    private static final int BYTES = 1 << 16;

    @Test
    void anyPieceOfMemoryHasTheCrcOfItsBytes() {
        Random random = new Random(1);
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        Crc32 crc = new Crc32();
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(BYTES).address();
            RawMemory.copy(bytes, 0, memory, BYTES);
            for (int i = 0; i < 1000; i++) {
                int from = random.nextInt(BYTES);
                int length = random.nextInt(BYTES - from + 1);
                int cut = random.nextInt(length + 1);
                CRC32 expected = new CRC32();
                expected.update(bytes, from, length);
                crc.reset();
                crc.update(memory + from, cut);
                crc.update(bytes, from + cut, length - cut);
                assertThat(crc.value()).isEqualTo((int) expected.getValue());
            }
        }
    }

    @Test
    void piecesMayLieAcrossTheBordersOfWindows(@TempDir Path folder) throws IOException {
        // a file with holes: a page on each side of a border is touched
        try (Arena arena = Arena.ofConfined(); FileChannel file = FileChannel.open(folder.resolve("holes"),
                StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long memory = file.map(FileChannel.MapMode.READ_WRITE, 0, (3L << 30) + 2 * BYTES, arena).address();
            long border = (memory + BYTES >>> 30) + 1 << 30;
            Crc32 crc = new Crc32();
            for (long at = border; at < border + (2L << 30); at += 1L << 30) {
                RawMemory.put64(at - 8, at);
                RawMemory.put64(at, ~at);
                byte[] bytes = new byte[16];
                RawMemory.copy(at - 8, bytes, 0, 16);
                CRC32 expected = new CRC32();
                expected.update(bytes);
                crc.reset();
                crc.update(at - 8, 16);
                assertThat(crc.value()).isEqualTo((int) expected.getValue());
            }
        }
    }

    @Test
    void nothingIsAllocated() throws Exception {
        Crc32 crc = new Crc32();
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(BYTES).address();
            assertThat(Allocation.leastOf(() -> {
                crc.reset();
                crc.update(memory + 3, 256);
            })).isZero();
        }
    }
}
