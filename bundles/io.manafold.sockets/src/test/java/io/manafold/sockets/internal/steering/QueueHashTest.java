package io.manafold.sockets.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.Spreading;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues and ports by the published vectors of receive-side scaling. */
class QueueHashTest {
    private static final byte[] KEY = HexFormat.of().parseHex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b4"
            + "77cb2da38030f20c6a42b73bbeac01fa");
    private static final int TABLE = 128;
    private static final int LEAST = 1024;
    private static final int MOST = 65535;

    /** A table whose one entry for a hash leads to queue 3, and all others to queue 1. */
    private static QueueHash leading(String hash) {
        int[] table = new int[TABLE];
        for (int i = 0; i < TABLE; i++) {
            table[i] = i == (Integer.parseUnsignedInt(hash, 16) & TABLE - 1) ? 3 : 1;
        }
        return QueueHash.of(new Spreading(KEY, table, 4), null);
    }

    @ParameterizedTest
    @CsvSource({"66.9.149.187, 2794, 161.142.100.80, 1766, 51ccc178",
        "199.92.111.2, 14230, 65.69.140.83, 4739, c626b0ea",
        "3ffe:2501:200:1fff::7, 2794, 3ffe:2501:200:3::1, 1766, 40207d3d",
        "3ffe:1900:4545:3:200:f8ff:fe21:67cf, 44251, fe80::200:f8ff:fe21:67cf, 38024, 02d1feef"})
    void publishedVectorsComeByTheirEntryAndAreFoundFromIt(String source, int sourcePort, String destination, int port,
            String hash) {
        QueueHash queues = leading(hash);
        InetSocketAddress remote = new InetSocketAddress(source, sourcePort);
        assertThat(queues.queue(new InetSocketAddress(destination, port), remote)).isEqualTo(3);
        int[] found = queues.ports(new InetSocketAddress(destination, 0), remote, 3, LEAST, MOST, MOST);
        assertThat(found).contains(port).doesNotHaveDuplicates().hasSizeLessThan((MOST - LEAST) / 32);
        assertThat(Arrays.stream(found)).allMatch(one -> queues.queue(new InetSocketAddress(destination, one), remote)
                == 3);
        assertThat(queues.ports(new InetSocketAddress(destination, 0), remote, 3, LEAST, MOST, 5)).hasSize(5);
        assertThat(queues.ports(new InetSocketAddress(destination, 0), remote, 2, LEAST, MOST, 5)).isEmpty();
        assertThat(queues.leadsTo(3)).isTrue();
        assertThat(queues.leadsTo(2)).isFalse();
    }

    @Test
    void endsOfDifferentFamiliesHaveNoQueue() {
        QueueHash queues = leading("0");
        InetSocketAddress six = new InetSocketAddress("fe80::1", 1);
        InetSocketAddress four = new InetSocketAddress("192.0.2.1", 1);
        assertThat(queues.queue(six, four)).isEqualTo(-1);
        assertThat(queues.ports(four, six, 1, LEAST, MOST, 1)).isEmpty();
    }

    @Test
    void aDeviceThatTellsNoKeyOrTableHasNone() {
        assertThat(QueueHash.of(new Spreading(new byte[0], new int[0], 1), null)).isNull();
        assertThat(QueueHash.of(new Spreading(KEY, new int[0], 1), null)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"'32768\t60999\n', 32768, 60999", "'1 65535', 1, 65535", "9 3, 32768, 60999", "3, 32768, 60999",
        "x, 32768, 60999", "'', 32768, 60999", "0 70000, 32768, 60999"})
    void theKernelsPortsAreReadAsItWritesThem(String text, int least, int most) {
        assertThat(LocalPorts.of(text)).isEqualTo(new LocalPorts(least, most));
    }

    @Test
    void theseOfThisMachineAreMany() {
        LocalPorts ports = LocalPorts.ofThisMachine();
        assertThat(ports.most() - ports.least()).isGreaterThan(100);
    }
}
