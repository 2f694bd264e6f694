package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.api.agent.DutyCycle;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues whose events are held back, one after the other in the same place. */
class HeldEventsTest {
    private static final int ENTRIES = 64;
    private static final int MICROS = 1023;

    private final long[] now = {1_000_000_000};
    private final Guest guest = new Guest("held", 0x000d3a000001L);
    private final Reader reader = Readers.open("test");
    private final HeldEvents held = new HeldEvents(2, () -> now[0], () -> { });
    private int vectors;
    private final EventQueue events = new EventQueue(1, guest.queueMemory(guest.take(4096), 4096), () -> vectors++,
            guest.rejections);

    @BeforeEach
    void enter() {
        reader.enter();
    }

    @AfterEach
    void close() {
        reader.leave();
        reader.close();
        guest.close();
    }

    private CompletionQueue queue(int id, EventQueue told) {
        return new CompletionQueue(id, guest.queueMemory(guest.take(4096), 4096), told, false);
    }

    private static void complete(CompletionQueue queue) {
        queue.write(0x60, 0, 0, 0, 7, true);
        queue.flush();
    }

    /** Its first event is sent, its second one waits. */
    private void hold(CompletionQueue queue) {
        queue.moderate(MICROS, 0);
        queue.doorbell(ENTRIES, true);
        complete(queue);
        queue.doorbell(ENTRIES + 1, true);
        complete(queue);
    }

    @Test
    void aQueueWithoutEventsTakesThePlaceOfOneThatWaited() {
        CompletionQueue first = queue(3, events);
        held.take(0, first);
        hold(first);
        assertThat(held.work()).isOne();
        assertThat(held.restNanos()).isEqualTo(MICROS * 1000L);
        held.forget(0);
        assertThat(held.restNanos()).as("without a queue").isEqualTo(DutyCycle.UNTIL_WOKEN);
        CompletionQueue second = queue(4, null);
        held.take(0, second);
        second.doorbell(ENTRIES, true);
        complete(second);
        now[0] += 2 * MICROS * 1000L;
        assertThat(held.work()).as("queues that are looked at").isZero();
        assertThat(vectors).isOne();
    }

    @Test
    void whatHasBegunToWaitGoesWithItsQueue() {
        CompletionQueue first = queue(3, events);
        held.take(1, first);
        hold(first);
        assertThat(held.restNanos()).isZero();
        held.forget(1);
        assertThat(held.restNanos()).isEqualTo(DutyCycle.UNTIL_WOKEN);
        assertThat(held.work()).isZero();
    }

    @Test
    void aQueueWithoutEventsHasNoneToSend() {
        CompletionQueue silent = queue(4, null);
        held.take(0, silent);
        silent.doorbell(ENTRIES, true);
        complete(silent);
        assertThat(silent.release(now[0])).isEqualTo(DutyCycle.UNTIL_WOKEN);
    }
}
