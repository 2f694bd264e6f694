package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two machines, an adapter each, on one switch: what is sent is what is received, whichever is asked. */
@Tag("guest")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoGuestsTest {
    private static final String LAB = """
            adapters:
              - {name: a, queues: 4, macs: ["00:0d:3a:00:00:0a"]}
              - {name: b, queues: 4, macs: ["00:0d:3a:00:00:0b"]}
            links:
              - {name: net, ports: [a/1, b/1]}
            exports:
              - {adapter: a, socket: %s/a.sock}
              - {adapter: b, socket: %s/b.sock}
            """;
    private static final String BAD = "ip.checksum.status == 0 || tcp.checksum.status == 0 || udp.checksum.status == 0"
            + " || icmpv6.checksum.status == 0 || icmp.checksum.status == 0";
    private static final Duration LONG = Duration.ofMinutes(Kit.times(3, 60));
    private static final Pattern TABLE = Pattern.compile("(?m)^\\s*\\d+:((?:\\s+\\d+)+)$");

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest a;
    private static Guest b;
    private static int captures;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        List<Guest> both = Guest.boot(Guest.named("a").on(platform.socket("a")).cpus(2).limit(Kit.times(500, 7200)),
                Guest.named("b").on(platform.socket("b")).cpus(4).limit(Kit.times(500, 7200)));
        a = both.getFirst();
        b = both.getLast();
        a.run("begin; modprobe mana && until_true 100 there eth0 && end eth0 1").done();
        b.run("begin; modprobe mana && until_true 100 there eth0 && end eth0 2").done();
        a.run("until_true 100 ping -c 1 -W 1 10.1.0.2").done();
        b.run("iperf3 -s -D").done();
        a.run("until_true 100 iperf3 -c 10.1.0.2 -n 64K").done();
    }

    @AfterAll
    static void end() {
        for (Guest guest : new Guest[] {a, b}) {
            if (guest != null) {
                guest.close();
            }
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        for (Guest guest : new Guest[] {a, b}) {
            assertThat(guest.complaints()).as("complaints of a guest's kernel").isEmpty();
            assertThat(guest.run("cat /proc/sys/kernel/tainted").output().trim()).as("taint").isEqualTo("0");
            assertThat(guest.run("awk '/^(Tcp|Udp):/ && $2 ~ /^[0-9]/ { print $NF }' /proc/net/snmp").done().output())
                    .as("checksum errors").doesNotContainPattern("[1-9].*\\n[1-9]");
        }
        adapters.refusedNothing("a");
        adapters.refusedNothing("b");
    }

    private static Path capture() {
        Path file = platform.file("net" + captures++ + ".pcapng");
        platform.run("capture start net " + file).done();
        return file;
    }

    private static void endCapture(Path file) {
        platform.run("capture stop net " + file).done();
    }

    private static long iperf(String options) {
        Answer answer = a.run("iperf3 -J -c 10.1.0.2 " + options, LONG).done();
        JsonObject end = answer.json().asJsonObject().getJsonObject("end");
        JsonObject sum = end.containsKey("sum_received") ? end.getJsonObject("sum_received") : end.getJsonObject("sum");
        return sum.getJsonNumber("bytes").longValue();
    }

    @Test
    @Order(1)
    void theyReachEachOther() {
        a.run("ping -c 5 -i 0.02 10.1.0.2 && ping -c 5 -i 0.02 fd01::2 && ping -c 3 -i 0.02 -s 20000 10.1.0.2").done();
        b.run("ping -c 5 -i 0.02 10.1.0.1 && ping -c 5 -i 0.02 fd01::1 && ping -c 3 -i 0.02 -s 20000 fd01::1").done();
    }

    @ParameterizedTest
    @Order(2)
    @ValueSource(strings = {"-P 1", "-P 4", "-P 1 -R", "-P 4 -R", "-P 2 --bidir"})
    void streams(String options) {
        int mebibytes = Kit.times(8, 200);
        assertThat(iperf("-n " + mebibytes + "M " + options)).isGreaterThan(mebibytes * 1024L * 1024 / 2);
    }

    @Test
    @Order(3)
    void datagrams() {
        assertThat(iperf("-u -b 20M -l 1400 -n 2M")).isPositive();
        assertThat(iperf("-u -b 20M -l 1400 -n 2M -R")).isPositive();
    }

    /** Each end's offloads on or off: what arrives is what was sent, and every checksum is right. */
    @ParameterizedTest
    @Order(4)
    @CsvSource({"on, on, on, 4", "off, on, on, 4", "off, off, on, 4", "on, on, off, 4", "off, off, off, 4",
        "on, on, on, 6", "off, on, off, 6"})
    void thePayloadArrivesAsItWasSent(String tso, String tx, String rx, String version) {
        // the order matters to ethtool: segmentation needs checksums
        a.run("ethtool -K eth0 tx on; ethtool -K eth0 tso " + tso + "; ethtool -K eth0 tx " + tx).done();
        b.run("ethtool -K eth0 rx " + rx).done();
        long segmented = count(a, "tso_packets");
        String from = version.equals("4") ? "10.1.0.1" : "[fd01::1]";
        Path file = capture();
        String sent = a.run("serve_payload 2097152").done().output();
        Answer received = b.run("until_true 50 wget -q -O /tmp/payload http://" + from + ":7000/payload"
                + " && sha256sum </tmp/payload").done();
        endCapture(file);
        assertThat(received.output()).isEqualTo(sent);
        long now = count(a, "tso_packets");
        if (tso.equals("on") && tx.equals("on")) {
            assertThat(now).as("large sends").isGreaterThan(segmented);
        } else {
            assertThat(now).as("large sends").isEqualTo(segmented);
        }
        Frames frames = new Frames(file);
        assertThat(frames.count("tcp.len > 0 && tcp.checksum.status == 1")).isGreaterThan(1000);
        assertThat(frames.fields(BAD, "frame.number", "_ws.col.Info")).isEmpty();
        assertThat(frames.count("frame.len > 1514")).as("frames longer than the MTU allows").isZero();
        a.run("ethtool -K eth0 tx on; ethtool -K eth0 tso on").done();
        b.run("ethtool -K eth0 rx on").done();
    }

    private static long count(Guest guest, String pattern) {
        return Long.parseLong(guest.run("sum eth0 " + pattern).done().output().trim());
    }

    @Test
    @Order(5)
    void taggedFramesStayTagged() {
        Path file = capture();
        a.run("modprobe 8021q; ip link add link eth0 name v type vlan id 100 egress-qos-map 0:5 && end v 1"
                + " && ip addr replace 10.2.0.1/24 dev v").done();
        b.run("modprobe 8021q; ip link add link eth0 name v type vlan id 100 && ip addr replace 10.2.0.2/24 dev v"
                + " && ip link set v up").done();
        a.run("until_true 100 ping -c 1 -W 1 10.2.0.2 && ping -c 5 -i 0.02 10.2.0.2").done();
        a.run("until_true 50 iperf3 -c 10.2.0.2 -n 1M").done();
        a.run("ip link del v").done();
        b.run("ip link del v").done();
        endCapture(file);
        Frames frames = new Frames(file);
        assertThat(frames.count("vlan.id == 100 && vlan.priority == 5 && icmp.type == 8")).isGreaterThanOrEqualTo(5);
        assertThat(frames.count("vlan.id == 100 && icmp.type == 0")).isGreaterThanOrEqualTo(5);
        assertThat(frames.count("vlan.id == 100 && tcp.len > 0")).isPositive();
        assertThat(frames.count("ip.addr == 10.2.0.0/24 && !vlan")).isZero();
        assertThat(frames.fields(BAD, "frame.number", "_ws.col.Info")).isEmpty();
    }

    /** What one machine, the adapter, the capture and the other machine have counted is the same. */
    @Test
    @Order(6)
    void countersAddUp() {
        quiet();
        // the driver asks for the adapter's counters every other second, and shows old ones until then
        a.run("sleep 5").done();
        Map<String, Long> guestBefore = a.run("ethtool -S eth0").done().counters();
        Map<String, Long> peerBefore = b.run("ethtool -S eth0").done().counters();
        Map<String, Long> portBefore = adapters.counters("a", 1);
        Map<String, Long> peerPortBefore = adapters.counters("b", 1);
        Path file = capture();
        a.run("ping -q -c 200 -i 0.005 10.1.0.2 && iperf3 -c 10.1.0.2 -n 1M -P 2").done();
        endCapture(file);
        Map<String, Long> port = change(portBefore, adapters.counters("a", 1));
        Map<String, Long> peerPort = change(peerPortBefore, adapters.counters("b", 1));
        a.run("sleep 5").done();
        Map<String, Long> guest = change(guestBefore, a.run("ethtool -S eth0").done().counters());
        Map<String, Long> peer = change(peerBefore, b.run("ethtool -S eth0").done().counters());

        Frames frames = new Frames(file);
        long fromA = frames.count("eth.src == 00:0d:3a:00:00:0a");
        long fromB = frames.count("eth.src == 00:0d:3a:00:00:0b");
        long bytesFromA = frames.fields("eth.src == 00:0d:3a:00:00:0a", "frame.len").stream()
                .mapToLong(Long::parseLong).sum();
        assertThat(fromA).isGreaterThan(500);
        assertThat(port).containsEntry("tx_packets", fromA).containsEntry("rx_packets", fromB)
                .containsEntry("tx_bytes", bytesFromA);
        assertThat(peerPort).containsEntry("tx_packets", fromB).containsEntry("rx_packets", fromA)
                .containsEntry("rx_bytes", bytesFromA);
        assertThat(guest.get("hc_tx_ucast_pkts") + guest.get("hc_tx_mcast_pkts") + guest.get("hc_tx_bcast_pkts"))
                .as("sent, as the adapter tells the driver").isEqualTo(fromA);
        assertThat(guest).containsEntry("hc_tx_bytes", bytesFromA).containsEntry("hc_rx_discards_no_wqe", 0L);
        assertThat(peer.get("hc_rx_ucast_pkts") + peer.get("hc_rx_mcast_pkts") + peer.get("hc_rx_bcast_pkts"))
                .isEqualTo(fromA);
        assertThat(queues(peer, "rx_\\d+_packets")).as("received by the driver").isEqualTo(fromA);
        assertThat(queues(guest, "rx_\\d+_packets")).isEqualTo(fromB);
        assertThat(queues(guest, "tx_\\d+_packets")).as("large sends count once").isLessThanOrEqualTo(fromA);
        loud();
    }

    /** Nothing is sent without being asked for. */
    private static void quiet() {
        String alone = "sysctl -qw net.ipv6.conf.eth0.disable_ipv6=1; ip neigh replace dev eth0 nud permanent ";
        a.run(alone + "10.1.0.2 lladdr 00:0d:3a:00:00:0b").done();
        b.run(alone + "10.1.0.1 lladdr 00:0d:3a:00:00:0a").done();
    }

    private static void loud() {
        a.run("sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0; end eth0 1").done();
        b.run("sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0; end eth0 2").done();
    }

    private static Map<String, Long> change(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> change = new TreeMap<>();
        after.forEach((name, value) -> change.put(name, value - before.getOrDefault(name, 0L)));
        return change;
    }

    private static long queues(Map<String, Long> counters, String pattern) {
        return counters.entrySet().stream().filter(counter -> counter.getKey().matches(pattern))
                .mapToLong(Map.Entry::getValue).sum();
    }

    /** Frames reach the queue that the hash with the guest's key and table says, each one of them. */
    @ParameterizedTest
    @Order(7)
    @CsvSource({"10.1.0.1, 10.1.0.2, default", "10.1.0.1, 10.1.0.2, 'weight 1 2 3 2'", "fd01::1, fd01::2, default"})
    void framesAreSpreadAsTheHashSays(String from, String to, String table) {
        b.run("ethtool -X eth0 " + table + (table.equals("default") ? "" : " && ethtool -X eth0 hkey "
                + "$(head -c 40 /dev/urandom | hexdump -v -e '1/1 \"%02x:\"' | sed 's/:$//')")).done();
        quiet();
        Answer spread = b.run("ethtool -x eth0").done();
        Toeplitz hash = Toeplitz.of(spread.find("^((?:[0-9a-f]{2}:){39}[0-9a-f]{2})$"));
        int[] buckets = buckets(spread.output());
        // flow by flow: the hash is linear, so ports in a row fill all buckets evenly however wrong it is
        for (int queue = 0; queue < 4; queue++) {
            int wanted = queue;
            for (int port : IntStream.range(1000, 60_000).filter(candidate ->
                    buckets[hash.ports(from, candidate, to, 9) & buckets.length - 1] == wanted).limit(2).toArray()) {
                Map<String, Long> before = b.run("ethtool -S eth0").done().counters();
                a.run("sh /kit/spray.sh eth0 16 00:0d:3a:00:00:0b " + from + " " + to + " " + port + " 1").done();
                b.run("until_true 50 eval '[ $(sum eth0 ^rx_[0-9]+_packets) -ge "
                        + (queues(before, "rx_\\d+_packets") + 16) + " ]'").done();
                Map<String, Long> change = change(before, b.run("ethtool -S eth0").done().counters());
                for (int other = 0; other < 4; other++) {
                    assertThat(change.get("rx_" + other + "_packets"))
                            .as("of source port %d at queue %d", port, other).isEqualTo(other == queue ? 16L : 0L);
                }
            }
        }
        b.run("ethtool -X eth0 default").done();
        loud();
    }

    private static int[] buckets(String text) {
        StringBuilder all = new StringBuilder();
        for (Matcher line = TABLE.matcher(text); line.find();) {
            all.append(line.group(1)).append(' ');
        }
        return Pattern.compile("\\d+").matcher(all).results().mapToInt(number -> Integer.parseInt(number.group()))
                .toArray();
    }

    @Test
    @Order(8)
    void theStreamGoesOnWhileEverythingIsChanged() {
        a.run("iperf3 -c 10.1.0.2 -t 3600 -P 2 >/tmp/stream.log 2>&1 & keeps_sending eth0 500").done();
        String[] changes = {"ethtool -L eth0 combined 1", "ethtool -L eth0 combined 2", "ethtool -G eth0 rx 256 tx 256",
            "ethtool -G eth0 rx 2048 tx 1024", "ethtool -X eth0 weight 1 3", "ethtool -X eth0 default",
            "ethtool -C eth0 rx-cqe-frames 4", "ip link set eth0 mtu 9000", "ip link set eth0 mtu 1400",
            "ip link set eth0 mtu 1500", "ethtool -C eth0 rx-cqe-frames 1"};
        for (int round = 0; round < Kit.times(1, 20); round++) {
            for (String change : changes) {
                a.run(change + " && keeps_sending eth0 500 || { cat /tmp/stream.log; false; }", LONG).done();
            }
            for (String change : new String[] {"ethtool -L eth0 combined 2", "ethtool -C eth0 rx-cqe-frames 4",
                "ethtool -L eth0 combined 4", "ethtool -G eth0 rx 512", "ethtool -C eth0 rx-cqe-frames 1"}) {
                b.run(change, LONG).done();
                a.run("keeps_sending eth0 500 || { cat /tmp/stream.log; false; }", LONG).done();
            }
        }
        a.run("kill -INT $(pidof iperf3)").done();
        a.run("until_true 100 iperf3 -c 10.1.0.2 -n 64K").done();
    }
}
