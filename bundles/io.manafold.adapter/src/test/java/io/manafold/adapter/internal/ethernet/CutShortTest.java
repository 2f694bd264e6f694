package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What vanished memory raises may come between any two steps of taking requests. */
class CutShortTest {
    private static final int REQUESTS = CompletionBatch.MOST;

    private Guest guest;
    private GuestSender sender;
    private long frame;

    @BeforeEach
    void connect() {
        guest = new Guest("one", 0x000d3a000001L);
        guest.port.attach(new DirectLink());
        guest.port.transmitVia(Guest.PD, 4, 0);
        sender = guest.sender(0x400, 8192);
        frame = guest.put(Packets.ip(4, Packets.UDP, 0x000d3a000002L, 100, 1));
    }

    @AfterEach
    void leave() {
        guest.close();
    }

    private void post() {
        for (int i = 0; i < REQUESTS; i++) {
            sender.post(frame, 100);
        }
        sender.queue.doorbell(sender.produced);
    }

    private int work() {
        while (guest.port.duty().doWork() > 0 || guest.port.duty().restNanos() == 0) {
            // as an agent would
        }
        return sender.completions.drain();
    }

    @Test
    void completionsOfABurstThatWasCutShortAreNotLeftBehind() {
        post();
        assertThat(work()).isEqualTo(REQUESTS);
        post();
        // as far as a burst can have come when it is cut short: not accounted for, and the ring not moved on
        sender.queue.take();
        for (int i = 0; i < REQUESTS * 3 / 4; i++) {
            sender.queue.completed(CompletionBatch.GOOD, i);
        }
        guest.raised = new InternalError("a fault in an unsafe memory access operation");
        assertThat(work()).isEqualTo(REQUESTS);
        post();
        assertThat(work()).isEqualTo(REQUESTS);
        assertThat(guest.rejected).isEmpty();
    }

    @Test
    void requestsThatWereTakenByHalvesAreReadOnceMore() {
        post();
        sender.queue.take();
        sender.queue.advance(32 * 5);
        guest.raised = new InternalError("a fault in an unsafe memory access operation");
        assertThat(work()).isEqualTo(REQUESTS);
        assertThat(sender.queue.consumed()).isEqualTo(sender.produced);
    }

    @Test
    void completionsThatWereNotYetCountedAreWritten() {
        post();
        sender.queue.completed(CompletionBatch.GOOD, 0);
        guest.raised = new InternalError("a fault in an unsafe memory access operation");
        guest.port.duty().doWork();
        assertThat(sender.completions.drain()).isEqualTo(1);
    }
}
