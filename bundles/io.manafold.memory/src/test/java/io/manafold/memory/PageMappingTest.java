package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shared pages are mapped once, single ones for each packet. */
@Timeout(300)
class PageMappingTest {
    private final DmaTable table = new DmaTable();
    private final DmaArena arena = new DmaArena(table, "mapping", 1L << 32, 8 << 20);
    private final IoPageTable entries = new IoPageTable();
    private final List<DmaPiece> mapped = new ArrayList<>();
    private final List<DmaPiece> unmapped = new ArrayList<>();
    private final PageMapping recorded = new PageMapping() {
        @Override
        public void map(DmaPiece page) {
            entries.map(page);
            mapped.add(page);
        }

        @Override
        public void unmap(DmaPiece page) {
            entries.unmap(page);
            unmapped.add(page);
        }
    };

    @AfterEach
    void close() {
        arena.close();
        table.close();
    }

    private PagePool pool(ReceivePolicy policy, int page) {
        return new PagePool("mapped", arena, PagePlans.plan(policy, page, 1500, false), 128, recorded);
    }

    @Test
    void aSharedPageIsMappedAsLongAsThePoolHasIt() {
        PagePool pool = pool(ReceivePolicy.LEAN, 16384);
        for (int i = 0; i < 90; i++) {
            PacketBuffer buffer = pool.take();
            assertThat(entries.pointer(buffer.dma())).isEqualTo(buffer.address());
            pool.received(buffer);
            buffer.release();
        }
        assertThat(mapped).hasSize(1);
        assertThat(mapped.getFirst().bytes()).isEqualTo(16384);
        assertThat(unmapped).isEmpty();
        pool.close();
        assertThat(unmapped).isEqualTo(mapped);
    }

    @Test
    void aSinglePageIsMappedForEachPacketAsFarAsItReaches() {
        PagePool pool = pool(ReceivePolicy.PAGE, 65536);
        for (int i = 1; i <= 90; i++) {
            PacketBuffer buffer = pool.take();
            assertThat(entries.pointer(buffer.dma())).isEqualTo(buffer.address());
            pool.received(buffer);
            assertThat(entries.pointer(buffer.dma())).isZero();
            assertThat(mapped).hasSize(i).allMatch(piece -> piece.bytes() == 4096);
            assertThat(unmapped).hasSize(i);
            buffer.release();
        }
        assertThat(pool.pages()).isEqualTo(1);
    }

    @Test
    void aPacketThatWasNeverReceivedIsUnmappedWhenItIsReleased() {
        PagePool pool = pool(ReceivePolicy.PAGE, 4096);
        pool.take().release();
        assertThat(unmapped).hasSize(1);
        PacketBuffer last = pool.take();
        pool.close();
        last.release();
        assertThat(unmapped).isEqualTo(mapped).hasSize(2);
        assertThat(pool.isDrained()).isTrue();
    }

    @Test
    void theTableRefusesWhatIsMappedTwiceOrNotAtAll() {
        DmaPiece piece = arena.allocate(3 * 4096);
        entries.map(piece.part(4096, 4096));
        assertThatThrownBy(() -> entries.map(piece)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mapped already");
        assertThatThrownBy(() -> entries.unmap(piece.part(8192, 4096))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> entries.unmap(new DmaPiece(piece.pointer(), piece.dma() + 4096, 4096)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("not mapped there");
        assertThat(entries.pointer(piece.dma() + 4096 + 77)).isEqualTo(piece.pointer() + 4096 + 77);
        assertThat(entries.pointer(piece.dma() + 8192)).isZero();
        assertThat(entries.pointer(0)).isZero();
    }

    @Test
    void nothingIsAllocatedPerPacket() throws Exception {
        for (ReceivePolicy policy : ReceivePolicy.values()) {
            for (PageMapping mapping : List.of(PageMapping.NONE, new IoPageTable())) {
                PagePlan plan = PagePlans.plan(policy, 4096, 1500, false);
                PagePool pool = new PagePool("quiet", arena, plan, 128, mapping);
                PacketBuffer[] posted = new PacketBuffer[64];
                int[] next = {0};
                for (int i = 0; i < posted.length; i++) {
                    posted[i] = pool.take();
                }
                assertThat(Allocation.leastOf(() -> {
                    PacketBuffer replacement = pool.take();
                    PacketBuffer received = posted[next[0]];
                    posted[next[0]] = replacement;
                    next[0] = next[0] + 1 & 63;
                    pool.received(received);
                    received.holder("test");
                    received.release();
                })).as("%s", policy).isZero();
                pool.close();
                for (PacketBuffer buffer : posted) {
                    buffer.release();
                }
                assertThat(pool.isDrained()).isTrue();
            }
        }
    }
}
