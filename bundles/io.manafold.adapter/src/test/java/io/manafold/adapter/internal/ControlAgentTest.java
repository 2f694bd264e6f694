package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ControlAgentTest {
    @Test
    void aDutyThatFailsIsTriedAgainAfterAPauseAndOrdersGoOn() throws InterruptedException {
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicInteger runs = new AtomicInteger();
        try (ControlAgent agent = new ControlAgent("test-control", () -> {
            runs.incrementAndGet();
            if (fails.get()) {
                throw new StackOverflowError();
            }
            return Long.MAX_VALUE;
        })) {
            agent.start();
            Thread.sleep(500);
            assertThat(runs).hasValueLessThan(12);
            fails.set(false);
            CountDownLatch carriedOut = new CountDownLatch(1);
            agent.execute(() -> {
                throw new AssertionError("an order fails");
            });
            agent.execute(carriedOut::countDown);
            assertThat(carriedOut.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
