package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** As many ports and queues as there can be, and a machine whose memory lies beyond 4 GiB. */
@Tag("guest")
class ManyPortsTest {
    private static final String LAB = """
            adapters:
              - {name: many, ports: 8, queues: 4}
            links:
              - {name: net, ports: [many/1, many/2, many/3, many/4, many/5, many/6, many/7, many/8]}
            exports:
              - {adapter: many, socket: %s/many.sock}
            """;
    private static final int MEBIBYTES = 4608;

    @TempDir
    Path folder;

    private static long available() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream().filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElse(0) / 1024;
    }

    @Test
    void eightPortsOfFourQueuesInMemoryBeyondFourGibibytes(TestReporter reporter) throws IOException {
        // the machine gets what it touches and no more; where even that is not there it gets the usual size
        int mebibytes = available() > MEBIBYTES + 1024 ? MEBIBYTES : 768;
        reporter.publishEntry("guest memory", mebibytes + " MiB");
        try (Platform platform = Platform.with(folder, LAB);
                Guest guest = Guest.named("many").on(platform.socket("many")).cpus(4).memory(mebibytes).boot()) {
            Adapters adapters = new Adapters(platform);
            guest.run("begin; modprobe mana").done();
            for (int port = 0; port < 8; port++) {
                guest.run("until_true 100 there eth" + port).done();
                assertThat(guest.run("ethtool -l eth" + port + " | tail -n 1").done().find("Combined:\\s+(\\d+)"))
                        .isEqualTo("4");
            }
            guest.run("ip addr add 10.3.0.10/24 dev eth0 && ip link set eth0 up").done();
            for (int port = 1; port < 8; port++) {
                guest.run("apart " + port).done();
            }
            for (int port = 1; port < 8; port++) {
                String address = "10.3.0.1" + port;
                guest.run("until_true 100 ping -c 1 -W 1 " + address + " && ping -c 5 -i 0.02 " + address).done();
                guest.run("ip netns exec n" + port + " iperf3 -s -D; until_true 50 iperf3 -c " + address
                        + " -n 512K -P 4").done();
                assertThat(adapters.port("many", port + 1).getInt("queues")).isEqualTo(4);
            }
            if (mebibytes == MEBIBYTES) {
                assertThat(guest.run("grep -c '[0-9a-f]\\{9\\}-.*System RAM' /proc/iomem").done().output().trim())
                        .as("memory beyond 4 GiB").isNotEqualTo("0");
            }
            assertThat(guest.complaints()).isEmpty();
            adapters.refusedNothing("many");
            assertThat(guest.leave(0)).isZero();
            adapters.untilFree("many");
        }
    }
}
