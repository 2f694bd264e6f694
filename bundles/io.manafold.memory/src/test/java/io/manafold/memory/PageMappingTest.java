package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.testkit.base.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages are mapped with the arena, once each, or for packets; and the function reaches them as long. */
@Timeout(300)
class PageMappingTest {
    private final DmaTable table = new DmaTable();
    private final DmaArena arena = DmaArena.paged(table, "mapping", 1L << 32, 8 << 20);
    private final DmaCursor cursor = new DmaCursor(table);
    private final List<DmaPiece> mapped = new ArrayList<>();
    private final List<DmaPiece> unmapped = new ArrayList<>();
    private final PageMapping recorded = new PageMapping() {
        @Override
        public void map(DmaPiece page) {
            arena.mapping().map(page);
            mapped.add(page);
        }

        @Override
        public void unmap(DmaPiece page) {
            arena.mapping().unmap(page);
            unmapped.add(page);
        }
    };

    @AfterEach
    void close() {
        arena.close();
        table.close();
    }

    private PagePool pool(ReceivePolicy policy, int page, ReceiveMapping when) {
        return new PagePool("mapped", arena, PagePlans.plan(policy, page, 1500, false), 128, when, recorded);
    }

    /** Whether the function can write a packet there, however it looks. */
    private boolean reaches(PacketBuffer buffer) {
        long pointer = table.pointer(buffer.dma(), 1514, true);
        assertThat(cursor.pointer(buffer.dma(), 1514, true)).isEqualTo(pointer);
        assertThat(table.left(buffer.dma(), true) >= 1514).isEqualTo(pointer != 0);
        if (pointer != 0) {
            RawMemory.put64(pointer, 77);
            assertThat(RawMemory.get64(buffer.address())).isEqualTo(77);
        }
        return pointer != 0;
    }

    @Test
    void aPageIsMappedOnceForAsLongAsThePoolHasIt() {
        PagePool pool = pool(ReceivePolicy.LEAN, 16384, ReceiveMapping.PAGE);
        PacketBuffer buffer = null;
        for (int i = 0; i < 90; i++) {
            buffer = pool.take();
            assertThat(reaches(buffer)).isTrue();
            pool.received(buffer);
            assertThat(reaches(buffer)).isTrue();
            buffer.release();
        }
        assertThat(mapped).hasSize(1);
        assertThat(mapped.getFirst().bytes()).isEqualTo(16384);
        assertThat(unmapped).isEmpty();
        pool.close();
        assertThat(unmapped).isEqualTo(mapped);
        assertThat(reaches(buffer)).isFalse();
    }

    @Test
    void aPacketIsMappedAsFarAsItReaches() {
        PagePool pool = pool(ReceivePolicy.PAGE, 65536, ReceiveMapping.PACKET);
        packetByPacket(pool, 4096);
    }

    @Test
    void aPacketIsMappedWithItsWholePage() {
        PagePool pool = pool(ReceivePolicy.PAGE, 65536, ReceiveMapping.WHOLE_PAGE);
        packetByPacket(pool, 65536);
    }

    private void packetByPacket(PagePool pool, int bytes) {
        for (int i = 1; i <= 90; i++) {
            PacketBuffer buffer = pool.take();
            assertThat(reaches(buffer)).isTrue();
            pool.received(buffer);
            assertThat(reaches(buffer)).isFalse();
            assertThat(mapped).hasSize(i).allMatch(piece -> piece.bytes() == bytes);
            assertThat(unmapped).hasSize(i);
            buffer.release();
        }
        assertThat(pool.pages()).isEqualTo(1);
        assertThat(pool.statistics()).containsEntry("dma-map", 90L).containsEntry("dma-unmap", 90L)
                .containsEntry("alloc-slow", 1L);
    }

    @ParameterizedTest
    @EnumSource(value = ReceiveMapping.class, names = {"PACKET", "WHOLE_PAGE"})
    void aSharedPageIsMappedAsLongAsOneOfItsPacketsMayCome(ReceiveMapping when) {
        PagePool pool = pool(ReceivePolicy.FRAGMENT, 4096, when);
        PacketBuffer first = pool.take();
        PacketBuffer second = pool.take();
        pool.received(first);
        assertThat(reaches(second)).isTrue();
        // twice is once: only the function's share of it ends
        pool.received(first);
        assertThat(reaches(second)).isTrue();
        pool.received(second);
        assertThat(reaches(first)).isFalse();
        first.release();
        second.release();
        assertThat(mapped).hasSize(1);
        assertThat(unmapped).isEqualTo(mapped);
    }

    @Test
    void aPacketThatWasNeverReceivedIsUnmappedWhenItIsReleased() {
        PagePool pool = pool(ReceivePolicy.PAGE, 4096, ReceiveMapping.PACKET);
        pool.take().release();
        assertThat(unmapped).hasSize(1);
        PacketBuffer last = pool.take();
        pool.close();
        last.release();
        assertThat(unmapped).isEqualTo(mapped).hasSize(2);
        assertThat(pool.isDrained()).isTrue();
    }

    @Test
    void aPoolGivesItsPagesBackWhenTheArenaHasBeenTaken() {
        PagePool pool = pool(ReceivePolicy.LEAN, 4096, ReceiveMapping.PAGE);
        PacketBuffer held = pool.take();
        arena.close();
        assertThat(reaches(held)).isFalse();
        pool.close();
        held.release();
        assertThat(pool.isDrained()).isTrue();
        assertThat(arena.pagesInUse()).isZero();
    }

    @Test
    void nothingIsAllocatedPerPacket() throws Exception {
        for (ReceivePolicy policy : ReceivePolicy.values()) {
            for (ReceiveMapping when : ReceiveMapping.values()) {
                PagePlan plan = PagePlans.plan(policy, 4096, 1500, false);
                PagePool pool = new PagePool("quiet", arena, plan, 128, when);
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
                    table.pointer(received.dma(), 1514, true);
                    pool.received(received);
                    received.holder("test");
                    received.release();
                })).as("%s, %s", policy, when).isZero();
                pool.close();
                for (PacketBuffer buffer : posted) {
                    buffer.release();
                }
                assertThat(pool.isDrained()).isTrue();
            }
        }
    }
}
