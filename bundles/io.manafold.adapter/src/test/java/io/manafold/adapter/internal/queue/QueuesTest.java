package io.manafold.adapter.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.agent.DutyCycle;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuesTest {
    private static final long BASE = 0x4000_0000L;

    private final DmaTable table = new DmaTable();
    private final DmaBlock block = new DmaBlock("queues", 4 * 4096);
    private final AtomicInteger signals = new AtomicInteger();
    private final EventQueue events;
    private final CompletionQueue completions;

    QueuesTest() {
        table.map(BASE, block.size(), block.fd(), 0, true);
        events = new EventQueue(5, new QueueMemory(table, new long[] {BASE}, 4096), signals::incrementAndGet,
                Rejections.NONE);
        // two pages that do not follow each other
        completions = new CompletionQueue(9, new QueueMemory(table, new long[] {BASE + 3 * 4096, BASE + 4096}, 8192),
                events, false);
    }

    @AfterEach
    void close() {
        events.close();
        table.close();
        block.close();
    }

    private int eventWord(int slot) {
        return RawMemory.get32(block.address() + slot * 16 + 12);
    }

    @Test
    void ownerBitsCountLaps() {
        for (int lap = 1; lap <= 9; lap++) {
            for (int slot = 0; slot < 256; slot++) {
                assertThat(events.post(64, slot)).isTrue();
                assertThat(eventWord(slot)).isEqualTo(64 | (lap & 7) << 29);
                assertThat(RawMemory.get32(block.address() + slot * 16L)).isEqualTo(slot);
            }
        }
    }

    @Test
    void anEventQueueRaisesItsVectorOncePerArming() {
        events.post(1, 0);
        events.post(1, 0);
        assertThat(signals).hasValue(1);
        events.doorbell(257, true);
        assertThat(signals).as("one event is still there").hasValue(2);
        events.doorbell(258, true);
        assertThat(signals).hasValue(2);
        events.post(1, 0);
        assertThat(signals).hasValue(3);
        events.doorbell(259, false);
        events.post(1, 0);
        assertThat(signals).as("not armed").hasValue(3);
    }

    private void complete(int wq) {
        long entry = completions.begin();
        RawMemory.put32(entry, 0x60);
        completions.commit(wq, true);
    }

    @Test
    void aCompletionQueueStartsUnarmedAndTellsOncePerArming() {
        complete(7);
        completions.flush();
        assertThat(eventWord(0)).isZero();
        assertThat(RawMemory.get32(block.address() + 3 * 4096 + 60)).isEqualTo(0x21000007);
        completions.doorbell(128, true);
        assertThat(eventWord(0)).isEqualTo(0x20000003);
        assertThat(RawMemory.get32(block.address())).isEqualTo(9);
        completions.doorbell(129, true);
        assertThat(eventWord(1)).isZero();
        complete(7);
        complete(7);
        completions.flush();
        completions.flush();
        assertThat(eventWord(1)).isEqualTo(0x20000003);
        assertThat(eventWord(2)).isZero();
    }

    private int events() {
        int count = 0;
        while (eventWord(count) != 0) {
            count++;
        }
        return count;
    }

    private void holdEvents(long[] now, int micros, int frames) {
        completions.holdBy(new EventHold(() -> now[0], () -> { }));
        completions.moderate(micros, frames);
    }

    /** It waits for nothing. */
    private void firstEvent() {
        completions.doorbell(128, true);
        complete(7);
        completions.flush();
    }

    @Test
    void anEventWaitsUntilATimeHasPassedSinceTheOneBefore() {
        long[] now = {77};
        holdEvents(now, 100, 0);
        firstEvent();
        assertThat(events()).as("the first waits for nothing").isEqualTo(1);
        now[0] += 40_000;
        complete(7);
        completions.doorbell(129, true);
        completions.flush();
        assertThat(completions.heldEvents()).isEqualTo(1);
        complete(7);
        completions.flush();
        assertThat(completions.release(now[0])).isEqualTo(60_000);
        assertThat(events()).isEqualTo(1);
        now[0] += 60_000;
        assertThat(completions.release(now[0])).isEqualTo(DutyCycle.UNTIL_WOKEN);
        assertThat(events()).isEqualTo(2);
        assertThat(completions.release(now[0])).as("once").isEqualTo(DutyCycle.UNTIL_WOKEN);
        completions.doorbell(131, true);
        now[0] += 100_000;
        complete(7);
        completions.flush();
        assertThat(events()).as("late enough").isEqualTo(3);
        assertThat(completions.heldEvents()).isEqualTo(1);
    }

    @Test
    void enoughCompletionsEndTheWait() {
        long[] now = {0};
        holdEvents(now, 1000, 3);
        firstEvent();
        assertThat(events()).isEqualTo(1);
        completions.doorbell(129, true);
        complete(7);
        complete(7);
        completions.flush();
        assertThat(events()).isEqualTo(1);
        complete(7);
        completions.flush();
        assertThat(events()).isEqualTo(2);
        complete(7);
        complete(7);
        complete(7);
        completions.flush();
        completions.doorbell(132, true);
        assertThat(events()).as("a driver that arms when enough are there").isEqualTo(3);
    }

    @Test
    void aTimeThatIsTakenAwayFreesTheEvent() {
        long[] now = {0};
        holdEvents(now, 1000, 0);
        firstEvent();
        complete(7);
        completions.flush();
        completions.doorbell(129, true);
        assertThat(events()).isEqualTo(1);
        completions.moderate(-1, 2);
        assertThat(events()).as("one is not two").isEqualTo(1);
        completions.moderate(0, -1);
        assertThat(events()).isEqualTo(2);
        completions.doorbell(130, true);
        complete(7);
        completions.flush();
        assertThat(events()).isEqualTo(3);
        assertThat(completions.moderationMicros()).isZero();
        assertThat(completions.moderationFrames()).isEqualTo(2);
    }

    @Test
    void whatADriverHasSeenItselfIsNotToldOfLater() {
        long[] now = {0};
        holdEvents(now, 1000, 0);
        firstEvent();
        complete(7);
        completions.flush();
        completions.doorbell(129, true);
        completions.doorbell(130, true);
        now[0] += 2_000_000;
        assertThat(completions.release(now[0])).isEqualTo(DutyCycle.UNTIL_WOKEN);
        assertThat(events()).isEqualTo(1);
        complete(7);
        completions.flush();
        assertThat(events()).isEqualTo(2);
    }

    @Test
    void aCompletionQueueThatOverflowsIsToldOfOnce() {
        List<String> told = new ArrayList<>();
        EventQueue watched = new EventQueue(6, new QueueMemory(table, new long[] {BASE}, 4096), () -> { },
                (where, bytes, rule, right, consequence) -> told.add(where + ": " + consequence));
        CompletionQueue ring = new CompletionQueue(9, new QueueMemory(table, new long[] {BASE + 4096}, 4096), watched,
                false);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 64; i++) {
                ring.write(0x60, 0, 0, 0, 7, true);
            }
            ring.flush();
            ring.doorbell(64 * (round + 2) & 511, false);
        }
        assertThat(told).as("its driver keeps up").isEmpty();
        for (int i = 0; i < 100; i++) {
            ring.write(0x60, 0, 0, 0, 7, true);
        }
        ring.flush();
        assertThat(told).as("a driver that polls need not ring").isEmpty();
        ring.doorbell(64 * 4 + 36, false);
        assertThat(told).as("it is just in time").isEmpty();
        ring.doorbell(64 * 4 + 35, true);
        ring.doorbell(64 * 4, true);
        assertThat(told).containsExactly("completion queue 9: completions that were not consumed were overwritten");
        watched.close();
    }

    @Test
    void whatIsConsumedBeforeTheFlushIsNotToldOf() {
        complete(7);
        completions.doorbell(129, true);
        completions.flush();
        assertThat(eventWord(0)).isZero();
        complete(7);
        completions.flush();
        assertThat(eventWord(0)).isEqualTo(0x20000003);
    }

    @Test
    void theSecondPageIsWhereItsListSays() {
        for (int i = 0; i < 64; i++) {
            complete(i);
        }
        complete(77);
        assertThat(RawMemory.get32(block.address() + 4096 + 60)).isEqualTo(0x2100004d);
    }

    @Test
    void memoryThatIsGoneIsNoAccident() {
        table.clear().toCompletableFuture().join();
        assertThat(completions.begin()).isZero();
        completions.commit(1, true);
        completions.flush();
        assertThat(events.post(1, 1)).isFalse();
    }

    @Test
    void halfOfAnEventQueueIsKeptForCompletions() {
        int entries = 4096 / 16;
        for (int i = 0; i < entries / 2; i++) {
            assertThat(events.hasRoom()).isTrue();
            events.post(135, 0);
        }
        assertThat(events.hasRoom()).isFalse();
        // its index counts from the second lap on, as the driver's does
        events.doorbell(entries + 1, false);
        assertThat(events.hasRoom()).isTrue();
    }

    @Test
    void nothingIsPostedOnceClosed() {
        events.close();
        assertThat(events.post(1, 1)).isFalse();
        assertThat(block.address()).isNotZero();
        assertThat(eventWord(0)).isZero();
    }

    /** A driver that sleeps after arming is woken for every completion, however the two sides meet. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 50})
    void noWakeUpIsLost(int micros) throws Exception {
        Semaphore interrupts = new Semaphore(0);
        EventQueue waking = new EventQueue(6, new QueueMemory(table, new long[] {BASE + 2 * 4096}, 4096),
                interrupts::release, Rejections.NONE);
        CompletionQueue queue = new CompletionQueue(3, new QueueMemory(table, new long[] {BASE + 3 * 4096}, 4096),
                waking, false);
        if (micros > 0) {
            queue.holdBy(new EventHold(System::nanoTime, () -> { }));
            queue.moderate(micros, 20);
        }
        int total = micros > 20 ? 20_000 : 100_000;
        AtomicInteger consumed = new AtomicInteger();
        Thread agent = new Thread(() -> {
            Reader reader = Readers.open("test agent");
            for (int made = 0; consumed.get() < total;) {
                if (micros > 0) {
                    queue.release(System.nanoTime());
                }
                if (made - consumed.get() >= 32 || made == total) {
                    Thread.onSpinWait();
                    continue;
                }
                reader.enter();
                for (int i = 0; i < 1 + made % 3 && made < total; i++, made++) {
                    queue.begin();
                    queue.commit(1, false);
                }
                queue.flush();
                reader.leave();
            }
            reader.close();
        });
        agent.start();
        int next = 64;
        int event = 256;
        queue.doorbell(next, true);
        while (consumed.get() < total) {
            if (!interrupts.tryAcquire(20, TimeUnit.SECONDS)) {
                throw new AssertionError("asleep after " + consumed.get());
            }
            int found = event;
            while (owner(block.address() + 2 * 4096 + (event & 255) * 16 + 12) == (event >>> 8 & 7)) {
                event++;
            }
            while (owner(block.address() + 3 * 4096 + (next & 63) * 64 + 60) == (next >>> 6 & 7)) {
                next++;
                consumed.incrementAndGet();
            }
            if (event != found) {
                queue.doorbell(next, true);
            }
            waking.doorbell(event, true);
        }
        agent.join();
        waking.close();
    }

    private static int owner(long last) {
        return RawMemory.getAcquire32(last) >>> 29;
    }
}
