package io.manafold.packet;

import static io.manafold.packet.TestFrames.ethernet;
import static io.manafold.packet.TestFrames.hex;
import static io.manafold.packet.TestFrames.ipv4;
import static io.manafold.packet.TestFrames.ipv6;
import static io.manafold.packet.TestFrames.join;
import static io.manafold.packet.TestFrames.tcp;
import static io.manafold.packet.TestFrames.udp;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeadersTest {
    private final Headers headers = new Headers();

    private Headers parse(byte[]... parts) {
        byte[] frame = join(parts);
        assertThat(headers.parse(frame, 0, frame.length, frame.length)).isTrue();
        return headers;
    }

    @Test
    void tcpOverIpv4() {
        parse(ethernet(EtherType.IPV4), ipv4(6, 0, 0x4000, 20 + 12 + 5), tcp(12, 0x10), new byte[5], new byte[9]);
        assertThat(headers.isIpv4()).isTrue();
        assertThat(headers.isTcp()).isTrue();
        assertThat(headers.isFragment()).isFalse();
        assertThat(headers.network()).isEqualTo(14);
        assertThat(headers.addresses()).isEqualTo(26);
        assertThat(headers.transport()).isEqualTo(34);
        assertThat(headers.payload()).isEqualTo(66);
        assertThat(headers.transportLength()).as("padding is not of the packet").isEqualTo(37);
        assertThat(headers.transportChecksum()).isEqualTo(50);
    }

    @Test
    void tagsAreLookedThrough() {
        parse(ethernet(EtherType.IPV4, 0x6064), ipv4(17, 8, 0, 8), udp(0));
        assertThat(headers.tags()).isEqualTo(1);
        assertThat(headers.tag()).isEqualTo(0x6064);
        assertThat(headers.isUdp()).isTrue();
        assertThat(headers.transport()).isEqualTo(14 + 4 + 28);
        parse(ethernet(EtherType.IPV6, 7, 9), ipv6(17, 8), udp(0));
        assertThat(headers.tags()).isEqualTo(2);
        assertThat(headers.tag()).isEqualTo(7);
        assertThat(headers.isUdp()).isTrue();
        parse(ethernet(EtherType.IPV6, 7, 9, 11), ipv6(17, 8), udp(0));
        assertThat(headers.isIp()).as("a third tag is not looked through").isFalse();
        assertThat(headers.etherType()).isEqualTo(EtherType.VLAN);
    }

    @Test
    void fragments() {
        parse(ethernet(EtherType.IPV4), ipv4(17, 0, 0x2000, 16), udp(100), new byte[8]);
        assertThat(headers.isFragment()).isTrue();
        assertThat(headers.isUdp()).as("the first has the header").isTrue();
        parse(ethernet(EtherType.IPV4), ipv4(17, 0, 5, 16), udp(100), new byte[8]);
        assertThat(headers.isFragment()).isTrue();
        assertThat(headers.isUdp()).isFalse();
        assertThat(headers.transport()).isEqualTo(-1);
        parse(ethernet(EtherType.IPV6), ipv6(44, 16), hex("1100 0009 00000001"), udp(0));
        assertThat(headers.isFragment()).isTrue();
        assertThat(headers.transport()).isEqualTo(-1);
        assertThat(headers.protocol()).isEqualTo(17);
        parse(ethernet(EtherType.IPV6), ipv6(44, 16), hex("1100 0000 00000001"), udp(0));
        assertThat(headers.isFragment()).as("a whole packet in one fragment").isFalse();
        assertThat(headers.isUdp()).isTrue();
    }

    @Test
    void extensionsOfIpv6() {
        parse(ethernet(EtherType.IPV6), ipv6(0, 8 + 16 + 12 + 20), hex("3c00000000000000"),
                hex("33010000000000000000000000000000"), hex("060100000000000000000000"), tcp(0, 2));
        assertThat(headers.hasExtensions()).isTrue();
        assertThat(headers.isTcp()).isTrue();
        assertThat(headers.transport()).isEqualTo(54 + 36);
        assertThat(headers.transportLength()).isEqualTo(20);
        parse(ethernet(EtherType.IPV6), ipv6(59, 0));
        assertThat(headers.isBroken()).isFalse();
        assertThat(headers.hasExtensions()).isFalse();
        byte[] endless = new byte[8 * 40];
        for (int i = 0; i < endless.length; i += 8) {
            endless[i] = 60;
        }
        parse(ethernet(EtherType.IPV6), ipv6(60, endless.length), endless);
        assertThat(headers.isBroken()).isTrue();
        assertThat(headers.transport()).isEqualTo(-1);
    }

    @Test
    void whatLiesAboutItsLengthIsBroken() {
        byte[] good = join(ethernet(EtherType.IPV4), ipv4(6, 0, 0, 20), tcp(0, 0));
        for (int total : new int[] {0, 19, 41, 65535}) {
            byte[] bad = good.clone();
            TestFrames.put16(bad, 16, total);
            parse(bad);
            assertThat(headers.isBroken()).as("total length %d", total).isTrue();
            assertThat(headers.isIp()).isFalse();
        }
        byte[] shortHeader = good.clone();
        shortHeader[14] = 0x44;
        assertThat(parse(shortHeader).isBroken()).isTrue();
        byte[] longTcp = good.clone();
        longTcp[34 + 12] = (byte) 0xf0;
        assertThat(parse(longTcp).isTcp()).isFalse();
        byte[] wrongVersion = good.clone();
        wrongVersion[14] = 0x65;
        assertThat(parse(wrongVersion).isBroken()).isTrue();
        byte[] six = join(ethernet(EtherType.IPV6), ipv6(17, 9), udp(0));
        assertThat(parse(six).isBroken()).isTrue();
        assertThat(headers.parse(good, 0, 13, 54)).isFalse();
        assertThat(headers.parse(good, 0, 54, 13)).isFalse();
    }

    @Test
    void templatesHaveNoLengths() {
        byte[] four = ipv4(6, 0, 0, 0);
        TestFrames.put16(four, 2, 0);
        byte[] frame = join(ethernet(EtherType.IPV4), four, tcp(12, 0x18));
        assertThat(headers.parseTemplate(frame, 0, frame.length, frame.length)).isTrue();
        assertThat(headers.isTcp()).isTrue();
        assertThat(headers.payload()).isEqualTo(66);
    }

    @Test
    void frameWithoutIp() {
        parse(ethernet(EtherType.ARP), new byte[28]);
        assertThat(headers.isBroken()).isFalse();
        assertThat(headers.isIp()).isFalse();
        assertThat(headers.network()).isEqualTo(-1);
    }

    /** Bytes around the frame are poison: the answer must not depend on them, whatever the frame says. */
    @Test
    void fuzz() {
        Random random = new Random(20);
        byte[][] seeds = {
            join(ethernet(EtherType.IPV4, 5), ipv4(6, 8, 0, 40), tcp(12, 0x18), new byte[8]),
            join(ethernet(EtherType.IPV4), ipv4(17, 0, 0, 30), udp(22), new byte[22]),
            join(ethernet(EtherType.IPV6, 1, 2), ipv6(0, 40), hex("0600000000000000"), tcp(0, 0), new byte[12]),
            join(ethernet(EtherType.IPV6), ipv6(51, 60), hex("2c0100000000000000000000"), hex("3c00000100000000"),
                    hex("1100000000000000"), udp(24), new byte[24])};
        Headers other = new Headers();
        int found = 0;
        for (int i = 0; i < 60_000; i++) {
            byte[] frame = seeds[random.nextInt(seeds.length)].clone();
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                frame[12 + random.nextInt(frame.length - 12)] = (byte) random.nextInt();
            }
            int available = random.nextInt(4) > 0 ? frame.length : random.nextInt(frame.length + 1);
            int length = random.nextInt(4) > 0 ? frame.length : random.nextInt(2 * frame.length);
            boolean template = random.nextInt(8) == 0;
            byte[] one = poisoned(frame, available, 0x00);
            byte[] two = poisoned(frame, available, 0xff);
            boolean whole = template ? headers.parseTemplate(one, 16, available, length)
                    : headers.parse(one, 16, available, length);
            boolean same = template ? other.parseTemplate(two, 16, available, length)
                    : other.parse(two, 16, available, length);
            assertThat(whole).isEqualTo(same).isEqualTo(Math.min(available, length) >= 14);
            assertThat(summary(headers)).containsExactly(summary(other));
            int reach = Math.min(available, length);
            if (headers.isIp()) {
                assertThat(headers.addresses() + headers.addressBytes()).isLessThanOrEqualTo(reach);
            }
            if (headers.isTcp() || headers.isUdp()) {
                assertThat(headers.transport() + 8).isLessThanOrEqualTo(reach);
                assertThat(headers.transportChecksum() + 2).isLessThanOrEqualTo(reach);
                assertThat(headers.transport() + headers.transportLength()).isLessThanOrEqualTo(length);
                assertThat(headers.transportHeader()).isLessThanOrEqualTo(headers.transportLength());
                found++;
            }
        }
        assertThat(found).isGreaterThan(10_000);
    }

    private static byte[] poisoned(byte[] frame, int available, int poison) {
        byte[] bytes = new byte[16 + available + 64];
        Arrays.fill(bytes, (byte) poison);
        System.arraycopy(frame, 0, bytes, 16, available);
        return bytes;
    }

    private static int[] summary(Headers headers) {
        return new int[] {headers.etherType(), headers.tags(), headers.tag(), headers.network(), headers.protocol(),
            headers.transport(), headers.transportHeader(), headers.transportLength(), headers.isFragment() ? 1 : 0,
            headers.hasExtensions() ? 1 : 0, headers.isBroken() ? 1 : 0, headers.isIpv4() ? 4 : 0};
    }
}
