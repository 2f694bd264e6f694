package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SendOffloadTest extends PortPair {
    private static int flags(int version, int protocol) {
        return (version == 4 ? SendRequest.IPV4 : SendRequest.IPV6)
                | (protocol == Packets.TCP ? SendRequest.TCP_CHECKSUM : SendRequest.UDP_CHECKSUM);
    }

    @ParameterizedTest
    @CsvSource({"4,6,0", "4,6,1", "4,17,0", "4,17,201", "4,17,1000", "6,6,1399", "6,6,7", "6,17,256", "6,17,1"})
    void checksumsAreComputedFromTheData(int version, int protocol, int payload) {
        byte[] right = Packets.ip(version, protocol, two.mac.value(), payload, version * 31 + payload);
        byte[] posted = right.clone();
        Packets.put16(posted, Packets.checksumField(posted), 0xbad1);
        sender.flags = flags(version, protocol);
        sender.transportOffset = protocol == Packets.TCP ? Packets.transport(right) : 0;

        sender.send(posted);

        GuestReceiver.Arrived arrived = receiver.receive();
        assertThat(arrived.frame()).isEqualTo(right);
        assertThat(ReceiveCompletion.isChecked(arrived.flags())).isTrue();
        assertThat(arrived.flags()).isEqualTo(ReceiveCompletion.IP_GOOD
                | (protocol == Packets.TCP ? ReceiveCompletion.TCP_GOOD : ReceiveCompletion.UDP_GOOD));
        assertThat(sender.completion()).isEqualTo(32);
        assertThat(queueCounter(one, "tx_csum_partial")).isEqualTo(1);
    }

    @Test
    void aChecksumOfZeroIsSentAsAllOnesInUdp() {
        byte[] frame = Packets.ip(4, Packets.UDP, two.mac.value(), 2, 5);
        int last = frame.length - 2;
        // make the sum come out as 0
        Packets.put16(frame, last, 0);
        Packets.fixTransport(frame);
        Packets.put16(frame, last, Packets.u16(frame, Packets.checksumField(frame)));
        Packets.put16(frame, Packets.checksumField(frame), 0);
        sender.flags = flags(4, Packets.UDP);

        sender.send(frame);

        byte[] arrived = receiver.receive().frame();
        assertThat(Packets.u16(arrived, Packets.checksumField(arrived))).isEqualTo(0xffff);
        assertThat(Packets.isTransportGood(arrived)).isTrue();
    }

    /** As DPDK's driver leaves it there from a packet of TCP over IPv6. */
    @Test
    void whereAnEarlierHeaderWasIsNoMatterInUdp() {
        byte[] right = Packets.ip(4, Packets.UDP, two.mac.value(), 60, 3);
        byte[] posted = right.clone();
        Packets.put16(posted, Packets.checksumField(posted), 0xbad1);
        sender.flags = flags(4, Packets.UDP);
        sender.transportOffset = 54;

        sender.send(posted);

        assertThat(receiver.receive().frame()).isEqualTo(right);
    }

    @Test
    void theHeaderChecksumOfIpv4IsComputedWhenAsked() {
        byte[] right = Packets.ip(4, Packets.UDP, two.mac.value(), 99, 7);
        byte[] posted = right.clone();
        Packets.put16(posted, 24, 0);
        sender.flags = SendRequest.IPV4 | SendRequest.IP_CHECKSUM | SendRequest.UDP_CHECKSUM;

        sender.send(posted);

        assertThat(receiver.receive().frame()).isEqualTo(right);
    }

    @Test
    void aFrameInManyPiecesWithAChecksumArrivesWhole() {
        byte[] right = Packets.ip(6, Packets.TCP, two.mac.value(), 1300, 11);
        byte[] posted = right.clone();
        Packets.put16(posted, Packets.checksumField(posted), 0);
        sender.flags = flags(6, Packets.TCP);
        sender.transportOffset = 54;
        long at = one.put(posted);
        long[] pieces = new long[60];
        int from = 0;
        for (int i = 0; i < 30; i++) {
            int length = i == 29 ? posted.length - from : 1 + i * 2;
            pieces[2 * i] = at + from;
            pieces[2 * i + 1] = length;
            from += length;
        }

        sender.post(pieces).ring();
        one.port.duty().doWork();

        assertThat(receiver.receive().frame()).isEqualTo(right);
        assertThat(one.rejected).isEmpty();
    }

    @Test
    void aTagIsInsertedAndStrippedAgain() {
        byte[] frame = plain(90);
        sender.tag = 5 << 13 | 100;

        sender.send(frame);

        byte[] wire = link.seen.getFirst();
        assertThat(wire).hasSize(94);
        assertThat(Packets.u32(wire, 12)).isEqualTo(0x8100_0000 | 5 << 13 | 100);
        GuestReceiver.Arrived arrived = receiver.receive();
        assertThat(arrived.frame()).isEqualTo(frame);
        assertThat(arrived.flags()).isEqualTo(ReceiveCompletion.TAGGED | 100);
        assertThat(queueCounter(one, "tx_long_pkt_fmt")).isEqualTo(1);
        long[] physical = new long[EthernetPort.PHYSICAL];
        two.port.addPhysical(physical);
        assertThat(physical[2 + 2 * 5]).as("packets received of class 5").isEqualTo(1);
    }

    @Test
    void aTagGoesIntoAFrameWithChecksum() {
        byte[] right = Packets.ip(4, Packets.TCP, two.mac.value(), 500, 3);
        byte[] posted = right.clone();
        Packets.put16(posted, Packets.checksumField(posted), 0);
        sender.tag = 7;
        sender.flags = flags(4, Packets.TCP);
        sender.transportOffset = 34;

        sender.send(posted);

        assertThat(Packets.isTransportGood(link.seen.getFirst())).isTrue();
        assertThat(receiver.receive().frame()).isEqualTo(right);
    }

    @ParameterizedTest
    @CsvSource({"4,1448,10000,-1", "6,1428,5713,-1", "4,1448,1448,-1", "4,1,5,-1", "4,1400,65160,9", "6,100,301,4095"})
    void aLargeSendIsCutIntoSegments(int version, int segment, int payload, int tag) {
        byte[] whole = Packets.ip(version, Packets.TCP, two.mac.value(), payload % 60000, 17);
        int header = Packets.transport(whole) + 32;
        byte[] all = new byte[header + payload];
        new java.util.Random(payload).nextBytes(all);
        System.arraycopy(whole, 0, all, 0, header);
        Packets.put16(all, version == 4 ? 16 : 18, 0);
        if (version == 4) {
            Packets.put16(all, 24, 0);
            Packets.put16(all, 18, 0xfffe);
        }
        Packets.put32(all, Packets.transport(all) + 4, 0xffff_ff00);
        long at = one.put(all);
        sender.flags = flags(version, Packets.TCP) | SendRequest.IP_CHECKSUM;
        sender.transportOffset = Packets.transport(all);
        sender.segment = segment;
        sender.headerBytes = header;
        sender.tag = tag;
        int half = payload / 2;

        sender.post(at, header, at + header, half, at + header + half, payload - half).ring();
        while (one.port.duty().doWork() > 0) {
            assertThat(one.rejected).isEmpty();
        }

        List<byte[]> frames = arrived();
        int count = (payload + segment - 1) / segment;
        assertThat(frames).hasSize(count);
        assertThat(link.seen).allSatisfy(frame -> assertThat(Packets.u16(frame, 12) == 0x8100).isEqualTo(tag >= 0));
        int done = 0;
        for (int i = 0; i < count; i++) {
            byte[] frame = frames.get(i);
            int data = Math.min(segment, payload - done);
            int transport = Packets.transport(frame);
            assertThat(frame).hasSize(header + data);
            assertThat(Packets.isTransportGood(frame)).as("segment %d", i).isTrue();
            if (version == 4) {
                assertThat(Packets.isIpGood(frame)).isTrue();
                assertThat(Packets.u16(frame, 16)).isEqualTo(frame.length - 14);
                assertThat(Packets.u16(frame, 18)).isEqualTo(0xfffe + i & 0xffff);
            } else {
                assertThat(Packets.u16(frame, 18)).isEqualTo(frame.length - 54);
            }
            assertThat(Packets.u32(frame, transport + 4)).isEqualTo(0xffff_ff00 + done);
            assertThat(frame[transport + 13] & 0x9).isEqualTo(i == count - 1 ? 0x9 : 0);
            assertThat(java.util.Arrays.equals(frame, header, frame.length, all, header + done, header + done + data))
                    .isTrue();
            done += data;
        }
        assertThat(sender.completion()).isEqualTo(32);
        assertThat(sender.completion()).isEqualTo(-1);
        assertThat(queueCounter(one, "tx_tso_packets")).isEqualTo(1);
        assertThat(queueCounter(one, "tx_tso_bytes")).isEqualTo(payload);
        assertThat(queueCounter(one, "tx_packets")).isEqualTo(count);
    }
}
