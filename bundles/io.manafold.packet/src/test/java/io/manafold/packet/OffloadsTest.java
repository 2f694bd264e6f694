package io.manafold.packet;

import static io.manafold.packet.TestFrames.ethernet;
import static io.manafold.packet.TestFrames.get16;
import static io.manafold.packet.TestFrames.get32;
import static io.manafold.packet.TestFrames.ipv4;
import static io.manafold.packet.TestFrames.ipv6;
import static io.manafold.packet.TestFrames.join;
import static io.manafold.packet.TestFrames.random;
import static io.manafold.packet.TestFrames.slowSum;
import static io.manafold.packet.TestFrames.slowTransportSum;
import static io.manafold.packet.TestFrames.tcp;
import static io.manafold.packet.TestFrames.udp;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OffloadsTest {
    private final Headers headers = new Headers();

    @Test
    void checksumsAreWrittenAndFoundGood() {
        Random random = new Random(3);
        for (int i = 0; i < 3000; i++) {
            boolean v4 = random.nextBoolean();
            boolean isTcp = random.nextBoolean();
            byte[] payload = random(random.nextInt(1400), i);
            byte[] transport = isTcp ? tcp(random.nextInt(11) * 4, 0x10) : udp(payload.length);
            int inside = transport.length + payload.length;
            int protocol = isTcp ? Protocol.TCP : Protocol.UDP;
            byte[] ip = v4 ? ipv4(protocol, random.nextInt(11) * 4, 0, inside) : ipv6(protocol, inside);
            byte[] frame = join(ethernet(v4 ? EtherType.IPV4 : EtherType.IPV6), ip, transport, payload);
            int start = 14 + ip.length;
            // the scratch copy may end anywhere behind the headers; the rest is summed elsewhere
            int copied = start + transport.length + random.nextInt(payload.length + 1);
            byte[] scratch = join(new byte[5], Arrays.copyOf(frame, copied));
            long rest = InternetChecksum.add(0, frame, copied, frame.length - copied);
            assertThat(headers.parse(scratch, 5, copied, frame.length)).isTrue();

            if (v4) {
                scratch[5 + 14 + 10]++;
                assertThat(Offloads.isIpv4ChecksumGood(scratch, 5, headers)).isFalse();
                Offloads.writeIpv4Checksum(scratch, 5, headers);
                assertThat(Offloads.isIpv4ChecksumGood(scratch, 5, headers)).isTrue();
                assertThat(slowSum(scratch, 19, 19 + ip.length)).isEqualTo(0xffff);
            }
            Offloads.writeTransportChecksum(scratch, 5, headers, copied, rest);
            assertThat(Offloads.isTransportChecksumGood(scratch, 5, headers, copied, rest)).isTrue();
            System.arraycopy(scratch, 5, frame, 0, copied);
            assertThat(slowTransportSum(frame, 14, start, frame.length, protocol)).isEqualTo(0xffff);
            scratch[5 + start]++;
            assertThat(Offloads.isTransportChecksumGood(scratch, 5, headers, copied, rest)).isFalse();
        }
    }

    @Test
    void udpWithoutChecksumIsNotGood() {
        byte[] frame = join(ethernet(EtherType.IPV4), ipv4(17, 0, 0, 8), udp(0));
        headers.parse(frame, 0, frame.length, frame.length);
        assertThat(Offloads.isTransportChecksumGood(frame, 0, headers, frame.length, 0)).isFalse();
    }

    @Test
    void largeSendsBecomeSegments() {
        Random random = new Random(4);
        for (int round = 0; round < 300; round++) {
            boolean v4 = random.nextBoolean();
            boolean tagged = random.nextBoolean();
            int options = random.nextInt(11) * 4;
            byte[] link = tagged ? ethernet(v4 ? EtherType.IPV4 : EtherType.IPV6, 100)
                    : ethernet(v4 ? EtherType.IPV4 : EtherType.IPV6);
            byte[] ip = v4 ? ipv4(Protocol.TCP, 0, 0x4000, 0) : ipv6(Protocol.TCP, 0);
            if (v4) {
                TestFrames.put16(ip, 2, 0);
                TestFrames.put16(ip, 4, 0xfffe);
                TestFrames.put16(ip, 10, 0);
            }
            byte[] template = join(link, ip, tcp(options, 0x99));
            byte[] payload = random(1 + random.nextInt(65_000), round);
            int segment = 1 + random.nextInt(3000) + payload.length / 500;
            Segmentation segmentation = new Segmentation();
            assertThat(segmentation.begin(join(new byte[3], template), 3, template.length, payload.length, segment))
                    .isTrue();
            assertThat(segmentation.count()).isEqualTo((payload.length + segment - 1) / segment);
            check(segmentation, link.length, template, payload, v4);
        }
    }

    private void check(Segmentation segmentation, int network, byte[] template, byte[] payload, boolean v4) {
        int transport = network + (v4 ? 20 : 40);
        int done = 0;
        for (int i = 0; i < segmentation.count(); i++) {
            int length = segmentation.payloadLength(i);
            assertThat(segmentation.payloadOffset(i)).isEqualTo(done);
            byte[] out = new byte[7 + template.length];
            segmentation.write(i, out, 7, InternetChecksum.add(0, payload, done, length));
            byte[] frame = join(Arrays.copyOfRange(out, 7, out.length),
                    Arrays.copyOfRange(payload, done, done + length));
            assertThat(headers.parse(frame, 0, frame.length, frame.length)).isTrue();
            assertThat(headers.isTcp()).isTrue();
            assertThat(headers.payload()).isEqualTo(template.length);
            assertThat(headers.transport() + headers.transportLength()).isEqualTo(frame.length);
            if (v4) {
                assertThat(get16(frame, network + 4)).isEqualTo(0xfffe + i & 0xffff);
                assertThat(slowSum(frame, network, network + 20)).isEqualTo(0xffff);
            }
            assertThat(slowTransportSum(frame, network, transport, frame.length, 6)).isEqualTo(0xffff);
            assertThat(get32(frame, transport + 4)).isEqualTo(0xffffff00 + done);
            int flags = frame[transport + 13] & 0xff;
            assertThat(flags & 0x09).as("FIN and PSH").isEqualTo(i == segmentation.count() - 1 ? 0x09 : 0);
            assertThat(flags & 0x80).as("CWR").isEqualTo(i == 0 ? 0x80 : 0);
            assertThat(flags & 0x10).as("ACK").isEqualTo(0x10);
            done += length;
        }
        assertThat(done).isEqualTo(payload.length);
    }

    @Test
    void whatCannotBeCutIsRefused() {
        Segmentation segmentation = new Segmentation();
        byte[] good = join(ethernet(EtherType.IPV4), ipv4(6, 0, 0, 0), tcp(0, 0));
        assertThat(segmentation.begin(good, 0, 54, 100, 50)).isTrue();
        assertThat(segmentation.begin(good, 0, 54, 0, 50)).isFalse();
        assertThat(segmentation.count()).isZero();
        assertThat(segmentation.begin(good, 0, 54, 100, 0)).isFalse();
        assertThat(segmentation.begin(good, 0, 54, 100, 65535)).isFalse();
        assertThat(segmentation.begin(good, 0, 53, 100, 50)).isFalse();
        assertThat(segmentation.begin(join(good, new byte[2]), 0, 56, 100, 50)).as("bytes behind TCP").isFalse();
        for (byte[] bad : List.of(join(ethernet(EtherType.IPV4), ipv4(17, 0, 0, 8), udp(0)),
                join(ethernet(EtherType.IPV4), ipv4(6, 0, 0x2000, 20), tcp(0, 0)), ethernet(EtherType.ARP))) {
            assertThat(segmentation.begin(bad, 0, bad.length, 100, 50)).isFalse();
        }
    }

    @Test
    void anyTemplateIsCutOrRefused() {
        Random random = new Random(6);
        byte[] seed = join(ethernet(EtherType.IPV6, 5), ipv6(0, 28), new byte[] {6, 0, 0, 0, 0, 0, 0, 0}, tcp(0, 0));
        Segmentation segmentation = new Segmentation();
        byte[] out = new byte[256];
        int cut = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] template = seed.clone();
            for (int flips = random.nextInt(3); flips > 0; flips--) {
                template[12 + random.nextInt(template.length - 12)] = (byte) random.nextInt();
            }
            if (segmentation.begin(template, 0, template.length, 1 + random.nextInt(5000), 1 + random.nextInt(2000))) {
                cut++;
                for (int k = 0; k < segmentation.count(); k += 1 + segmentation.count() / 3) {
                    segmentation.write(k, out, 0, random.nextLong());
                }
            }
        }
        assertThat(cut).isBetween(5_000, 29_000);
    }
}
