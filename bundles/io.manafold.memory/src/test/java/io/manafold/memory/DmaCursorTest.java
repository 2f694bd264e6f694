package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DmaCursorTest {
    private static final int PAGE = RawMemory.PAGE;
    private static final long BASE = 0x10_0000;

    private final DmaBlock block = new DmaBlock("test", 16 * PAGE);
    private final DmaTable table = new DmaTable();
    private final DmaCursor cursor = new DmaCursor(table);

    @AfterEach
    void close() {
        table.close();
        block.close();
    }

    @Test
    void whatIsUnmappedIsForgottenAtOnce() {
        table.map(BASE, 4 * PAGE, block.fd(), 0, true);
        assertThat(cursor.pointer(BASE + 8, 8, true)).isEqualTo(table.pointer(BASE + 8, 8, true)).isNotZero();
        table.clear().toCompletableFuture().join();
        assertThat(cursor.pointer(BASE + 8, 8, true)).isZero();
        table.map(BASE, PAGE, block.fd(), 5 * PAGE, false);
        assertThat(cursor.pointer(BASE + 8, 8, false)).isEqualTo(table.pointer(BASE + 8, 8, false)).isNotZero();
        assertThat(cursor.pointer(BASE + 8, 8, true)).as("it may only be read now").isZero();
    }

    @Test
    void whatIsKnownIsAsOldAsTheLastLook() {
        table.map(BASE, 4 * PAGE, block.fd(), 0, false);
        assertThat(cursor.known(BASE, 8, false)).as("nothing is known yet").isZero();
        long pointer = cursor.pointer(BASE, 8, false);
        cursor.renew();
        assertThat(cursor.known(BASE + 8, 4 * PAGE - 8, false)).isEqualTo(pointer + 8);
        assertThat(cursor.known(BASE + 8, 4 * PAGE - 7, false)).as("beyond the mapping").isZero();
        assertThat(cursor.known(BASE - 1, 8, false)).as("before it").isZero();
        assertThat(cursor.known(BASE, 8, true)).as("it may only be read").isZero();
        assertThat(cursor.known(BASE, 0, false)).isZero();
        assertThat(cursor.known(BASE, -1, false)).isZero();

        table.clear().toCompletableFuture().join();
        cursor.renew();
        assertThat(cursor.known(BASE, 8, false)).as("unmapped").isZero();
    }

    /** Whatever happens to the table, the cursor says what the table says. */
    @Test
    void itNeverSaysAnythingElseThanTheTable() {
        Random random = new Random(7);
        boolean[] mapped = new boolean[8];
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(20) == 0) {
                int place = random.nextInt(mapped.length);
                if (mapped[place]) {
                    table.unmap(BASE + place * 2L * PAGE, 2 * PAGE);
                } else {
                    table.map(BASE + place * 2L * PAGE, 2 * PAGE, block.fd(), random.nextInt(14) * (long) PAGE,
                            random.nextBoolean());
                }
                mapped[place] = !mapped[place];
            }
            long dma = BASE - PAGE + random.nextInt(18 * PAGE);
            long length = switch (random.nextInt(4)) {
                case 0 -> random.nextLong();
                case 1 -> random.nextInt(3) - 1;
                default -> random.nextInt(2 * PAGE + 2);
            };
            boolean write = random.nextBoolean();
            assertThat(cursor.pointer(dma, length, write)).isEqualTo(table.pointer(dma, length, write));
        }
    }
}
