package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A driver and a peer that write anything: nothing comes out of the port, and a sound neighbour is not disturbed. */
class PortFuzzTest {
    private final Guest wild = new Guest("wild", 0x000d3a000001L, 64 << 20, 9014);
    private final Guest calm = new Guest("calm", 0x000d3a000002L, 64 << 20, 9014);
    private final DirectLink link = new DirectLink();
    private long frames;

    @BeforeEach
    void plugIn() {
        wild.port.attach(link);
        calm.port.attach(link);
        wild.port.transmitVia(Guest.PD, 4, 0);
        calm.port.transmitVia(Guest.PD, 4, 0);
    }

    @AfterEach
    void close() {
        wild.close();
        calm.close();
    }

    private long address(Random random) {
        long inside = Guest.DMA + random.nextInt(16 << 20);
        return switch (random.nextInt(200)) {
            case 0 -> random.nextLong();
            case 1 -> Guest.DMA + wild.block.size() - random.nextInt(64);
            case 2 -> -random.nextInt(64);
            default -> inside;
        };
    }

    private int length(Random random) {
        return switch (random.nextInt(100)) {
            case 0 -> random.nextInt();
            case 1 -> 0;
            case 2 -> random.nextInt(70_000);
            default -> 1 + random.nextInt(600);
        };
    }

    /** Mostly sound requests with something wrong here and there. */
    private void post(GuestSender sender, Random random) {
        int count = random.nextInt(8) == 0 ? random.nextInt(31) : 1 + random.nextInt(4);
        long[] pieces = new long[2 * count];
        for (int i = 0; i < count; i++) {
            pieces[2 * i] = address(random);
            pieces[2 * i + 1] = Integer.toUnsignedLong(length(random));
        }
        if (count > 0 && random.nextInt(4) != 0) {
            // headers that are almost right
            byte[] head = Packets.ip(random.nextBoolean() ? 4 : 6, random.nextBoolean() ? 6 : 17, calm.mac.value(), 40,
                    random.nextLong());
            for (int i = random.nextInt(4); i > 0; i--) {
                head[12 + random.nextInt(head.length - 12)] = (byte) random.nextInt();
            }
            pieces[0] = Guest.DMA + (1 << 20) + random.nextInt(1 << 20);
            pieces[1] = 14 + random.nextInt(head.length - 14);
            wild.put(pieces[0], head);
        }
        sender.flags = switch (random.nextInt(3)) {
            case 0 -> random.nextInt() & 0xfe;
            case 1 -> random.nextInt() & 0x6c;
            default -> 0;
        };
        sender.transportOffset = random.nextInt(4) == 0 ? random.nextInt(1024) : 0;
        sender.tag = random.nextInt(3) == 0 ? random.nextInt(65536) : -1;
        sender.longForm = random.nextInt(5) == 0;
        sender.segment = random.nextInt(4) == 0 ? random.nextInt(16384) : 0;
        sender.headerBytes = random.nextInt(3) == 0 ? random.nextInt(256) : count == 0 ? 0
                : (int) pieces[1] & 0xff;
        sender.post(pieces);
        for (int i = random.nextInt(60) == 0 ? 3 : 0; i > 0; i--) {
            sender.put32(4 * random.nextInt(8) - 32, random.nextInt());
        }
    }

    @Test
    void sendRequestsOfAnyKind() {
        GuestReceiver peer = calm.receiver(1, 8192);
        long buffers = calm.take(256 * 9216);
        for (int i = 0; i < 256; i++) {
            peer.postPieces(buffers + i * 9216L, 9014);
        }
        peer.produced = 8192;
        peer.ring().open();
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            GuestSender sender = wild.sender(0x400, 4096 << random.nextInt(2));
            wild.port.transmitVia(Guest.PD, 4, 0);
            for (int round = 0; round < 20 && !sender.queue.ended; round++) {
                for (int i = 1 + random.nextInt(5); i > 0; i--) {
                    post(sender, random);
                }
                if (random.nextInt(50) == 0) {
                    sender.produced = random.nextInt();
                }
                sender.ring();
                int cycles = 0;
                while (wild.port.duty().doWork() > 0) {
                    assertThat(++cycles).isLessThan(10_000);
                    peer.produced += 256 * 32;
                    peer.queue.doorbell(peer.queue.consumed() + 8192);
                    frames += peer.completions.drain();
                }
            }
            wild.port.destroy(sender.queue);
            wildReset();
        }
        assertThat(frames).as("frames that made it").isGreaterThan(500);
        assertThat(calm.rejected).isEmpty();
        assertThat(peer.queue.ended).isFalse();
    }

    private int taken;

    /** Rings of destroyed queues are not given back by the test's memory; a new guest now and then would be slow. */
    private void wildReset() {
        taken++;
        assertThat(taken * 40_000L).isLessThan(wild.block.size());
    }

    @Test
    void receiveRequestsOfAnyKind() {
        FrameBurst burst = new FrameBurst(8, 64);
        long frame = calm.take(9216);
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            GuestReceiver receiver = wild.receiver(1, 4096);
            wild.port.steer(new Steering(true, random.nextBoolean(), true, receiver.queue, null,
                    new ReceiveQueue[] {receiver.queue}, 1 << random.nextInt(2) * random.nextInt(2, 4)));
            for (int round = 0; round < 20 && !receiver.queue.ended; round++) {
                for (int i = random.nextInt(8); i > 0; i--) {
                    int count = random.nextInt(6) == 0 ? random.nextInt(16) : 1;
                    long[] pieces = new long[2 * count];
                    for (int k = 0; k < count; k++) {
                        pieces[2 * k] = random.nextInt(30) == 0 ? address(random)
                                : Guest.DMA + (16 << 20) + random.nextInt(1 << 20);
                        pieces[2 * k + 1] = random.nextInt(30) == 0 ? random.nextInt(20) : 200 + random.nextInt(1800);
                    }
                    receiver.postPieces(pieces);
                    if (random.nextInt(40) == 0) {
                        receiver.put32(4 * random.nextInt(8) - 32, random.nextInt());
                    }
                }
                receiver.queue.doorbell(random.nextInt(60) == 0 ? random.nextInt() : receiver.produced);
                fill(burst, frame, random);
                wild.port.duty().receive(burst, 0, burst.count());
            }
            frames += receiver.completions.drain();
            wild.port.destroy(receiver.queue);
        }
        assertThat(frames).isGreaterThan(1000);
    }

    private void fill(FrameBurst burst, long memory, Random random) {
        burst.clear();
        for (int i = random.nextInt(8); i >= 0; i--) {
            byte[] bytes = Packets.ip(random.nextBoolean() ? 4 : 6, random.nextBoolean() ? 6 : 17, wild.mac.value(),
                    random.nextInt(100), random.nextLong());
            for (int k = random.nextInt(5); k > 0; k--) {
                bytes[12 + random.nextInt(bytes.length - 12)] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                Packets.put16(bytes, 12, 0x8100);
            }
            RawMemory.copy(bytes, 0, calm.raw(memory) + i * 1024L, bytes.length);
            int length = random.nextInt(10) == 0 ? random.nextInt(bytes.length) : bytes.length;
            burst.begin(random.nextInt(4));
            int from = 0;
            for (int pieces = random.nextInt(4); pieces > 0 && from < length; pieces--) {
                int part = Math.min(length - from, 1 + random.nextInt(40));
                burst.add(calm.raw(memory) + i * 1024L + from, part);
                from += part;
            }
            burst.add(calm.raw(memory) + i * 1024L + from, length - from);
        }
    }
}
