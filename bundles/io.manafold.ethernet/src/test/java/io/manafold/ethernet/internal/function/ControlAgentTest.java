package io.manafold.ethernet.internal.function;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ControlAgentTest {
    @Test
    void whatIsDueIsDoneHoweverManyCommandsCome() {
        AtomicInteger ticks = new AtomicInteger();
        ControlAgent control = new ControlAgent("control", Duration.ofMillis(10), ticks::incrementAndGet);
        control.start();
        try {
            again(control);
            Bench.await("ticks come", () -> ticks.get() >= 3);
        } finally {
            control.finish();
        }
    }

    private static void again(ControlAgent control) {
        control.send(() -> again(control));
    }
}
