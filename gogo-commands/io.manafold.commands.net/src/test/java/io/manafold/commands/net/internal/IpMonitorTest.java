package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.MacAddress;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class IpMonitorTest {
    private static final String HEAD = "2: mana0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu ";
    private static final String ETHER = "    link/ether 00:0d:3a:00:00:01 brd ff:ff:ff:ff:ff:ff\n";
    private static final String LIFE = "       valid_lft forever preferred_lft forever\n";

    private final FakeDevice zero = new FakeDevice("mana0", 2);
    private final FakeDevice one = new FakeDevice("mana1", 3);
    private final FakeHost host = new FakeHost("mana0");
    private final Network network = Fakes.network(zero, one);
    private final IpCommand command = new IpCommand(network);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Thread watcher;

    @BeforeEach
    void hosts() {
        Fakes.hosts(network, host);
    }

    @AfterEach
    void interruptedItEnds() throws InterruptedException {
        if (watcher != null) {
            watcher.interrupt();
            assertThat(watcher.join(Duration.ofSeconds(60))).as("it ends when it is interrupted").isTrue();
        }
    }

    /** Begins to watch, and waits until what happens from now on is told. */
    private void watch(String line) throws InterruptedException {
        watcher = Thread.ofPlatform().daemon().start(() -> CommandLine.run(command, List.of(line.split(" ")),
                new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)));
        // a watcher that has looked once sleeps before it looks again
        while (watcher.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private String told(String end) throws InterruptedException {
        while (!out.toString(StandardCharsets.UTF_8).endsWith(end)) {
            Thread.sleep(5);
        }
        String told = out.toString(StandardCharsets.UTF_8);
        out.reset();
        return told;
    }

    @Test
    void linksAreToldOfAsTheyChange() throws InterruptedException {
        watch("monitor link");
        zero.mtu = 1400;
        assertThat(told(ETHER)).isEqualTo(HEAD + "1400 qdisc noqueue state UP group default\n" + ETHER);
        zero.up = false;
        assertThat(told(ETHER)).isEqualTo("2: mana0: <BROADCAST,MULTICAST> mtu 1400 qdisc noqueue state DOWN "
                + "group default\n" + ETHER);
        network.devices = List.of(one);
        assertThat(told(ETHER)).startsWith("Deleted 2: mana0: <BROADCAST,MULTICAST> mtu 1400 ");
        host.setNeighbour(IpAddress.parse("10.9.0.7"), MacAddress.parse("00:11:22:33:44:55"));
        network.devices = List.of(one, zero);
        assertThat(told(ETHER)).as("nothing of neighbours").startsWith("2: mana0: ");
    }

    @Test
    void allIsToldOfWithItsLabel() throws InterruptedException {
        watch("-o monitor all");
        host.addAddress(IpPrefix.parse("10.9.0.1/24"));
        assertThat(told("src 10.9.0.1\n")).isEqualTo("[ADDR]2: mana0    inet 10.9.0.1/24 brd 10.9.0.255 scope global "
                + "mana0\\" + LIFE + "[ROUTE]10.9.0.0/24 dev mana0 proto kernel scope link src 10.9.0.1\n");
        host.setNeighbour(IpAddress.parse("10.9.0.7"), MacAddress.parse("00:11:22:33:44:55"));
        assertThat(told("PERMANENT\n")).isEqualTo("[NEIGH]10.9.0.7 dev mana0 lladdr 00:11:22:33:44:55 PERMANENT\n");
        host.removeNeighbour(IpAddress.parse("10.9.0.7"));
        assertThat(told("PERMANENT\n")).startsWith("[NEIGH]Deleted 10.9.0.7 dev mana0 ");
        host.removeAddress(IpPrefix.parse("10.9.0.1/24"));
        assertThat(told(LIFE)).isEqualTo("[ADDR]Deleted 2: mana0    inet 10.9.0.1/24 brd 10.9.0.255 scope global mana0"
                + "\\" + LIFE);
    }

    @Test
    void programsReadAnObjectOnEachLine() throws InterruptedException {
        watch("--json -t monitor neigh link dev mana0");
        one.mtu = 9000;
        host.setNeighbour(IpAddress.parse("10.9.0.7"), MacAddress.parse("00:11:22:33:44:55"));
        String line = told("}\n");
        assertThat(line).hasLineCount(1).startsWith("{\"object\":\"neigh\",\"timestamp\":\"2")
                .endsWith("\"deleted\":false,\"dst\":\"10.9.0.7\",\"dev\":\"mana0\","
                        + "\"lladdr\":\"00:11:22:33:44:55\",\"state\":[\"PERMANENT\"]}\n");
        zero.mtu = 9000;
        assertThat(told("}\n")).hasLineCount(1).contains("{\"object\":\"link\",", "\"deleted\":false,\"ifindex\":2,"
                + "\"ifname\":\"mana0\"", "\"mtu\":9000,").doesNotContain("mana1");
    }

    @Test
    void itIsSaidWhenItWasSeen() throws InterruptedException {
        watch("-t monitor link");
        zero.mtu = 1400;
        assertThat(told(ETHER)).matches("(?s)Timestamp: \\w{3} \\w{3} \\d\\d [0-9:]{8} \\d{4} \\d{6} usec\n2: .*");
        interruptedItEnds();
        watch("-ts monitor link");
        zero.mtu = 1500;
        assertThat(told(ETHER)).matches("(?s)\\[[-0-9]+T[0-9:]+[.]\\d{6}\\] 2: .*");
    }

    @Test
    void whatDoesNotChangeIsNotToldOf() {
        host.addAddress(IpPrefix.parse("10.9.0.1/24"));
        IpOptions options = IpOptions.read(new IpWords(List.of()));
        var kinds = EnumSet.allOf(MonitoredState.Kind.class);
        MonitoredState before = MonitoredState.of(network, options, kinds, null);
        List<MonitoredState.Change> changes = new ArrayList<>();
        zero.totals.put("rx_packets", 8L);
        MonitoredState.of(network, options, kinds, null).tell(before, changes::add);
        assertThat(changes).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | monitor frobnicate            | There is no verb of ip monitor 'frobnicate'
            2 | monitor link frobnicate       | There is no object of ip monitor 'frobnicate'
            2 | monitor dev                   | A value is missing behind 'dev'.
            1 | monitor dev manna0            | There is no network device 'manna0'; did you mean 'mana0'? (ENODEV)
            2 | monitor dev mana0 dev mana1   | ip monitor watches one device
            """)
    void whatIsRefused(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(command, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.out()).isEmpty();
    }
}
