package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.StringReader;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Generated packets of TCP and UDP: spread over queues, cut into segments, and read by a program no one here wrote. */
@Timeout(300)
class PktgenTest {
    private static final int FLOWS = 64;
    private static final int PACKETS = 10;
    private static final int QUEUES = 4;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"--tcp, 198.18.0.2, 198.19.0.3", "--udp --v6, 2001:2:0:1::2, 2001:2:0:2::3"})
    void flowsAreSpreadAsToeplitzSays(String form, String source, String destination) throws Exception {
        String out = Run.manafold("-c", "ethtool -L mana1 combined " + QUEUES
                + "; ethtool -x mana1 --json; pktgen start mana0 --to mana1 --rate 10kpps --wait --json --flows "
                + FLOWS + " --count " + FLOWS * PACKETS + " " + form).end().done().out();
        int end = out.indexOf("\n]\n") + 2;
        JsonObject steering = read(out.substring(0, end)).readArray().getJsonObject(0);
        JsonObject report = read(out.substring(end)).readObject();
        assertThat(report.getString("source")).isEqualTo(source);
        assertThat(report.getString("destination")).isEqualTo(destination);

        int[] numbers = numbers(steering.getJsonArray("rss-hash-key"));
        byte[] key = new byte[numbers.length];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) numbers[i];
        }
        int[] table = numbers(steering.getJsonArray("rss-indirection-table"));
        long[] expected = new long[QUEUES];
        for (int flow = 0; flow < FLOWS; flow++) {
            int hash = hash(key, input(source, report.getInt("first_port") + flow, destination, report.getInt("port")));
            expected[table[Integer.remainderUnsigned(hash, table.length)]] += PACKETS;
        }
        long[] received = new long[QUEUES];
        for (JsonObject queue : report.getJsonArray("queues").getValuesAs(JsonObject.class)) {
            received[queue.getInt("queue")] = queue.getInt("received");
        }
        assertThat(report.getInt("lost")).isZero();
        assertThat(received).isEqualTo(expected);
    }

    @Test
    void onlyTheChecksumsThatWereAskedForAreBad() {
        assumeTrue(Host.isThere("tshark"), "tshark is not installed");
        Path file = folder.resolve("net.pcapng");
        String start = "pktgen start mana0 --to mana1 --wait --json ";
        String out = Run.manafold().fed(String.join("\n", "capture start net " + file,
                start + "--tcp --tso 64k --flows 4 --count 5", start + "--tcp --v6 --vlan 5 --tso 20k --count 2",
                start + "--udp --count 20", start + "--udp --v6 --count 20",
                start + "--udp --v6 --bad-checksum --count 7", start + "--tcp --bad-checksum --vlan 9 --count 8",
                "capture stop net", "")).done().out();
        List<JsonObject> reports = Stream.of(out.substring(0, out.lastIndexOf("\n}\n") + 2).split("(?<=\\n})\\n"))
                .map(one -> read(one).readObject()).toList();
        // 65,536 bytes of payload are cut by 1,460, and 20,480 by 1,440
        assertThat(reports).extracting(one -> one.getInt("sent")).containsExactly(5 * 45, 2 * 15, 20, 20, 7, 8);
        assertThat(reports).extracting(one -> one.getInt("received") + one.getInt("lost"))
                .containsExactly(5 * 45, 2 * 15, 20, 20, 7, 8);
        assertThat(reports).extracting(one -> one.getInt("received") - one.getInt("checksums_good"))
                .endsWith(7, 8).startsWith(0, 0, 0, 0);

        assertThat(frames(file, "ip.addr == 198.18.0.0/15 || ipv6.addr == 2001:2::/48")).isEqualTo(310);
        assertThat(frames(file, "ip.checksum.status == \"Bad\"")).isZero();
        assertThat(frames(file, "udp.checksum.status == \"Good\"")).isEqualTo(40);
        assertThat(frames(file, "udp.checksum.status == \"Bad\" && ipv6")).isEqualTo(7);
        assertThat(frames(file, "tcp.checksum.status == \"Good\"")).isEqualTo(5 * 45 + 2 * 15);
        assertThat(frames(file, "tcp.checksum.status == \"Bad\" && vlan.id == 9")).isEqualTo(8);
    }

    private static long frames(Path file, String filter) {
        return Run.of("tshark", "-n", "-r", file.toString(), "-o", "tcp.check_checksum:TRUE", "-o",
                "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-Y", filter).end().done().out().lines()
                .count();
    }

    /** For every bit of the input that is set, the 32 bits of the key that begin at its place. */
    private static int hash(byte[] key, byte[] input) {
        BigInteger bits = new BigInteger(1, key);
        int hash = 0;
        for (int i = 0; i < input.length * 8; i++) {
            if ((input[i / 8] >> 7 - i % 8 & 1) != 0) {
                hash ^= bits.shiftRight(key.length * 8 - 32 - i).intValue();
            }
        }
        return hash;
    }

    private static byte[] input(String source, int sourcePort, String destination, int port) throws Exception {
        byte[] from = InetAddress.ofLiteral(source).getAddress();
        byte[] to = InetAddress.ofLiteral(destination).getAddress();
        return ByteBuffer.allocate(from.length + to.length + 4).put(from).put(to).putShort((short) sourcePort)
                .putShort((short) port).array();
    }

    private static int[] numbers(JsonArray array) {
        return array.getValuesAs(JsonNumber.class).stream().mapToInt(JsonNumber::intValue).toArray();
    }

    private static JsonReader read(String json) {
        return Json.createReader(new StringReader(json));
    }
}
