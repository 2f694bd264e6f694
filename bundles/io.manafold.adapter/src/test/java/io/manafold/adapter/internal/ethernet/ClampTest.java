package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.SendRequest;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ClampTest extends PortPair {
    private void post(int requests, int length) {
        long at = one.put(plain(length));
        for (int i = 0; i < requests; i++) {
            sender.post(at, length);
        }
        sender.ring();
    }

    /** Runs the port as an agent would until so many completions have come. */
    private void runUntil(int completions) {
        long start = System.nanoTime();
        int done = 0;
        while (done < completions) {
            if (one.port.duty().doWork() == 0) {
                LockSupport.parkNanos(Math.min(one.port.duty().restNanos(), 1_000_000));
            }
            done += sender.completions.drain();
            assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
        }
    }

    @Test
    void requestsWaitInTheirRingAndNothingIsLost() {
        // before the clamp: from there on its schedule runs, and a little of a pause may be made up for
        long start = System.nanoTime();
        one.port.clamp(10_000_000);
        assertThat(one.port.clamp()).isEqualTo(10_000_000);
        post(50, 1000);
        one.port.duty().doWork();
        assertThat(one.port.duty().restNanos()).isLessThanOrEqualTo(800_000);
        int sent = link.seen.size();
        assertThat(sent).isBetween(1, (int) ((System.nanoTime() - start) / 800_000) + 1);

        runUntil(50);

        assertThat(System.nanoTime() - start).as("49 frames of 8000 bits at 10 Mbit/s before the last one")
                .isGreaterThan(49 * 800_000);
        assertThat(link.seen).hasSize(50);
    }

    @Test
    void theSegmentsOfALargeSendArePacedAndCompleteOnce() {
        long start = System.nanoTime();
        one.port.clamp(10_000_000);
        byte[] whole = Packets.ip(4, Packets.TCP, two.mac.value(), 40000, 1);
        long at = one.put(whole);
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM | SendRequest.IP_CHECKSUM;
        sender.segment = 1000;
        sender.headerBytes = 66;
        sender.post(at, 66, at + 66, 40000).ring();
        one.port.duty().doWork();
        assertThat(link.seen.size()).isBetween(1, (int) ((System.nanoTime() - start) / 852_800) + 1);

        runUntil(1);

        assertThat(link.seen).hasSize(40);
        assertThat(System.nanoTime() - start).as("39 frames of 8528 bits at 10 Mbit/s before the last one")
                .isGreaterThan(39 * 852_800);
        assertThat(link.seen).allMatch(Packets::isTransportGood);
        assertThat(sender.completions.drain()).isZero();
    }

    @Test
    void aLargeSendWhoseMemoryGoesAwayHalfwayEndsItsQueue() {
        one.port.clamp(1_000_000);
        byte[] whole = Packets.ip(4, Packets.TCP, two.mac.value(), 40000, 1);
        one.table.map(0x9000_0000L, 1 << 20, one.block.fd(), 8 << 20, true);
        one.put(Guest.DMA + (8 << 20), whole);
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM | SendRequest.IP_CHECKSUM;
        sender.segment = 1000;
        sender.headerBytes = 66;
        sender.post(0x9000_0000L, 66, 0x9000_0000L + 66, 40000).ring();
        one.port.duty().doWork();
        one.table.unmap(0x9000_0000L, 1 << 20);
        one.port.clamp(0);
        one.port.duty().doWork();
        assertThat(sender.queue.ended).isTrue();
        assertThat(sender.completion()).isEqualTo(37);
        assertThat(one.rejected).hasSize(1);
    }

    @Test
    void takingTheClampAwayLetsEverythingGo() {
        one.port.clamp(1_000_000);
        post(50, 1000);
        one.port.duty().doWork();
        assertThat(link.seen.size()).isLessThan(5);
        one.port.clamp(0);
        one.port.duty().doWork();
        assertThat(link.seen).hasSize(50);
    }

    @Test
    void queuesShareAClampByBytes() {
        GuestSender other = one.sender(0x800, 8192);
        long big = one.put(plain(1500));
        long small = one.put(plain(100));
        for (int i = 0; i < 200; i++) {
            sender.post(big, 1500);
            other.post(small, 100);
        }
        one.port.clamp(400_000_000);
        sender.ring();
        other.ring();
        long start = System.nanoTime();
        // until the small frames are all gone
        int done = 0;
        while (done < 200) {
            one.port.duty().doWork();
            done += other.completions.drain();
            assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
        }
        long bytesOfBig = 0;
        long bytesOfSmall = 0;
        for (byte[] frame : link.seen) {
            if (bytesOfSmall == 20_000) {
                break;
            }
            if (frame.length == 1500) {
                bytesOfBig += frame.length;
            } else {
                bytesOfSmall += frame.length;
            }
        }
        assertThat(bytesOfSmall).isEqualTo(20_000);
        assertThat(bytesOfBig).isBetween(16_000L, 52_000L);
    }
}
