package io.manafold.rdma.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread at a time is in a queue, and none after its end. */
@Timeout(300)
class GateTest {
    private final Gate gate = new Gate(false);

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
        assertThat(gate.obstacle()).isEqualTo(Gate.THREAD);
        Refusal refusal = gate.busy("posts to queue pair 7", "a queue pair has one poster");
        assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
        assertThat(refusal).hasMessageContaining("'poster' posts to queue pair 7").hasMessageContaining("one poster");
        go.countDown();
        other.join();
        assertThat(gate.enter()).isTrue();
    }

    private static void pass(Gate gate) {
        assertThat(gate.enter()).isTrue();
        gate.leave();
    }

    @Test
    void threadsThatTakeTurnsAreFoundWhereThatIsChecked() throws Exception {
        Gate checking = new Gate(true);
        try (ExecutorService other = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("late").factory())) {
            pass(checking);
            pass(checking);
            other.submit(() -> pass(checking)).get();
            assertThat(checking.enter()).as("the first comes back").isFalse();
            assertThat(checking.obstacle()).isEqualTo(Gate.THREAD);
            Refusal refusal = checking.busy("posts to queue pair 7", "a queue pair has one poster");
            assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
            assertThat(refusal).hasMessageContaining("The thread 'late' posts to queue pair 7")
                    .hasMessageContaining("one poster")
                    .hasMessageContaining("'" + Thread.currentThread().getName() + "'").hasMessageEndingWith(".");
            other.submit(() -> pass(checking)).get();
            assertThat(checking.enter()).isFalse();
            checking.begin();
            pass(checking);
            other.submit(() -> pass(gate)).get();
            pass(gate);
            other.submit(() -> pass(gate)).get();
            pass(gate);
        }
    }

    @Test
    void aThreadThatHasEndedHasHandedTheQueueOver() throws Exception {
        Gate checking = new Gate(true);
        pass(checking);
        Thread.ofPlatform().start(() -> pass(checking)).join();
        pass(checking);
        assertThat(checking.end()).isTrue();
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
        assertThat(gate.obstacle()).isEqualTo(Gate.CHANGE);
        gate.leave();
        assertThat(gate.obstacle()).as("of a thread that was outside and looks late").isEqualTo(Gate.CHANGE);
        assertThat(gate.end()).isTrue();
        assertThat(gate.end()).as("once more").isTrue();
        assertThat(gate.obstacle()).isEqualTo(Gate.END);
        assertThat(gate.enter()).isFalse();
        assertThat(gate.change()).isFalse();
    }
}
