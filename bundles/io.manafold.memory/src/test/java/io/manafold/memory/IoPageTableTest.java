package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is entered is reached, and nothing else. */
@Timeout(300)
class IoPageTableTest {
    private static final long FIRST = 7L << 30;
    private static final int PAGES = 2048;
    private static final long RAW = 0x7000_0000_0000L;

    private final IoPageTable table = new IoPageTable(FIRST, PAGES * 4096L, RAW);

    private static void assertRefused(Errno errno, ThrowingCallable wish) {
        assertThatThrownBy(wish).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(errno));
    }

    @Test
    void whatIsWrongIsRefusedAndChangesNothing() {
        table.enter(FIRST + 4096, 4096);
        assertRefused(Errno.EEXIST, () -> table.enter(FIRST, 3 * 4096));
        assertThat(table.pointer(FIRST)).isZero();
        assertThat(table.pointer(FIRST + 4096 + 77)).isEqualTo(RAW + 4096 + 77);
        assertThat(table.pointer(FIRST + 8192)).isZero();
        assertRefused(Errno.ENOENT, () -> table.remove(FIRST + 8192, 4096));
        assertRefused(Errno.EINVAL, () -> table.enter(FIRST + 100, 4096));
        assertRefused(Errno.EINVAL, () -> table.enter(FIRST, 100));
        assertRefused(Errno.EINVAL, () -> table.enter(FIRST, 0));
        assertRefused(Errno.EINVAL, () -> table.enter(FIRST - 4096, 4096));
        assertRefused(Errno.EINVAL, () -> table.enter(FIRST + (PAGES - 1) * 4096L, 8192));
        assertRefused(Errno.EINVAL, () -> table.remove(FIRST, Long.MAX_VALUE & -4096));
        table.remove(FIRST + 4096, 4096);
        assertThat(table.pointer(FIRST + 4096)).isZero();
    }

    @Test
    void piecesAreReachedIfAllTheirPagesAre() {
        table.enter(FIRST + 4096, 2 * 4096);
        assertThat(table.reaches(FIRST + 4096, 8192)).isTrue();
        assertThat(table.reaches(FIRST + 4095, 2)).isFalse();
        assertThat(table.reaches(FIRST + 3 * 4096 - 1, 1)).isTrue();
        assertThat(table.reaches(FIRST + 3 * 4096 - 1, 2)).isFalse();
        assertThat(table.left(FIRST + 5000)).isEqualTo(3 * 4096 - 5000);
        assertThat(table.left(FIRST + 4095)).isZero();
        table.enter(FIRST + (PAGES - 1) * 4096L, 4096);
        assertThat(table.left(FIRST + (PAGES - 1) * 4096L + 96)).isEqualTo(4000);
    }

    @Test
    void aTableIsASetOfPages() {
        Random random = new Random(5);
        boolean[] there = new boolean[PAGES];
        for (int i = 0; i < 100_000; i++) {
            int page = random.nextInt(PAGES);
            long address = FIRST + page * 4096L;
            if (there[page]) {
                table.remove(address, 4096);
            } else {
                table.enter(address, 4096);
            }
            there[page] = !there[page];
            int other = random.nextInt(PAGES);
            assertThat(table.pointer(FIRST + other * 4096L) != 0).isEqualTo(there[other]);
        }
    }
}
