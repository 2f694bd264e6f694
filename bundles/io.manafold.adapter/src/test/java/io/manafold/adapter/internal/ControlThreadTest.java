package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ControlThreadTest {
    @Test
    void aDutyThatFailsIsTriedAgainAfterAPauseAndOrdersGoOn() throws InterruptedException {
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicInteger runs = new AtomicInteger();
        try (ControlThread thread = new ControlThread("test-control", () -> {
            runs.incrementAndGet();
            if (fails.get()) {
                throw new StackOverflowError();
            }
            return Long.MAX_VALUE;
        })) {
            thread.start();
            Thread.sleep(500);
            assertThat(runs).hasValueLessThan(12);
            fails.set(false);
            CountDownLatch carriedOut = new CountDownLatch(1);
            thread.execute(() -> {
                throw new AssertionError("an order fails");
            });
            thread.execute(carriedOut::countDown);
            assertThat(carriedOut.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
