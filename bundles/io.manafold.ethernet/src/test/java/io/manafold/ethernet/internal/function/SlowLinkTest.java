package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.ByteBounds;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Bytes that wait in a send queue whose device sends slowly. */
@Isolated
@Timeout(300)
class SlowLinkTest {
    private static final int MEGABITS = 10;
    private static final int LENGTH = 1514;
    private static final int RING = 256 * LENGTH;

    private final Bench bench = new Bench("queues", 2);
    private final EthernetDevice device = bench.left();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Sends whatever is taken, on the first queue. */
    private static final class Flood implements PacketUser, AutoCloseable {
        /** Far fewer than the queue may hold in the end: what is sent together completes together. */
        private final PacketBuffer[] burst = new PacketBuffer[8];
        private volatile PacketPort port;

        Flood(NetDevice device) {
            port = device.attach(this);
        }

        @Override
        public String name() {
            return "flood";
        }

        @Override
        public void receive(PacketBuffer[] packets, int count) {
            PacketBuffer.release(packets, 0, count);
        }

        @Override
        public int doWork() {
            PacketPort out = port;
            if (out == null) {
                return 0;
            }
            int taken = out.take(burst, 0, burst.length);
            for (int i = 0; i < taken; i++) {
                PacketBuffer packet = burst[i];
                packet.place(packet.headroom(), LENGTH);
                packet.put32(0, -1);
                packet.put32(4, -1);
                packet.put32(8, 0x0d3a_0001);
                packet.put16(12, 0x88b5);
                packet.queue(0);
            }
            int accepted = taken == 0 ? 0 : out.send(burst, 0, taken);
            PacketBuffer.release(burst, accepted, taken - accepted);
            return accepted;
        }

        @Override
        public long restNanos() {
            return 50_000;
        }

        @Override
        public void close() {
            port.close();
        }
    }

    private long sent() {
        return device.totals().get("tx_bytes");
    }

    /** Mean bytes under way, and bits in a second. */
    private record Flow(long waiting, double rate) {
    }

    private Flow flow(int millis) throws InterruptedException {
        long before = sent();
        long begin = System.nanoTime();
        long sum = 0;
        for (int i = 0; i < millis; i++) {
            TimeUnit.MILLISECONDS.sleep(1);
            sum += device.byteQueueLimits().getFirst().inFlight();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Flow(sum / millis, (sent() - before) * 8 / seconds);
    }

    @Test
    void packetsDoNotWaitInTheRingOfASlowDevice() throws InterruptedException {
        device.life().port().clamp(true, MEGABITS);
        try (Flood _ = new Flood(device)) {
            device.setByteQueueLimit(0, ByteBounds.MOST, ByteBounds.MOST, 1000);
            TimeUnit.MILLISECONDS.sleep(200);
            Flow free = flow(1000);
            assertThat(free.waiting).as("without a limit").isGreaterThan(RING / 2);
            assertThat(device.queues().getLast().work().pending()).as("of the other queue").isZero();
            assertThat(device.queues().stream().mapToInt(queue -> queue.work().pending()).sum()).isPositive();
            assertThat(device.queues().stream().filter(queue -> !queue.receive())
                    .mapToLong(queue -> queue.work().coalesced()).sum()).isPositive();
            device.setByteQueueLimit(0, 0, ByteBounds.MOST, 50);
            Bench.await("the queue is short", () -> device.byteQueueLimits().getFirst().inFlight() < RING / 8);
            Flow limited = flow(1000);
            assertThat(limited.waiting).as("with a limit that adapts").isLessThan(RING / 4);
            // how fast a paced link is depends on how often its thread runs; the queue must not be what keeps it
            assertThat(limited.rate).as("after %s", free).isGreaterThan(free.rate / 2);
            assertThat(device.byteQueueLimits().getFirst().reached()).isPositive();
        }
        assertThat(device.byteQueueLimits().getLast().reached()).as("of the queue that was not used").isZero();
    }

    @Test
    void whatIsSetIsKeptAndWhatCannotBeIsRefused() {
        device.setByteQueueLimit(1, 3000, 60_000, 20);
        assertThat(device.byteQueueLimits().get(1)).isEqualTo(new ByteQueueLimit(1, 60_000, 3000, 60_000, 20, 0, 0));
        assertThat(device.control().settings().kept()).containsEntry("bytes", "1/3000/60000/20");
        device.setPromiscuous(true);
        assertThat(device.isPromiscuous()).isTrue();
        device.setUp(false);
        assertThat(device.byteQueueLimits().get(1)).isEqualTo(new ByteQueueLimit(1, 60_000, 3000, 60_000, 20, 0, 0));
        bench.remove();
        bench.begin();
        assertThat(bench.left().byteQueueLimits().get(1).min()).isEqualTo(3000);
        assertThat(bench.left().isPromiscuous()).isTrue();
        assertThat(bench.left().isAllMulticast()).isFalse();
        bench.left().life().port().clamp(true, 500);
        assertThat(bench.left().debugState()).containsEntry("current_speed", 500L).containsEntry("max_sq", 2L)
                .containsEntry("gdma_protocol_ver", 1L)
                .containsEntry("pf_cap_flags1", bench.left().life().port().session().function().features());
        assertThat(bench.left().speed()).as("what its kind can do").isEqualTo(200_000_000_000L);
        for (int[] wrong : new int[][] {{2, 0, 1, 1}, {-1, 0, 1, 1}, {0, 2, 1, 1}, {0, -1, 1, 1}, {0, 0, 1, -1},
            {0, 0, ByteBounds.MOST + 1, 1}}) {
            assertThatThrownBy(() -> bench.left().setByteQueueLimit(wrong[0], wrong[1], wrong[2], wrong[3]))
                    .isInstanceOfSatisfying(Refusal.class,
                            refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
        }
    }
}
