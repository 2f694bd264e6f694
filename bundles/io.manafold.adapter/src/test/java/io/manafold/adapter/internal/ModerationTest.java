package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.RawExchange;
import io.manafold.testkit.RawPort;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a driver says that events of its completion queues are held back, and what is said in vain. */
@Timeout(120)
class ModerationTest {
    private static final int ENTRIES = 128;
    private static final int BYTES = 2 * ENTRIES * RawPort.SLOT;

    private interface Work {
        void on(Bench bench, RawPort left, RawPort right);
    }

    private static void with(String firmware, Work work) {
        try (TestSwitch net = new TestSwitch("held/1", "held/2");
                Bench bench = new Bench("held", "ports", 2, "firmware", firmware);
                DmaArena memory = bench.memory(32)) {
            bench.plug(net.link(), "held/1", "held/2");
            try (EthernetSession session = bench.session(memory);
                    RawPort left = new RawPort(session, 0, memory.allocate(BYTES), ENTRIES, 96, 1);
                    RawPort right = new RawPort(session, 1, memory.allocate(BYTES), ENTRIES, 96, 2)) {
                work.on(bench, left, right);
                new RawExchange(left, right).frames(1000);
                assertThat(left.failed() + right.failed()).as("whatever was said").isZero();
            }
        }
    }

    private static void say(RawPort by, QueuePair of, int micros, int frames) {
        by.sends().rights().page().ring(Doorbell.MODERATION, Doorbell.moderation(of.completions().id(), micros,
                frames));
    }

    private static Map<String, Long> queue(Bench bench) {
        return bench.adapter.ports().getFirst().queues().getFirst();
    }

    @Test
    void aQueueIsHeldBackAsItsOwnerSays() {
        with("2026-07", (bench, left, right) -> {
            assertThat(queue(bench)).containsEntry("rx_usecs", 0L);
            say(left, left.receives(), 100, 16);
            say(left, left.sends(), 1023, 255);
            assertThat(queue(bench)).containsEntry("rx_usecs", 100L).containsEntry("rx_frames", 16L)
                    .containsEntry("tx_usecs", 1023L).containsEntry("tx_frames", 255L);
            assertThat(bench.adapter.rejections()).isEmpty();
        });
    }

    @Test
    void anothersQueueIsNotHeldBack() {
        with("2026-07", (bench, left, right) -> {
            say(right, left.receives(), 100, 16);
            assertThat(queue(bench)).containsEntry("rx_usecs", 0L);
            assertThat(bench.adapter.rejections().getFirst().rule()).contains("on the doorbell page it was made for");
        });
    }

    @Test
    void firmwareOfBeforeHoldsNothingBackAndSaysSo() {
        with("2026-06", (bench, left, right) -> {
            say(left, left.receives(), 100, 16);
            assertThat(queue(bench)).containsEntry("rx_usecs", 0L);
            assertThat(bench.adapter.rejections().getFirst().rule()).contains("if the device says that it can");
        });
    }
}
