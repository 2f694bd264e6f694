package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver's memory goes when the driver and all users who have some of it are done. */
@Timeout(300)
class DmaArenaTest {
    private static final long BASE = 1L << 32;
    private static final int PAGE = RawMemory.PAGE;

    private final DmaTable table = new DmaTable();

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void closingTakesItFromTheFunctionAtOnce() throws IOException {
        DmaArena arena = new DmaArena(table, "arena-empty", BASE, 16 * PAGE);
        DmaPiece piece = arena.allocate(PAGE);
        arena.free(piece);
        assertThat(Mappings.of("arena-empty")).isEqualTo(2);
        arena.close();
        arena.close();
        assertThat(table.ranges()).isZero();
        assertThat(Mappings.of("arena-empty")).isZero();
    }

    @Test
    void aPieceThatIsOutKeepsTheMemoryButNotTheFunctionsReach() throws IOException {
        DmaArena arena = new DmaArena(table, "arena-held", BASE, 16 * PAGE);
        DmaPiece first = arena.allocate(PAGE);
        DmaPiece second = arena.allocate(2 * PAGE);
        RawMemory.put64(second.pointer(), 42);
        arena.close();
        assertThat(table.ranges()).isZero();
        arena.free(first);
        assertThat(RawMemory.get64(second.pointer())).isEqualTo(42);
        assertThatThrownBy(() -> arena.allocate(PAGE)).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENODEV));
        assertThat(Mappings.of("arena-held")).isEqualTo(1);
        arena.free(second);
        assertThat(Mappings.of("arena-held")).isZero();
    }

    @Test
    void aPacketThatIsKeptStaysReadableWhenItsDriverIsGone() throws IOException {
        DmaArena arena = new DmaArena(table, "arena-packet", BASE, 1 << 20);
        PagePool pool = new PagePool("gone", arena, PagePlans.plan(ReceivePolicy.LEAN, 4096, 1500, false), 128);
        PacketBuffer packet = pool.take();
        packet.place(256, 100);
        packet.put64(8, 4711);
        pool.close();
        arena.close();
        assertThat(packet.get64(8)).isEqualTo(4711);
        packet.release();
        assertThat(pool.isDrained()).isTrue();
        assertThat(Mappings.of("arena-packet")).isZero();
    }

    @Test
    void piecesAreAlignedZeroedAndUsedAgain() {
        try (DmaArena arena = new DmaArena(table, "arena-aligned", BASE, 64 * PAGE)) {
            DmaPiece small = arena.allocate(100);
            DmaPiece large = arena.allocate(16 * PAGE, 16 * PAGE);
            assertThat(small.dma()).isEqualTo(BASE);
            assertThat(large.dma()).isEqualTo(BASE + 16 * PAGE);
            RawMemory.put64(small.pointer(), -1);
            arena.free(small);
            DmaPiece again = arena.allocate(2 * PAGE);
            assertThat(again.dma()).isEqualTo(BASE);
            assertThat(RawMemory.get64(again.pointer())).isZero();
            assertThat(arena.pagesInUse()).isEqualTo(18);
            assertThatThrownBy(() -> arena.allocate(32 * PAGE, 32 * PAGE * 2)).isInstanceOf(Refusal.class);
            arena.free(again);
            arena.free(large);
            assertThat(arena.pagesInUse()).isZero();
        }
    }

    @Test
    void manyPiecesGoBackAtOnceAndComeBackZeroed() {
        try (DmaArena arena = new DmaArena(table, "arena-many", BASE, 64 * PAGE)) {
            List<DmaPiece> pieces = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                pieces.add(arena.allocate(2 * PAGE));
                RawMemory.put64(pieces.get(i).pointer(), -1);
            }
            DmaPiece kept = pieces.remove(5);
            Collections.reverse(pieces);
            arena.free(pieces);
            assertThat(arena.pagesInUse()).isEqualTo(2);
            assertThat(RawMemory.get64(kept.pointer())).isEqualTo(-1);
            assertThatThrownBy(() -> arena.free(List.of(kept, pieces.get(0))))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(arena.pagesInUse()).isEqualTo(2);
            DmaPiece again = arena.allocate(10 * PAGE);
            assertThat(again.dma()).isEqualTo(BASE);
            for (int i = 0; i < 10 * PAGE; i += 8) {
                assertThat(RawMemory.get64(again.pointer() + i)).isZero();
            }
        }
    }

    @Test
    void aPieceIsGivenBackOnce() {
        try (DmaArena arena = new DmaArena(table, "arena-twice", BASE, 16 * PAGE)) {
            DmaPiece piece = arena.allocate(PAGE);
            arena.free(piece);
            assertThatThrownBy(() -> arena.free(piece)).isInstanceOf(IllegalStateException.class);
        }
    }
}
