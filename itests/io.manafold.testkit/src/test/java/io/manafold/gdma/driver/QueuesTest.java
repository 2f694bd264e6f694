package io.manafold.gdma.driver;

import io.manafold.memory.DmaPiece;
import io.manafold.memory.DmaArena;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.OwnerBits;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PlainBar;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues over their memory alone, the test being the device. */
class QueuesTest {
    private static final int PAGE = 4096;

    private final FakeFunction function = new FakeFunction();
    private final DmaArena memory = new DmaArena(function.dma(), "queues", 1L << 32, 1 << 20);
    private final List<Long> doorbells = new ArrayList<>();
    private final Registers registers = new Registers(new Silent(), "fake", true);

    /** A register window that remembers, or only counts. */
    private final class Silent extends PlainBar {
        @Override
        public int index() {
            return 0;
        }

        @Override
        public long size() {
            return function.size();
        }

        @Override
        public int read32(long offset) {
            return function.read32(offset);
        }

        @Override
        public long read64(long offset) {
            return function.read64(offset);
        }

        @Override
        public void write32(long offset, int value) {
            throw new AssertionError("doorbells have 64 bits");
        }

        @Override
        public void write64(long offset, long value) {
            if (doorbells.size() < 8) {
                doorbells.add(offset);
                doorbells.add(value);
            }
        }
    }

    @AfterEach
    void close() {
        memory.close();
        function.table.close();
    }

    @Test
    void eventsAreReadLapAfterLap() {
        EventQueue queue = new EventQueue(memory.allocate(PAGE), PAGE, registers.page(2), 5);
        int[] last = new int[2];
        int index = queue.slots();
        for (int i = 0; i < 10 * queue.slots(); i++) {
            assertThat(queue.poll((type, data) -> last[0] = -1, 9)).isZero();
            post(queue, index, 64, i);
            index = OwnerBits.wrap(index + 1, queue.slots());
            assertThat(queue.poll((type, data) -> {
                last[0] = type;
                last[1] = data;
            }, 9)).isEqualTo(1);
            assertThat(last).containsExactly(64, i);
        }
        assertThat(queue.isOverrun()).isFalse();
        queue.arm();
        assertThat(doorbells).containsExactly(FakeFunction.DOORBELLS + 0x2000L + Doorbell.EVENT,
                Doorbell.event(5, index, true));
    }

    private static void post(EventQueue queue, int index, int type, int data) {
        long entry = queue.memory().pointer() + (long) OwnerBits.slot(index, queue.slots()) * EventEntry.SIZE;
        RawMemory.put32(entry, data);
        RawMemory.putRelease32(entry + EventEntry.LAST, EventEntry.last(type, index, queue.slots()));
    }

    @Test
    void aDeviceThatIsLapsAheadIsNoticed() {
        EventQueue events = new EventQueue(memory.allocate(PAGE), PAGE, registers.page(2), 5);
        post(events, 3 * events.slots(), 64, 0);
        assertThat(events.poll((type, data) -> { }, 9)).isZero();
        assertThat(events.isOverrun()).isTrue();
        CompletionQueue completions = new CompletionQueue(memory.allocate(PAGE), PAGE, registers.page(2), 6);
        RawMemory.put32(completions.memory().pointer() + CompletionEntry.LAST, 5 << OwnerBits.SHIFT);
        assertThat(completions.next()).isZero();
        assertThat(completions.isOverrun()).isTrue();
    }

    @Test
    void requestsWrapBetweenTheirPieces() {
        WorkQueue queue = new WorkQueue(memory.allocate(PAGE), PAGE, Doorbell.SEND, registers.page(4), 0x400);
        long start = queue.memory().pointer();
        int size = WorkRequest.size(5, WorkRequest.INLINE_LONG);
        assertThat(size).isEqualTo(128);
        for (int i = 0; i < 31; i++) {
            queue.begin(0, WorkRequest.word1(5, WorkRequest.INLINE_LONG, false, 0));
            assertThat(queue.commit()).isEqualTo(size);
        }
        queue.begin(0, WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0));
        queue.commit();
        queue.complete(PAGE - 128);
        assertThat(queue.free()).isEqualTo(PAGE - 32);
        queue.begin(7, WorkRequest.word1(5, WorkRequest.INLINE_LONG, false, 0));
        for (int k = 0; k < 5; k++) {
            queue.piece(k, 0x1000 + k, 0x222, 100 + k);
        }
        queue.commit();
        queue.ring();
        assertThat(RawMemory.get32(start + PAGE - 96)).isEqualTo(7);
        assertThat(RawMemory.get64(start + PAGE - 16)).as("the fourth is the last before the end").isEqualTo(0x1003);
        assertThat(RawMemory.get64(start)).as("the fifth is at the start").isEqualTo(0x1004);
        assertThat(RawMemory.get32(start + WorkRequest.PIECE_LENGTH)).isEqualTo(104);
        assertThat(doorbells).containsExactly(FakeFunction.DOORBELLS + 0x4000L, Doorbell.work(0x400, PAGE + 32));
    }

    @Test
    void nothingIsAllocatedPerEntry() {
        EventQueue events = new EventQueue(memory.allocate(PAGE), PAGE, registers.page(2), 5);
        CompletionQueue completions = new CompletionQueue(memory.allocate(PAGE), PAGE, registers.page(2), 6);
        WorkQueue work = new WorkQueue(memory.allocate(PAGE), PAGE, Doorbell.RECEIVE, registers.page(4), 0x400);
        for (int i = 0; i < 4; i++) {
            work.ring();
        }
        long[] seen = new long[1];
        EventHandler handler = (type, data) -> seen[0] += type + data;
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        int event = events.slots();
        int completion = completions.slots();
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                post(events, event, 3, i);
                event = OwnerBits.wrap(event + 1, events.slots());
                events.poll(handler, 5);
                long entry = completions.memory().pointer()
                        + (long) OwnerBits.slot(completion, completions.slots()) * CompletionEntry.SIZE;
                RawMemory.putRelease32(entry + CompletionEntry.LAST,
                        CompletionEntry.last(1, false, completion, completions.slots()));
                completion = OwnerBits.wrap(completion + 1, completions.slots());
                if (completions.next() != 0) {
                    completions.consume();
                    seen[0]++;
                }
                work.begin(0, WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0));
                work.piece(0, i, 1, 2);
                work.complete(work.commit());
                work.ring();
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(seen[0]).isPositive();
        assertThat(allocated).isLessThan(1000);
    }

    @Test
    void memoryComesBackInWholePages() {
        DmaPiece one = memory.allocate(1);
        DmaPiece two = memory.allocate(8193);
        assertThat(two.dma()).isEqualTo(one.dma() + PAGE);
        assertThat(two.pages()).containsExactly(two.dma(), two.dma() + PAGE, two.dma() + 2 * PAGE);
        RawMemory.put64(one.pointer(), -1);
        memory.free(one);
        DmaPiece again = memory.allocate(PAGE);
        assertThat(again).isEqualTo(one);
        assertThat(RawMemory.get64(again.pointer())).as("zeroed anew").isZero();
        memory.free(again);
        memory.free(two);
        assertThat(memory.pagesInUse()).isZero();
        assertThatThrownBy(() -> memory.allocate((1 << 20) + 1)).isInstanceOf(Refusal.class)
                .hasMessageContaining("257 pages");
    }
}
