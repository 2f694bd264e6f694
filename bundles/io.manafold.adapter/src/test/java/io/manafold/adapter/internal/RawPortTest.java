package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.RawExchange;
import io.manafold.testkit.RawPort;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two users of one function's ports, each with a protection domain, a doorbell page and registered memory of its own.
 */
@Timeout(120)
class RawPortTest {
    private static final int ENTRIES = 128;
    private static final int BYTES = 2 * ENTRIES * RawPort.SLOT;

    private final TestSwitch net = new TestSwitch("raw/1", "raw/2");
    private final Bench bench = new Bench("raw", "ports", 2);
    private final DmaArena memory = bench.memory(32);
    private final EthernetSession session;
    private final RawPort left;
    private final RawPort right;
    private final RawExchange exchange;

    RawPortTest() {
        bench.plug(net.link(), "raw/1", "raw/2");
        session = bench.session(memory);
        left = new RawPort(session, 0, memory.allocate(BYTES), ENTRIES, 96, 1);
        right = new RawPort(session, 1, memory.allocate(BYTES), ENTRIES, 96, 2);
        exchange = new RawExchange(left, right);
    }

    @AfterEach
    void close() {
        right.close();
        left.close();
        session.close();
        memory.close();
        bench.close();
        net.close();
    }

    private static byte[] frame(RawPort to, RawPort from) {
        return RawFrames.between(to.vport().mac(), from.vport().mac(), 60);
    }

    @Test
    void framesPassThroughKeysAndCompletionQueuesOfNinetySix() {
        exchange.frames(20_000);
        assertThat(left.failed() + right.failed()).isZero();
        assertThat(bench.adapter.rejections()).isEmpty();
    }

    @Test
    void aKeyThatWasTakenAwayStandsForNothing() {
        exchange.frames(100);
        long before = right.received();
        left.registered().close();
        byte[] frame = frame(right, left);
        left.send(frame, frame.length);
        left.ring();
        awaitRejection();
        right.poll((pointer, length, flags, hash) -> { });
        assertThat(right.received()).isEqualTo(before);
        assertThat(bench.adapter.rejections().getFirst().toString()).contains("key");
    }

    @Test
    void anothersDoorbellPageRingsNothing() {
        exchange.frames(100);
        long before = right.received();
        byte[] frame = frame(right, left);
        left.send(frame, frame.length);
        right.sends().rights().page().ring(Doorbell.SEND,
                Doorbell.work(left.sends().work().id(), left.sends().work().produced()));
        bench.function.control().await(() -> { });
        right.poll((pointer, length, flags, hash) -> { });
        assertThat(right.received()).isEqualTo(before);
        left.ring();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (right.received() == before) {
            right.poll((pointer, length, flags, hash) -> { });
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private void awaitRejection() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (bench.adapter.rejections().isEmpty()) {
            assertThat(System.nanoTime()).as("time until the refusal is noted").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
