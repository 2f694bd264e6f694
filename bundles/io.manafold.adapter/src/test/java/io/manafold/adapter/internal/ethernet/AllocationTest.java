package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.message.ShaperValues;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.PauseFrame;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** In the steady state nothing is allocated, whatever kind of frame goes over. */
class AllocationTest extends PortPair {
    private static final int REQUESTS = 32;
    private static final int WARM = 2000;
    private static final int COUNTED = 2000;

    private GuestReceiver ring;

    private long round(int produced) {
        sender.queue.doorbell(produced);
        while (one.port.duty().doWork() > 0 || one.port.duty().restNanos() == 0) {
            // as an agent would
        }
        int completed = sender.completions.drain();
        int arrived = ring.completions.drain();
        ring.queue.doorbell(ring.queue.consumed() + ring.ringBytes);
        sender.completions.arm();
        ring.completions.arm();
        if (completed != REQUESTS || arrived == 0) {
            throw new AssertionError(completed + " completed, " + arrived + " arrived");
        }
        return arrived;
    }

    /** The ring is full of the same requests over and over: only the doorbell moves. */
    private void measure(int requestBytes) {
        link.watching = false;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long arrived = 0;
        int produced = sender.produced - REQUESTS * requestBytes;
        for (int i = 0; i < WARM; i++) {
            produced += REQUESTS * requestBytes;
            arrived = round(produced);
        }
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < COUNTED; i++) {
                produced += REQUESTS * requestBytes;
                long now = round(produced);
                if (now != arrived) {
                    throw new AssertionError(now + " frames instead of " + arrived);
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        // the count itself may cost a little, compilation on this thread nothing
        assertThat(least).as("bytes for %d frames", COUNTED * arrived).isLessThan(COUNTED);
        assertThat(one.rejected).isEmpty();
        assertThat(two.rejected).isEmpty();
    }

    private void fill(int together, long... pieces) {
        sender = one.sender(0x800, pieces.length == 2 && sender.tag < 0 ? 4096 : 8192);
        ring = two.receiver(30, 8192).post(256, 1514);
        ring.produced = 8192;
        two.port.steer(new Steering(true, true, true, ring.queue, new byte[40], new ReceiveQueue[] {ring.queue},
                together));
    }

    private void repeat(long... pieces) {
        int size = 0;
        while (sender.produced < sender.ringBytes) {
            int before = sender.produced;
            sender.post(pieces);
            size = sender.produced - before;
        }
        sender.produced = REQUESTS * size;
        measure(size);
    }

    @Test
    void plainFrames() {
        fill(1, 0, 0);
        repeat(one.put(plain(60)), 60);
    }

    @Test
    void framesWhileAnotherClassIsPaused() {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = new byte[PauseFrame.LENGTH];
            PauseFrame.write(bytes, 0, 0x024d_4600_0001L, 1 << 3, 0);
            FrameBurst pause = new FrameBurst(1, 1);
            pause.addWhole(0, arena.allocate(bytes.length).address(), bytes.length);
            RawMemory.copy(bytes, 0, pause.address(0, 0), bytes.length);
            // at this rate for more than an hour
            one.port.pauses().take(pause, 0, 8192, System.nanoTime());
        }
        GuestSender waiting = one.sender(0xc00, 4096);
        byte[] urgent = Packets.ip(4, Packets.UDP, two.mac.value(), 20, 1);
        urgent[15] = 24 << 2;
        waiting.post(one.put(urgent), urgent.length).ring();
        fill(1, 0, 0);
        repeat(one.put(plain(60)), 60);
        assertThat(waiting.completion()).isEqualTo(-1);
    }

    @Test
    void framesThroughATree() {
        fill(1, 0, 0);
        one.port.shape(shapers -> {
            shapers.set(new ShaperValues(ShaperValues.NETDEV, 0, 0, 0, 0, 0, 0, 0, 100_000_000_000L, 0));
            shapers.set(new ShaperValues(ShaperValues.NODE, 0, 1, 0, 0, 0, 0, 1_000_000, 50_000_000_000L, 0));
            shapers.set(new ShaperValues(ShaperValues.QUEUE, 1, 3, 0, 0, 1, 2, 1_000_000, 40_000_000_000L, 0));
            return shapers;
        });
        repeat(one.put(plain(60)), 60);
    }

    @Test
    void coalescedFrames() {
        fill(4, 0, 0);
        repeat(one.put(plain(60)), 60);
    }

    @Test
    void framesOfWhichTwoShareAnEntry() {
        fill(8, 0, 0);
        repeat(one.put(plain(60)), 60);
    }

    @Test
    void framesWithChecksum() {
        fill(1, 0, 0);
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM;
        repeat(one.put(Packets.ip(4, Packets.TCP, two.mac.value(), 1000, 1)), 1066);
    }

    @Test
    void taggedFrames() {
        sender.tag = 0;
        fill(1, 0, 0);
        sender.tag = 5;
        repeat(one.put(plain(60)), 60);
    }

    @Test
    void segmentedFrames() {
        fill(1, 0, 0, 0, 0);
        sender.flags = SendRequest.IPV6 | SendRequest.TCP_CHECKSUM;
        sender.segment = 1400;
        sender.headerBytes = 86;
        byte[] whole = Packets.ip(6, Packets.TCP, two.mac.value(), 2000, 1);
        long at = one.put(whole);
        repeat(at, 86, at + 86, 2000);
    }
}
