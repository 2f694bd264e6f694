package io.manafold.packet;

import static io.manafold.packet.TestFrames.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published vectors of receive-side scaling, and the definition bit by bit. */
class ToeplitzTest {
    private static final Toeplitz PUBLISHED = new Toeplitz(hex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b4"
            + "77cb2da38030f20c6a42b73bbeac01fa"));

    @ParameterizedTest
    @CsvSource({
        "66.9.149.187, 2794, 161.142.100.80, 1766, 323e8fc2, 51ccc178",
        "199.92.111.2, 14230, 65.69.140.83, 4739, d718262a, c626b0ea",
        "24.19.198.95, 12898, 12.22.207.184, 38024, d2d0a5de, 5c2b394a",
        "38.27.205.30, 48228, 209.142.163.6, 2217, 82989176, afc7327f",
        "153.39.163.191, 44251, 202.188.127.2, 1303, 5d1809c5, 10e828a2",
        "3ffe:2501:200:1fff::7, 2794, 3ffe:2501:200:3::1, 1766, 2cc18cd5, 40207d3d",
        "3ffe:501:8::260:97ff:fe40:efab, 14230, ff02::1, 4739, 0f0c461c, dde51bbf",
        "3ffe:1900:4545:3:200:f8ff:fe21:67cf, 44251, fe80::200:f8ff:fe21:67cf, 38024, 4b61e985, 02d1feef"})
    void published(String source, int sourcePort, String destination, int destinationPort, String addresses,
            String ports) throws Exception {
        byte[] from = InetAddress.getByName(source).getAddress();
        byte[] to = InetAddress.getByName(destination).getAddress();
        byte[] input = TestFrames.join(from, to, TestFrames.be16(sourcePort), TestFrames.be16(destinationPort));
        int both = from.length + to.length;
        assertThat(PUBLISHED.hash(input, 0, both)).isEqualTo((int) Long.parseLong(addresses, 16));
        assertThat(PUBLISHED.hash(input, 0, both + 4)).isEqualTo((int) Long.parseLong(ports, 16));
        byte[] apart = TestFrames.join(new byte[3], from, to, new byte[17], TestFrames.be16(sourcePort),
                TestFrames.be16(destinationPort));
        assertThat(PUBLISHED.hash(apart, 3, both, 3 + both + 17)).isEqualTo((int) Long.parseLong(ports, 16));
    }

    @Test
    void asDefined() {
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            byte[] key = new byte[Toeplitz.KEY];
            byte[] input = new byte[random.nextInt(Toeplitz.MAX_INPUT + 1)];
            random.nextBytes(key);
            random.nextBytes(input);
            assertThat(new Toeplitz(key).hash(input, 0, input.length)).isEqualTo(slow(key, input));
        }
    }

    private static int slow(byte[] key, byte[] input) {
        int hash = 0;
        for (int bit = 0; bit < input.length * 8; bit++) {
            if ((input[bit / 8] >>> 7 - bit % 8 & 1) != 0) {
                int window = 0;
                for (int k = bit; k < bit + 32; k++) {
                    window = window << 1 | key[k / 8] >>> 7 - k % 8 & 1;
                }
                hash ^= window;
            }
        }
        return hash;
    }

    @Test
    void aKeyIsCopiedBothWays() {
        byte[] key = new byte[40];
        Toeplitz zero = new Toeplitz(key);
        key[0] = 1;
        assertThat(zero.key()).containsOnly(0);
        zero.key()[0] = 1;
        assertThat(zero.hash(hex("ffffffff"), 0, 4)).isZero();
        assertThatThrownBy(() -> new Toeplitz(new byte[39])).isInstanceOf(IllegalArgumentException.class);
    }
}
