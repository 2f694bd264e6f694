package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published values of the hash: what judges the adapter must itself be right. */
class ToeplitzTest {
    private static final String KEY = "6d:5a:56:da:25:5b:0e:c2:41:67:25:3d:43:a3:8f:b0:d0:ca:2b:cb:ae:7b:30:b4"
            + ":77:cb:2d:a3:80:30:f2:0c:6a:42:b7:3b:be:ac:01:fa";

    @ParameterizedTest
    @CsvSource({
        "66.9.149.187, 2794, 161.142.100.80, 1766, 0x323e8fc2, 0x51ccc178",
        "199.92.111.2, 14230, 65.69.140.83, 4739, 0xd718262a, 0xc626b0ea",
        "24.19.198.95, 12898, 12.22.207.184, 38024, 0xd2d0a5de, 0x5c2b394a",
        "3ffe:2501:200:1fff::7, 2794, 3ffe:2501:200:3::1, 1766, 0x2cc18cd5, 0x40207d3d",
        "3ffe:501:8::260:97ff:fe40:efab, 14230, ff02::1, 4739, 0x0f0c461c, 0xdde51bbf",
    })
    void givesThePublishedValues(String from, int fromPort, String to, int toPort, String plain, String ports) {
        Toeplitz hash = Toeplitz.of(KEY);
        assertThat(hash.addresses(from, to)).isEqualTo(Integer.parseUnsignedInt(plain.substring(2), 16));
        assertThat(hash.ports(from, fromPort, to, toPort)).isEqualTo(Integer.parseUnsignedInt(ports.substring(2), 16));
    }
}
