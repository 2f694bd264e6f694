package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ExclusiveChangesTest {
    @Test
    void whoWaitsTooLongIsRefused() throws InterruptedException {
        ExclusiveChanges exclusive = new ExclusiveChanges(Duration.ofMillis(10));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread other = Thread.ofPlatform().start(() -> exclusive.run(() -> {
            begun.countDown();
            return uninterrupted(end);
        }));
        begun.await();
        assertThatThrownBy(() -> exclusive.run(() -> "never")).isInstanceOf(Refusal.class)
                .hasMessageContaining("not ended");
        end.countDown();
        other.join();
        assertThat(exclusive.run(() -> "now")).isEqualTo("now");
    }

    @Test
    void aChangeThatFailsGivesItsTurnBack() {
        ExclusiveChanges exclusive = new ExclusiveChanges(Duration.ofSeconds(5));
        assertThatThrownBy(() -> exclusive.run(() -> {
            throw new IllegalStateException("no");
        })).isInstanceOf(IllegalStateException.class);
        assertThat(exclusive.run(() -> 1)).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        ExclusiveChanges exclusive = new ExclusiveChanges(Duration.ofSeconds(5));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> exclusive.run(() -> 1)).isInstanceOf(Refusal.class)
                .hasMessageContaining("Interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void changesDoNotOverlap() throws InterruptedException {
        ExclusiveChanges exclusive = new ExclusiveChanges(Duration.ofSeconds(5));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Runnable changes = () -> {
            for (int i = 0; i < 1000; i++) {
                exclusive.run(() -> {
                    overlaps.addAndGet(inside.getAndIncrement());
                    return inside.decrementAndGet();
                });
                done.incrementAndGet();
            }
        };
        Thread one = Thread.ofPlatform().start(changes);
        Thread two = Thread.ofPlatform().start(changes);
        one.join();
        two.join();
        assertThat(done).hasValue(2000);
        assertThat(overlaps).hasValue(0);
    }

    private static boolean uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
