package io.manafold.packet;

import static io.manafold.packet.TestFrames.slowSum;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InternetChecksumTest {
    @Test
    void knownHeader() {
        byte[] header = TestFrames.hex("450000730000400040110000c0a80001c0a800c7");
        assertThat(InternetChecksum.finish(InternetChecksum.add(0, header, 0, 20))).isEqualTo(0xb861);
        TestFrames.put16(header, 10, 0xb861);
        assertThat(InternetChecksum.isGood(InternetChecksum.add(0, header, 0, 20))).isTrue();
        header[3]++;
        assertThat(InternetChecksum.isGood(InternetChecksum.add(0, header, 0, 20))).isFalse();
    }

    @Test
    void anyLengthAtAnyOffset() {
        byte[] bytes = TestFrames.random(200, 1);
        for (int from = 0; from < 20; from++) {
            for (int to = from; to < bytes.length; to++) {
                assertThat(InternetChecksum.fold(InternetChecksum.add(0, bytes, from, to - from)))
                        .isEqualTo(slowSum(Arrays.copyOfRange(bytes, from, to), 0, to - from));
            }
        }
    }

    @Test
    void piecesAddUpWhereverTheyAreCut() {
        Random random = new Random(2);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = TestFrames.random(random.nextInt(3000), i);
            long sum = 0;
            int at = 0;
            while (at < bytes.length) {
                int length = Math.min(bytes.length - at, 1 + random.nextInt(900));
                sum = InternetChecksum.addPiece(sum, InternetChecksum.add(0, bytes, at, length), at);
                at += length;
            }
            assertThat(InternetChecksum.fold(sum)).isEqualTo(slowSum(bytes, 0, bytes.length));
        }
    }

    @Test
    void largestValuesDoNotOverflow() {
        byte[] ones = new byte[1 << 20];
        Arrays.fill(ones, (byte) 0xff);
        long sum = 0;
        for (int i = 0; i < 64; i++) {
            sum = InternetChecksum.add(sum, ones, 0, ones.length);
        }
        assertThat(InternetChecksum.fold(sum)).isEqualTo(0xffff);
        assertThat(InternetChecksum.fold(-1)).isEqualTo(0xffff);
        assertThat(InternetChecksum.fold(0)).isZero();
    }

    @Test
    void aChecksumOfUdpIsNeverZero() {
        assertThat(InternetChecksum.finish(0xffff)).isZero();
        assertThat(InternetChecksum.finishUdp(0xffff)).isEqualTo(0xffff);
        assertThat(InternetChecksum.finishUdp(0xfffe)).isEqualTo(1);
    }
}
