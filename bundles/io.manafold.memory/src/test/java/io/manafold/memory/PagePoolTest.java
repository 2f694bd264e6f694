package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceivePolicy;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages go round, and it is always known where they are. */
@Timeout(300)
class PagePoolTest {
    private final DmaTable table = new DmaTable();
    private final DmaArena arena = new DmaArena(table, "pool", 1L << 32, 8 << 20);

    @AfterEach
    void close() {
        arena.close();
        table.close();
    }

    private PagePool pool(ReceivePolicy policy, int page, int ring) {
        return new PagePool("test", arena, PagePlans.plan(policy, page, 1500, false), ring);
    }

    private static List<PacketBuffer> take(PagePool pool, int count) {
        List<PacketBuffer> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(pool.take());
        }
        return taken;
    }

    private static void elsewhere(Runnable action) throws InterruptedException {
        Thread thread = new Thread(action, "elsewhere");
        thread.start();
        thread.join();
    }

    @Test
    void buffersOfAPageFollowEachOtherAndDoNotOverlap() {
        PagePool pool = pool(ReceivePolicy.FRAGMENT_HEADROOM, 65536, 128);
        List<PacketBuffer> taken = take(pool, 31);
        PacketBuffer first = taken.getFirst();
        for (int i = 0; i < 31; i++) {
            PacketBuffer buffer = taken.get(i);
            assertThat(buffer.dma()).isEqualTo(first.dma() + i * 2112L);
            assertThat(buffer.address()).isEqualTo(first.address() + i * 2112L);
            assertThat(buffer.capacity()).isEqualTo(2112);
            assertThat(buffer.headroom()).isEqualTo(256);
            assertThat(buffer.length()).isZero();
        }
        assertThat(first.dma() % 65536).isEqualTo(256);
        assertThat(pool.pages()).isEqualTo(1);
        assertThat(pool.take().dma() - 256).matches(dma -> dma % 65536 == 0);
        assertThat(pool.pages()).isEqualTo(2);
    }

    @Test
    void whatIsWrittenThroughABufferIsWhatTheFunctionSees() {
        PacketBuffer buffer = pool(ReceivePolicy.LEAN, 16384, 128).take();
        buffer.place(256, 60);
        buffer.put32(10, 0xcafe_f00d);
        assertThat(RawMemory.getBig32(table.pointer(buffer.dma() + 10, 4, false))).isEqualTo(0xcafe_f00d);
        assertThat(RawMemory.getBig32(buffer.address() + 10)).isEqualTo(0xcafe_f00d);
        assertThatThrownBy(() -> buffer.put32(58, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whoKeepsAPacketKeepsNothingOfTheThreadThatTookIt() throws InterruptedException {
        PagePool pool = pool(ReceivePolicy.LEAN, 16384, 128);
        PacketBuffer kept = pool.take();
        WeakReference<Thread> taker = endedOwner(pool);
        pool.close();
        while (!taker.refersTo(null)) {
            System.gc();
            Thread.sleep(5);
        }
        kept.release();
        assertThat(pool.isDrained()).isTrue();
    }

    private static WeakReference<Thread> endedOwner(PagePool pool) throws InterruptedException {
        Thread thread = new Thread(() -> { }, "taker");
        pool.owner(thread);
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }

    @Test
    void aPageComesHomeWithItsLastBuffer() {
        PagePool pool = pool(ReceivePolicy.LEAN, 16384, 128);
        List<PacketBuffer> taken = take(pool, 9);
        for (int i = 8; i > 0; i--) {
            taken.get(i).release();
            assertThat(pool.free()).isZero();
        }
        assertThat(pool.outstanding()).isEqualTo(1);
        taken.get(0).release();
        assertThat(pool.free()).isEqualTo(1);
        assertThat(pool.outstanding()).isZero();
        assertThat(take(pool, 9)).as("the same page again, from its start").containsExactlyElementsOf(taken);
        assertThat(pool.statistics()).containsEntry("alloc-fast", 1L).containsEntry("alloc-slow", 1L)
                .containsEntry("recycle-cached", 1L).containsEntry("recycle-ring", 0L);
    }

    @Test
    void aPageThatIsGivenFromStaysUntilAllItsBuffersHaveBeenOut() {
        PagePool pool = pool(ReceivePolicy.FRAGMENT, 65536, 128);
        for (int i = 0; i < 34; i++) {
            pool.take().release();
            assertThat(pool.free()).isZero();
        }
        pool.take().release();
        assertThat(pool.free()).isEqualTo(1);
        assertThat(pool.pages()).isEqualTo(1);
    }

    @Test
    void pagesWithMoreThan64BuffersAreCounted() {
        PagePool pool = new PagePool("small", arena, PagePlans.plan(ReceivePolicy.LEAN, 65536, 68, false), 1024);
        int perPage = pool.plan().perPage();
        assertThat(perPage).isGreaterThan(128);
        for (int round = 0; round < 3; round++) {
            List<PacketBuffer> taken = take(pool, perPage);
            assertThat(pool.outstanding()).isEqualTo(perPage);
            for (int i = 0; i < perPage; i++) {
                assertThat(pool.free()).isZero();
                taken.get(i * 7 % perPage).release();
            }
            assertThat(pool.free()).isEqualTo(1);
        }
    }

    @Test
    void otherThreadsReturnPagesThroughTheRing() throws Exception {
        PagePool pool = pool(ReceivePolicy.FRAGMENT, 4096, 64);
        List<PacketBuffer> taken = take(pool, 64);
        elsewhere(() -> taken.forEach(PacketBuffer::release));
        assertThat(pool.free()).isEqualTo(32);
        assertThat(pool.statistics()).containsEntry("recycle-ring", 32L).containsEntry("recycle-cached", 0L);
        assertThat(Set.copyOf(take(pool, 64))).isEqualTo(Set.copyOf(taken));
        assertThat(pool.statistics()).containsEntry("alloc-slow", 32L).containsEntry("alloc-refill", 1L)
                .containsEntry("alloc-fast", 31L).containsEntry("alloc-empty", 32L);
    }

    @Test
    void theThreadThatTakesMayChange() throws Exception {
        PagePool pool = pool(ReceivePolicy.PAGE, 4096, 64);
        List<PacketBuffer> taken = take(pool, 2);
        elsewhere(() -> {
            pool.owner(Thread.currentThread());
            taken.get(0).release();
        });
        taken.get(1).release();
        assertThat(pool.statistics()).containsEntry("recycle-cached", 1L).containsEntry("recycle-ring", 1L);
    }

    @Test
    void pagesThatTheRingHasNoRoomForAreGivenBack() throws Exception {
        PagePool pool = pool(ReceivePolicy.PAGE, 4096, 4);
        List<PacketBuffer> taken = take(pool, 10);
        elsewhere(() -> taken.forEach(PacketBuffer::release));
        assertThat(pool.statistics()).containsEntry("recycle-ring", 5L).containsEntry("recycle-ring-full", 5L);
        assertThat(pool.pages()).isEqualTo(5);
        assertThat(arena.pagesInUse()).isEqualTo(5);
        assertThat(new HashSet<>(take(pool, 10))).hasSize(10);
    }

    @Test
    void whatTheCacheHasNoRoomForGoesToTheRing() {
        PagePool pool = pool(ReceivePolicy.PAGE, 65536, 64);
        take(pool, 20).forEach(PacketBuffer::release);
        assertThat(pool.statistics()).containsEntry("recycle-cached", 8L).containsEntry("recycle-cache-full", 12L)
                .containsEntry("recycle-ring", 12L);
        assertThat(pool.free()).isEqualTo(20);
    }

    @Test
    void aSecondReleaseIsFoundAndChangesNothing() {
        PagePool pool = pool(ReceivePolicy.LEAN, 4096, 64);
        List<PacketBuffer> taken = take(pool, 4);
        taken.get(0).release();
        assertThatThrownBy(taken.get(0)::release).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test").hasMessageContaining("twice");
        assertThat(pool.outstanding()).isEqualTo(3);
        taken.get(1).release();
        assertThatThrownBy(taken.get(1)::release).isInstanceOf(IllegalStateException.class);
        assertThat(pool.free()).isEqualTo(1);
        take(pool, 1);
        assertThatThrownBy(taken.get(1)::release).as("home, though its page is in use again")
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void severalAreReleasedTogetherWhereverTheyAreFrom() {
        PagePool pool = pool(ReceivePolicy.LEAN, 4096, 64);
        PagePool small = new PagePool("small", arena, PagePlans.plan(ReceivePolicy.LEAN, 65536, 68, false), 1024);
        List<PacketBuffer> taken = take(pool, 8);
        taken.addAll(3, take(small, small.plan().perPage()));
        taken.addAll(5, take(pool, 2));
        PacketBuffer.release(taken.toArray(PacketBuffer[]::new), 1, taken.size() - 1);
        assertThat(pool.outstanding()).isEqualTo(1);
        assertThat(pool.free()).isEqualTo(4);
        assertThat(small.outstanding()).isZero();
        assertThat(small.free()).isEqualTo(1);
        assertThat(PagePool.of(taken.get(0))).isSameAs(pool);
        taken.get(0).release();
        assertThat(pool.free()).isEqualTo(5);
    }

    @Test
    void oneThatWasReleasedBeforeDoesNotKeepTheOthersOut() {
        PagePool pool = pool(ReceivePolicy.LEAN, 16384, 64);
        List<PacketBuffer> taken = take(pool, 18);
        taken.get(3).release();
        taken.add(7, taken.get(6));
        PacketBuffer[] all = taken.toArray(PacketBuffer[]::new);
        assertThatThrownBy(() -> PacketBuffer.release(all, 0, all.length)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test").hasMessageContaining("twice");
        assertThat(pool.outstanding()).isZero();
        assertThat(pool.free()).isEqualTo(2);
        assertThatThrownBy(() -> PacketBuffer.release(all, 0, 2)).isInstanceOf(IllegalStateException.class);
        assertThat(new HashSet<>(take(pool, 18))).as("each once").hasSize(18);
    }

    @Test
    void leanBuffersDoNotAllBeginAtTheSameLineOfTheirPages() {
        PagePool pool = pool(ReceivePolicy.LEAN, 4096, 64);
        Set<Long> places = new HashSet<>();
        for (PacketBuffer buffer : take(pool, 32)) {
            long end = (buffer.dma() - 256) % 4096 + buffer.capacity();
            assertThat(end).as("it ends in its page").isLessThanOrEqualTo(4096);
            assertThat(buffer.dma() % 64).isZero();
            places.add(buffer.dma() % 4096);
        }
        assertThat(places).hasSize(18);
        assertThat(pool(ReceivePolicy.FRAGMENT, 4096, 64).take().dma() % 4096).as("as in the real driver").isZero();
    }

    @Test
    void whoHasBuffersIsNamed() {
        PagePool pool = pool(ReceivePolicy.LEAN, 16384, 64);
        List<PacketBuffer> taken = take(pool, 20);
        taken.subList(0, 3).forEach(buffer -> buffer.holder("host side"));
        taken.get(3).holder("traffic");
        assertThat(pool.held()).isEqualTo(Map.of("host side", 3L, "traffic", 1L));
        assertThat(pool.outstanding()).isEqualTo(20);
        taken.get(0).release();
        assertThat(pool.held()).isEqualTo(Map.of("host side", 2L, "traffic", 1L));
    }

    @Test
    void onePacketInAHundredThatIsKeptPinsItsPageAndNothingElse() {
        PagePool pool = pool(ReceivePolicy.FRAGMENT, 65536, 512);
        List<PacketBuffer> kept = new ArrayList<>();
        for (int i = 0; i < 2100; i++) {
            PacketBuffer buffer = pool.take();
            if (i % 100 == 0) {
                buffer.holder("collector");
                kept.add(buffer);
            } else {
                buffer.release();
            }
        }
        // packet 0, 100, 200 … of pages of 35: each in a page of its own, and one page is home
        assertThat(kept).hasSize(21);
        assertThat(pool.held()).isEqualTo(Map.of("collector", 21L));
        assertThat(pool.pages() - pool.free()).isEqualTo(21);
        kept.forEach(PacketBuffer::release);
        assertThat(pool.free()).isEqualTo(pool.pages());
        pool.close();
        assertThat(pool.isDrained()).isTrue();
        assertThat(arena.pagesInUse()).isZero();
    }

    @Test
    void aClosedPoolGivesBackWhatIsHomeAndTheRestWhenItComes() throws Exception {
        PagePool pool = pool(ReceivePolicy.LEAN, 4096, 64);
        List<PacketBuffer> taken = take(pool, 7);
        taken.get(6).holder("slow reader");
        taken.subList(0, 4).forEach(PacketBuffer::release);
        pool.close();
        assertThat(pool.take()).isNull();
        assertThat(pool.pages()).isEqualTo(2);
        assertThat(pool.held()).isEqualTo(Map.of("slow reader", 1L));
        assertThat(pool.isDrained()).isFalse();
        taken.subList(4, 6).forEach(PacketBuffer::release);
        assertThat(arena.pagesInUse()).isEqualTo(1);
        elsewhere(taken.get(6)::release);
        assertThat(pool.isDrained()).isTrue();
        assertThat(arena.pagesInUse()).isZero();
        assertThatThrownBy(taken.get(6)::release).isInstanceOf(IllegalStateException.class);
        pool.close();
    }

    @Test
    void thereIsNoBufferWhereThereIsNoMemory() {
        try (DmaArena little = new DmaArena(table, "little", 1L << 40, 3 * 4096)) {
            PagePool pool = new PagePool("little", little, PagePlans.plan(ReceivePolicy.LEAN, 4096, 1500, false), 128);
            List<PacketBuffer> taken = take(pool, 6);
            assertThat(pool.take()).isNull();
            taken.get(0).release();
            assertThat(pool.take()).isNull();
            taken.get(1).release();
            assertThat(pool.take()).isSameAs(taken.get(0));
            pool.close();
            taken.subList(2, 6).forEach(PacketBuffer::release);
            taken.get(0).release();
            assertThat(pool.isDrained()).isTrue();
        }
    }
}
