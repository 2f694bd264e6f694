package io.manafold.rdma.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread at a time is in a queue, and none after its end. */
@Timeout(300)
class GateTest {
    private final Gate gate = new Gate();

    /** Another thread is inside until it is let go. */
    private Thread inside(CountDownLatch go) throws InterruptedException {
        CountDownLatch there = new CountDownLatch(1);
        Thread other = Thread.ofPlatform().name("poster").start(() -> {
            assertThat(gate.enter()).isTrue();
            there.countDown();
            try {
                go.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            gate.leave();
        });
        there.await();
        return other;
    }

    @Test
    void aSecondThreadIsRefusedByNameOfTheFirst() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Thread other = inside(go);
        assertThat(gate.enter()).isFalse();
        assertThat(gate.isChanging()).isFalse();
        Refusal refusal = gate.busy("posts to queue pair 7", "a queue pair has one poster");
        assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
        assertThat(refusal).hasMessageContaining("'poster' posts to queue pair 7").hasMessageContaining("one poster");
        go.countDown();
        other.join();
        assertThat(gate.enter()).isTrue();
    }

    @Test
    void whoStaysInsideIsNotWaitedForWithoutEnd() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Thread other = inside(go);
        assertThat(gate.change()).isFalse();
        assertThat(gate.end()).isFalse();
        assertThat(gate.hasEnded()).isFalse();
        go.countDown();
        other.join();
        assertThat(gate.change()).isTrue();
        assertThat(gate.enter()).isFalse();
        assertThat(gate.isChanging()).isTrue();
        gate.leave();
        assertThat(gate.end()).isTrue();
        assertThat(gate.end()).as("once more").isTrue();
        assertThat(gate.enter()).isFalse();
        assertThat(gate.change()).isFalse();
    }
}
