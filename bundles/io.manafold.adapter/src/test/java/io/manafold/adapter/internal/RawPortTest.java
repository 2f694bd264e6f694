package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PacketHandler;
import io.manafold.testkit.RawPort;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two users of one function's ports, each with a protection domain, a doorbell page and registered memory of its own. */
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
    private long wrong;

    RawPortTest() {
        bench.plug(net.link(), "raw/1", "raw/2");
        session = bench.session(memory);
        left = new RawPort(session, 0, memory.allocate(BYTES), ENTRIES, 96, 1);
        right = new RawPort(session, 1, memory.allocate(BYTES), ENTRIES, 96, 2);
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

    private static byte[] frame(RawPort to, RawPort from, int number) {
        byte[] frame = RawFrames.between(to.vport().mac(), from.vport().mac(), 60 + number % 1455);
        frame[14] = (byte) number;
        frame[15] = (byte) (number >>> 8);
        return frame;
    }

    private PacketHandler expecting(RawPort port) {
        return (pointer, length, flags, hash) -> {
            int number = (int) port.received();
            int seen = RawMemory.get8(pointer + 14) & 0xff | (RawMemory.get8(pointer + 15) & 0xff) << 8;
            if (length != 60 + number % 1455 || seen != (number & 0xffff)) {
                wrong++;
            }
        };
    }

    /** Sends frames both ways, one after the other's completion ring has been round many times. */
    private void exchange(int frames) {
        PacketHandler atLeft = expecting(left);
        PacketHandler atRight = expecting(right);
        long leftGoal = left.received() + frames;
        long rightGoal = right.received() + frames;
        int first = (int) left.received();
        int sentLeft = 0;
        int sentRight = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (left.received() < leftGoal || right.received() < rightGoal) {
            assertThat(System.nanoTime()).as("time for %d frames; %d and %d are there", frames, left.received(),
                    right.received()).isLessThan(deadline);
            int burst = 0;
            // no faster than the other end has buffers
            while (burst++ < 32 && sentLeft < frames && first + sentLeft - right.received() < 64) {
                byte[] frame = frame(right, left, first + sentLeft);
                sentLeft += left.send(frame, frame.length) ? 1 : 0;
            }
            left.ring();
            burst = 0;
            while (burst++ < 32 && sentRight < frames && first + sentRight - left.received() < 64) {
                byte[] frame = frame(left, right, first + sentRight);
                sentRight += right.send(frame, frame.length) ? 1 : 0;
            }
            right.ring();
            left.poll(atLeft);
            right.poll(atRight);
        }
        assertThat(wrong).as("frames that arrived otherwise than they were sent").isZero();
    }

    @Test
    void framesPassThroughKeysAndCompletionQueuesOfNinetySix() {
        exchange(20_000);
        assertThat(left.failed() + right.failed()).isZero();
        assertThat(bench.adapter.rejections()).isEmpty();
    }

    @Test
    void aKeyThatWasTakenAwayStandsForNothing() {
        exchange(100);
        left.registered().close();
        byte[] frame = frame(right, left, 0);
        left.send(frame, frame.length);
        left.ring();
        awaitRejection();
        assertThat(right.poll((pointer, length, flags, hash) -> { })).isZero();
        assertThat(bench.adapter.rejections().getFirst().toString()).contains("key");
    }

    @Test
    void anothersDoorbellPageRingsNothing() {
        exchange(100);
        byte[] frame = frame(right, left, 0);
        left.send(frame, frame.length);
        right.sends().rights().page().ring(Doorbell.SEND,
                Doorbell.work(left.sends().work().id(), left.sends().work().produced()));
        bench.function.control().await(() -> { });
        assertThat(right.poll((pointer, length, flags, hash) -> { })).isZero();
        left.ring();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (right.poll((pointer, length, flags, hash) -> { }) == 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private void awaitRejection() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (bench.adapter.rejections().isEmpty()) {
            assertThat(System.nanoTime()).as("time until the refusal is noted").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
