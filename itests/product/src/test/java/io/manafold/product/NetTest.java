package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The network devices of the default lab, and the commands of network devices on them. */
@Timeout(300)
class NetTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("(?m)^\\| `((?:ip|ethtool|ping|pktgen|pages|tcpdump|netshaper)\\b[^`]*)` \\|");

    @TempDir
    static Path home;

    /** For what leaves no trace. */
    private static Run platform;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        platform = Run.manafold("--headless", "--data", home.toString()).start();
        platform.awaitOut("ready\n");
    }

    @AfterAll
    static void end() {
        platform.close();
    }

    private static Run.Ended done(String line) {
        return Run.manafold("-c", line).end().done();
    }

    private static Run.Plan asked(String line) {
        return Run.manafold("attach", "--data", home.toString(), "-c", line);
    }

    private static Run.Ended shown(String line) {
        return asked(line).end().done();
    }

    private static JsonArray array(String line) {
        return (JsonArray) shown(line).json();
    }

    private static JsonObject first(String line) {
        return array(line).getJsonObject(0);
    }

    @Test
    void theDefaultLabHasTwoDevices() {
        JsonArray links = array("ip link --json");
        assertThat(links).hasSize(2);
        for (int i = 0; i < 2; i++) {
            JsonObject link = links.getJsonObject(i);
            assertThat(link.getString("ifname")).isEqualTo("mana" + i);
            assertThat(link.getString("operstate")).isEqualTo("UP");
            assertThat(link.getInt("mtu")).isEqualTo(1500);
            assertThat(link.getJsonArray("flags").getValuesAs(JsonString::getString)).contains("UP", "LOWER_UP");
        }
        JsonArray addresses = array("ip -j addr");
        for (int i = 0; i < 2; i++) {
            List<String> families = addresses.getJsonObject(i).getJsonArray("addr_info").getValuesAs(JsonObject.class)
                    .stream().map(info -> info.getString("family")).toList();
            assertThat(families).contains("inet", "inet6");
        }
        assertThat(shown("ethtool mana0; ethtool -g mana1").out()).contains("\tSpeed: 200000Mb/s\n",
                "RX:\t\t\t1024\n", "TX:\t\t\t256\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping -c 3 -i 0.1 -I mana0 10.77.0.2", "ping -c 3 -i 0.1 -I mana1 10.77.0.1",
        "ping -c 3 -i 0.1 -s 1400 -I mana0 fd77::2"})
    void eachReachesTheOther(String line) {
        assertThat(shown(line).out()).contains("3 packets transmitted, 3 received, 0% packet loss");
    }

    @Test
    void nobodyAnswersAtAnAddressThatNobodyHas() {
        asked("ping -c 1 -W 1 -I mana0 10.77.0.99").end().refused(1, "10.77.0.99");
    }

    @Test
    void whatIsSentIsCounted() {
        assertThat(first("ethtool -S mana1 --json").keySet()).contains("stop_queue", "hc_rx_bytes", "rx_0_packets",
                "tx_0_packets");
        long before = received();
        shown("ping -q -c 4 -i 0.01 -I mana0 10.77.0.2");
        assertThat(received() - before).isGreaterThanOrEqualTo(4);
    }

    private static long received() {
        return shown("ethtool -S mana1").out().lines().map(String::strip)
                .filter(line -> line.matches("rx_\\d+_packets: \\d+"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1))).sum();
    }

    @Test
    void everyPageIsAccountedFor() {
        for (JsonValue one : array("pages --json")) {
            JsonObject pool = one.asJsonObject();
            assertThat(pool.getString("policy")).isEqualTo("lean");
            assertThat(pool.getInt("posted")).isEqualTo(1024);
            assertThat(pool.getInt("pages") * pool.getInt("per_page")).isGreaterThanOrEqualTo(1024);
            assertThat(pool.getJsonObject("held")).isEmpty();
        }
        JsonObject plan = (JsonObject) shown("pages plan --policy fragment --page 64k --mtu 1500 --json").json();
        assertThat(plan.getInt("slot")).isEqualTo(1856);
        assertThat(plan.getInt("per_page")).isEqualTo(35);
        assertThat(plan.getJsonNumber("bytes_per_packet").doubleValue()).isEqualTo(1872.46);
        assertThat(plan.getJsonNumber("saved_percent").doubleValue()).isEqualTo(97.14);
    }

    @Test
    void generatedTrafficArrivesWhole() {
        JsonObject report = (JsonObject) shown("pktgen start mana0 --to mana1 --rate 20kpps --flows 4 --size 1000 "
                + "--count 5000 --verify --wait --json").json();
        assertThat(report.getInt("sent")).isEqualTo(5000);
        assertThat(report.getInt("received") + report.getInt("lost")).isEqualTo(5000);
        assertThat(report.getInt("corrupted")).isZero();
        assertThat(report.getInt("duplicated")).isZero();
    }

    @Test
    void whatIsSetIsShown() {
        String out = done("ip link set dev mana0 mtu 4000; ethtool -L mana0 combined 1; ethtool -G mana0 rx 512; "
                + "pages set mana0 --page 64k --mapping packet; ip -j link show dev mana0; ethtool -l mana0; "
                + "ethtool -g mana0; pages list mana0; ping -q -c 2 -i 0.1 -I mana1 10.77.0.1").out();
        assertThat(out).contains("\"mtu\": 4000", "Combined:\t1\n", "RX:\t\t\t512\n", " 64k ", " packet ",
                "2 received");
    }

    @Test
    void whatCannotBeSetIsASentence() {
        Run.Ended ended = Run.manafold().fed("""
                ip link set dev mana0 mtu 60000
                ethtool -G mana0 rx 1
                ethtool -X mana0 weight 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
                ip link show mana7
                """).refused(1, "60000", "128", "mana7", "ENODEV");
        assertThat(ended.err().split("\\(EINVAL\\)", -1)).hasSize(4);
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void aCaptureIsReadByOthers() throws Exception {
        Path file = folder.resolve("mana1.pcapng");
        String err = shown("pktgen start mana0 --to mana1 --rate 1kpps; tcpdump -i mana1 -w " + file
                + " -c 10; pktgen stop").err();
        assertThat(err).contains("listening on mana1, link-type EN10MB", "\n10 packets captured\n");
        assumeTrue(Host.isThere("tshark"), "tshark is not installed");
        Run.Ended read = Run.of("tshark", "-n", "-r", file.toString()).end().done();
        assertThat(read.out().lines()).hasSize(10);
    }

    @Test
    void whatPassesIsPrinted() {
        String out = shown("pktgen start mana0 --to mana1 --udp --rate 1kpps --json; tcpdump -i mana1 -c 3 -t; "
                + "pktgen stop --json").out();
        assertThat(out).contains("]\n" + "IP 198.18.0.2.10000 > 198.19.0.3.9: UDP, length 20\n".repeat(3) + "[");
    }

    @Test
    void everyExampleOfTheFamilyWorksAsItStands() throws IOException {
        List<String> lines = new ArrayList<>();
        Matcher examples = EXAMPLE.matcher(Files.readString(Run.TOP.resolve("docs/commands.md")));
        while (examples.find()) {
            lines.add(examples.group(1));
        }
        assertThat(lines).hasSizeGreaterThan(25);
        // what goes on for ever, and what writes a file, is for the tests above
        lines.removeIf(line -> line.startsWith("tcpdump") || line.startsWith("ip ") && line.contains(" monitor"));
        Run.Ended ended = Run.manafold().fed(String.join("\n", lines) + "\n").done();
        // beside how far things are, where the machine is slow
        assertThat(ended.err().lines().filter(line -> !line.matches("\\d+ s: .* sent, .*"))).isEmpty();
    }
}
