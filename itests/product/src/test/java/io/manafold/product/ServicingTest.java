package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The function of the default lab is taken from under our driver while packets travel, and put back. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ServicingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line).end();
    }

    private JsonObject pktgen() {
        return (JsonObject) attached("pktgen show --json").done().json();
    }

    private void eventually(String line, Predicate<Run.Ended> wanted) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Run.Ended said = attached(line);
        while (!wanted.test(said)) {
            assertThat(System.nanoTime()).as("'%s' says %s%s", line, said.out(), said.err()).isLessThan(deadline);
            LockSupport.parkNanos(300_000_000);
            said = attached(line);
        }
    }

    @Test
    void whatIsRevokedComesBackAsItWas() {
        try (Run platform = Run.manafold("--headless", "--data", folder.toString()).start()) {
            platform.awaitOut("ready\n");
            attached("ip link set dev mana0 mtu 4000; ethtool -G mana0 rx 512 tx 512; ethtool -L mana1 combined 1")
                    .done();
            attached("pktgen start mana0 --to mana1 --rate 2kpps --size 1000 --verify").done();
            eventually("pktgen show", shown -> pktgen().getInt("received") > 0);
            attached("servicing revoke one").done();
            eventually("ip link", links -> !links.out().contains("mana"));
            attached("servicing restore one").done();
            eventually("ip link", links -> links.out().contains("mana0") && links.out().contains("mana1"));
            assertThat(attached("ip -j link show dev mana0; ethtool -g mana0; ethtool -l mana1").done().out())
                    .contains("\"mtu\": 4000", "RX:\t\t\t512\n", "Combined:\t1\n");
            eventually("ping -c 1 -W 1 -I mana0 10.77.0.2", ping -> ping.out().contains(" 0% packet loss"));
            int before = pktgen().getInt("received");
            eventually("pktgen show", shown -> pktgen().getInt("received") > before);
            attached("pktgen stop").done();
            JsonObject report = pktgen();
            assertThat(report.getInt("corrupted")).as("of %s", report).isZero();
            assertThat(report.getInt("duplicated")).as("of %s", report).isZero();
            eventually("pages --json", pages -> pages.json().asJsonArray().stream().map(JsonValue::asJsonObject)
                    .allMatch(pool -> pool.getJsonObject("held").isEmpty() && pool.getInt("posted") > 0));
            assertThat(attached("adapter show one --errors --json").done().out()).isEqualTo("[]\n");
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    @Test
    void rdmaIsSuspendedAlone() {
        try (Run platform = Run.manafold("--headless", "--data", folder.toString()).start()) {
            platform.awaitOut("ready\n");
            assertThat(attached("devices").done().out()).contains("mana.rdma.0", "mana.eth.0");
            attached("servicing suspend one --part rdma").done();
            eventually("devices", devices -> !devices.out().contains("mana.rdma"));
            attached("ping -c 1 -W 5 -I mana0 10.77.0.2").done();
            attached("servicing suspend one --part rdma").refused(1, "has been told already", "EBUSY");
            attached("servicing resume one --part rdma").done();
            eventually("devices", devices -> devices.out().contains("mana.rdma"));
            assertThat(attached("devices").done().out()).contains("mana.eth.0");
        }
    }
}
