package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.memory.RawMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completion queues that were written over before they were read. */
@Timeout(300)
class OverflowTest {
    @Test
    void thePortGetsNewQueuesAndItIsToldOf() {
        try (Bench bench = new Bench("queues", 2)) {
            EthernetDevice device = bench.left();
            QueueSet before = device.life().queues();
            try (Pulse left = new Pulse(device, bench.right()); Pulse right = new Pulse(bench.right(), device)) {
                left.flows("at first");
                for (int queue = 0; queue < before.channels(); queue++) {
                    overwrite(before.receive(queue).pair().completions());
                }
                Bench.await("there are new queues", () -> device.life().queues() != before
                        && device.life().queues() != null);
                left.flows("after the overflow");
                right.flows("after the overflow");
            }
            Bench.await("it is told", () -> bench.told.stream().anyMatch(event -> event.startsWith("RECOVERED "
                    + device.name() + " has new queues after ")));
            assertThat(bench.told).anyMatch(event -> event.startsWith("RESET " + device.name() + ": Completions of "
                    + "completion queue ") && event.endsWith("were overwritten before they were read. Its queues are "
                    + "made anew"));
        }
    }

    /** As a device does that has come round twice more. */
    private static void overwrite(CompletionQueue queue) {
        for (int slot = 0; slot < queue.slots(); slot++) {
            long last = queue.memory().pointer() + (long) slot * CompletionEntry.SIZE + CompletionEntry.LAST;
            RawMemory.put32(last, RawMemory.get32(last) & 0x1fff_ffff | 5 << 29);
        }
    }
}
