package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaArena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers of a hardware channel that ends while the device answers nothing. */
@Timeout(120)
class ChannelEndTest {
    private static final int DEPTH = 2;
    private static final int CALLERS = 6;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final ChannelLimits LIMITS = new ChannelLimits(Duration.ofSeconds(30), Duration.ofSeconds(60), LONG,
            LONG, DEPTH);

    private final List<Thread> threads = new ArrayList<>();

    @Test
    void thoseThatWaitUntilTheyMayAskAreLetGoAsThoseThatWaitForAnAnswerAre() throws InterruptedException {
        try (TestAdapter adapter = new TestAdapter("silent", "ports", 1)) {
            PciFunction function = adapter.function();
            DmaArena memory = new DmaArena(function.dma(), "silent", 0x1_0000_0000L, 64 << 20);
            EthernetSession session = EthernetSession.open(function, memory, LIMITS, (_, _) -> { });
            session.function().channel().setTimeout(LONG.toMillis());
            adapter.adapter().inject(new Fault("silent", "query-vport-config", Fault.Effect.WITHHOLD, 0, 0, false));
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                CompletableFuture<Void> call = new CompletableFuture<>();
                calls.add(call);
                threads.add(Thread.ofPlatform().daemon().start(() -> {
                    try {
                        session.call(new QueryVportConfig(0));
                        call.complete(null);
                    } catch (RuntimeException refused) {
                        call.completeExceptionally(refused);
                    }
                }));
            }
            Bench.await("all of them wait", () -> threads.stream()
                    .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            session.function().abandon();
            for (CompletableFuture<Void> call : calls) {
                assertThat(call.orTimeout(30, TimeUnit.SECONDS).handle((_, refused) -> errno(refused)).join())
                        .isEqualTo(Errno.ENODEV);
            }
            session.close();
            memory.close();
        }
    }

    private static Errno errno(Throwable refused) {
        Throwable cause = refused instanceof CompletionException wrapped ? wrapped.getCause() : refused;
        return cause instanceof Refusal refusal ? refusal.errno() : null;
    }
}
