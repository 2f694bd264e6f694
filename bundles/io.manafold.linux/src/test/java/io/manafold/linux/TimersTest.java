package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimersTest {
    @Test
    void aThreadsWaitsBecomeExactAndOthersStayAsTheyWere() throws Exception {
        long usual = Timers.slack();
        CompletableFuture<Long> sharp = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                Timers.slack(1);
                sharp.complete(Timers.slack());
            } catch (Exception failed) {
                sharp.completeExceptionally(failed);
            }
        });
        assertThat(sharp).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(1L);
        assertThat(Timers.slack()).isEqualTo(usual).isGreaterThan(1);
    }
}
