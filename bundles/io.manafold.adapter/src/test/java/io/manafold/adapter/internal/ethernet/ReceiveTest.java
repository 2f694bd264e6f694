package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.ReceiveCompletion;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReceiveTest extends PortPair {
    private void steer(boolean enable, int together) {
        two.port.steer(new Steering(enable, false, true, receiver.queue, null, null, together));
    }

    private void send(byte[]... frames) {
        for (byte[] frame : frames) {
            sender.post(one.put(frame), frame.length);
        }
        sender.ring();
        one.port.duty().doWork();
    }

    private byte[] to(long destination) {
        byte[] frame = plain(60);
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (destination >>> 40 - 8 * i);
        }
        return frame;
    }

    @Test
    void aPortTakesItsOwnAddressAndGroupsAndNothingElse() {
        send(to(two.mac.value()), to(0x000d3a000099L), to(0xffff_ffff_ffffL), to(0x3333_0000_0001L));

        assertThat(arrived()).hasSize(3);
        assertThat(counter(two, "rx_packets")).isEqualTo(3);
        assertThat(counter(two, "hc_rx_ucast_pkts")).isEqualTo(1);
        assertThat(counter(two, "hc_rx_bcast_pkts")).isEqualTo(1);
        assertThat(counter(two, "hc_rx_mcast_pkts")).isEqualTo(1);
        assertThat(counter(two, "hc_rx_mcast_bytes")).isEqualTo(60);
        assertThat(counter(two, "rx_bytes")).isEqualTo(180);
        assertThat(counter(two, "rx_other_station")).isEqualTo(1);
        assertThat(counter(one, "tx_packets")).isEqualTo(4);
        assertThat(counter(one, "hc_tx_ucast_pkts")).isEqualTo(2);
        assertThat(counter(one, "hc_tx_bcast_bytes")).isEqualTo(60);
        assertThat(queueCounter(two, "rx_packets")).isEqualTo(3);
        assertThat(queueCounter(two, "rx_bytes")).isEqualTo(180);
    }

    @Test
    void aClosedPortTakesNothing() {
        steer(false, 1);
        send(plain(60), to(0x000d3a000099L));

        assertThat(arrived()).isEmpty();
        assertThat(counter(two, "rx_packets")).isZero();
        assertThat(counter(two, "hc_rx_err_vport_disabled")).isEqualTo(1);
        assertThat(two.port.framesLost()).isEqualTo(1);
        assertThat(two.port.status().open()).isFalse();
        steer(true, 1);
        send(plain(60));
        assertThat(arrived()).hasSize(1);
        assertThat(two.port.status().open()).isTrue();
    }

    @Test
    void framesWithoutABufferAreDroppedAndCounted() {
        GuestReceiver little = two.receiver(9, 4096).post(2, 1514);
        little.open();
        byte[][] frames = {plain(61), plain(62), plain(63)};
        send(frames);
        assertThat(little.receive().frame()).isEqualTo(frames[0]);
        assertThat(little.receive().frame()).isEqualTo(frames[1]);
        assertThat(little.receive()).isNull();
        assertThat(counter(two, "hc_rx_discards_no_wqe")).isEqualTo(1);
        little.post(1, 1514);
        send(plain(64));
        assertThat(little.receive().frame()).isEqualTo(plain(64));
    }

    @Test
    void aFrameLongerThanItsBufferTakesTheBufferAndSaysSo() {
        GuestReceiver little = two.receiver(9, 4096).post(1, 100).post(1, 1514);
        little.open();
        send(plain(101), plain(60));

        GuestReceiver.Arrived first = little.receive();
        assertThat(first.type()).isEqualTo(4);
        GuestReceiver.Arrived second = little.receive();
        assertThat(second.type()).isEqualTo(1);
        assertThat(second.offset()).isEqualTo(32);
        assertThat(second.frame()).isEqualTo(plain(60));
        assertThat(two.port.status().queues().get(1)).containsEntry("rx_truncated", 1L).containsEntry("rx_packets", 1L);
    }

    @Test
    void aTagDoesNotCountAgainstTheBuffer() {
        GuestReceiver little = two.receiver(9, 4096).post(1, 1514);
        little.open();
        sender.tag = 33;
        send(plain(1514));
        GuestReceiver.Arrived arrived = little.receive();
        assertThat(arrived.frame()).isEqualTo(plain(1514));
        assertThat(arrived.flags()).isEqualTo(ReceiveCompletion.TAGGED | 33);
    }

    @Test
    void buffersInPiecesAcrossPagesAndMappings() {
        GuestReceiver parts = two.receiver(9, 4096);
        long memory = two.take(16384);
        parts.postPieces(memory + 4090, 6, memory + 4096, 1, memory + 1, 500, memory + 6000, 1400);
        parts.postPieces(memory + 8192 + 3000, 1514);
        parts.ring().open();
        byte[] frame = plain(1400);
        sender.tag = 1;
        long at = one.put(frame);
        sender.post(at, 3, at + 3, 10, at + 13, 1387).ring();
        one.port.duty().doWork();
        sender.tag = -1;
        send(plain(1514));

        assertThat(parts.receive().frame()).isEqualTo(frame);
        GuestReceiver.Arrived second = parts.receive();
        assertThat(second.frame()).isEqualTo(plain(1514));
        assertThat(second.offset()).as("a request of 80 bytes takes 96").isEqualTo(96);
    }

    @Test
    void memoryThatIsMappedInSeparatePartsIsOneForTheDriver() {
        // the block once more, page by page, each at an address of its own but in a row
        long alias = 0x9000_0000L;
        for (int page = 0; page < 16; page++) {
            two.table.map(alias + page * 4096L, 4096, two.block.fd(), page * 4096L, true);
            one.table.map(alias + page * 4096L, 4096, one.block.fd(), one.block.size() - 65536 + page * 4096L, true);
        }
        GuestReceiver parts = two.receiver(9, 4096);
        parts.open();
        parts.postPieces(alias + 4000, 1514);
        parts.ring();
        byte[] frame = plain(1514);
        one.put(Guest.DMA + one.block.size() - 65536 + 3900, frame);
        sender.post(alias + 3900, 1514).ring();
        one.port.duty().doWork();

        byte[] entry = parts.completions.poll();
        assertThat(entry[0] & 0x3f).isEqualTo(1);
        assertThat(two.bytes(Guest.DMA + 4000, 1514)).isEqualTo(frame);
    }

    @Test
    void badBuffersEndTheirQueueAndNothingElse() {
        long[][] bad = {{0x1000, 1514}, {Guest.DMA + one.block.size() - 20, 1514}, {-8, 1514}};
        for (long[] pieces : bad) {
            GuestReceiver broken = two.receiver(9, 4096);
            broken.postPieces(pieces);
            broken.ring().open();
            send(plain(60));
            assertThat(broken.receive()).isNull();
            assertThat(broken.queue.ended).isTrue();
            two.port.destroy(broken.queue);
        }
        GuestReceiver broken = two.receiver(9, 4096);
        broken.postPieces(two.take(2000), 2000);
        broken.put32(24 - 32, 0x333);
        broken.ring().open();
        send(plain(60));
        assertThat(broken.queue.ended).isTrue();
        assertThat(two.rejected).hasSize(4).last().asString().contains("key");
        receiver.open();
        send(plain(60));
        assertThat(arrived()).hasSize(1);
    }

    @Test
    void memoryThatMayNotBeWrittenIsNotWritten() {
        two.table.map(0x9000_0000L, 4096, two.block.fd(), 0, false);
        GuestReceiver broken = two.receiver(9, 4096);
        broken.postPieces(0x9000_0000L, 1514);
        broken.ring().open();
        byte[] before = two.bytes(Guest.DMA, 1514);
        send(plain(60));
        assertThat(broken.queue.ended).isTrue();
        assertThat(two.bytes(Guest.DMA, 1514)).isEqualTo(before);
    }

    @Test
    void coalescedCompletionsTellOfUpToFourFrames() {
        steer(true, 4);
        byte[][] frames = new byte[6][];
        for (int i = 0; i < 6; i++) {
            frames[i] = plain(60 + i);
        }
        send(frames);

        byte[] four = receiver.completions.poll();
        assertThat(four[0]).isEqualTo((byte) 0x42);
        byte[] two = receiver.completions.poll();
        assertThat(two[0]).isEqualTo((byte) 0x42);
        assertThat(receiver.completions.poll()).isNull();
        for (int k = 0; k < 6; k++) {
            byte[] entry = k < 4 ? four : two;
            int length = GuestReceiver.u16(entry, ReceiveCompletion.lengthAt(k % 4));
            assertThat(receiver.take(length)).isEqualTo(frames[k]);
        }
        assertThat(GuestReceiver.u16(two, ReceiveCompletion.lengthAt(2))).isZero();
        assertThat(queueCounter(this.two, "rx_coalesced_cqe_4")).isEqualTo(1);
        assertThat(queueCounter(this.two, "rx_coalesced_cqe_2")).isEqualTo(1);
    }

    @Test
    void anEntryOfACompletionMayTellOfTwoFrames() {
        steer(true, 8);
        byte[][] frames = new byte[21][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = plain(60 + i);
        }
        send(frames);

        int told = 0;
        for (int many : new int[] {8, 8, 5}) {
            byte[] entry = receiver.completions.poll();
            assertThat(entry[0]).isEqualTo((byte) 0x47);
            for (int k = 0; k < ReceiveCompletion.MOST_PACKETS; k++) {
                int length = GuestReceiver.u16(entry, ReceiveCompletion.pairedLengthAt(k));
                assertThat(length).isEqualTo(k < many ? frames[told + k].length : 0);
            }
            for (int k = 0; k < many; k++, told++) {
                assertThat(receiver.take(frames[told].length)).isEqualTo(frames[told]);
            }
        }
        assertThat(receiver.completions.poll()).isNull();
        assertThat(queueCounter(two, "rx_coalesced_cqe_8")).isEqualTo(2);
        assertThat(queueCounter(two, "rx_coalesced_cqe_5")).isEqualTo(1);
        // alone it has a completion of its own, of the usual type
        send(plain(60));
        assertThat(receiver.completions.poll()[0]).isEqualTo((byte) 0x41);
    }

    @Test
    void framesOfAnotherKindDoNotShareACompletion() {
        steer(true, 4);
        sender.post(one.put(plain(60)), 60);
        sender.tag = 9;
        sender.post(one.put(plain(60)), 60);
        sender.post(one.put(plain(61)), 61);
        sender.tag = -1;
        sender.post(one.put(plain(62)), 62).ring();
        one.port.duty().doWork();
        assertThat(receiver.completions.poll()[0]).isEqualTo((byte) 0x41);
        assertThat(receiver.completions.poll()[0]).isEqualTo((byte) 0x42);
        assertThat(receiver.completions.poll()[0]).isEqualTo((byte) 0x41);
        assertThat(receiver.completions.poll()).isNull();
    }

    @Test
    void aFenceStandsBehindWhatArrived() {
        steer(true, 4);
        send(plain(60));
        receiver.completions.arm();
        assertThat(receiver.completions.vectors).isEqualTo(1);
        two.port.fence(receiver.queue);
        assertThat(receiver.receive().type()).isEqualTo(1);
        GuestReceiver.Arrived fence = receiver.receive();
        assertThat(fence.type()).isEqualTo(3);
        assertThat(fence.last() & 0x1ff_ffff).isEqualTo(1);
        send(plain(61));
        assertThat(receiver.receive().frame()).as("a fence takes no buffer").isEqualTo(plain(61));
    }

    @Test
    void aQueueThatHasEndedStillAnswersAFence() {
        GuestReceiver broken = two.receiver(9, 4096);
        broken.postPieces(0x1000, 1514);
        broken.ring().open();
        send(plain(60));
        two.port.fence(broken.queue);
        assertThat(broken.completions.poll()[0]).isEqualTo((byte) 0x43);
        assertThat(broken.completions.poll()).isNull();
    }

    @Test
    void aBurstIsOneEventPerArming() {
        receiver.completions.arm();
        sender.completions.arm();
        byte[][] frames = new byte[50][];
        Arrays.setAll(frames, i -> plain(60));
        send(frames);
        send(frames);
        assertThat(arrived()).hasSize(100);
        assertThat(receiver.completions.vectors).isEqualTo(1);
        assertThat(sender.completions.vectors).isEqualTo(1);
        assertThat(link.bursts).isEqualTo(2);
    }

    @Test
    void aFrameSplitInsideItsHeadersIsUnderstood() {
        byte[] frame = plain(64);
        Packets.put32(frame, 12, 0x8100_0005);
        long at = one.put(frame);
        sender.post(at, 3, at + 3, 8, at + 11, 2, at + 13, 3, at + 16, 48).ring();
        one.port.duty().doWork();
        GuestReceiver.Arrived arrived = receiver.receive();
        byte[] stripped = new byte[60];
        System.arraycopy(frame, 0, stripped, 0, 12);
        System.arraycopy(frame, 16, stripped, 12, 48);
        assertThat(arrived.frame()).isEqualTo(stripped);
        assertThat(arrived.flags()).isEqualTo(ReceiveCompletion.TAGGED | 5);
    }
}
