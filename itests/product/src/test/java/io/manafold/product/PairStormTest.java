package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.testkit.Namespace;
import jakarta.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Connections of the kernel above a pair whose virtual function comes and goes; the gaps that they see are told. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Isolated
class PairStormTest extends PairedPlatform {
    /** Storms with seeds from 1 on: one in the usual tests, twenty in the long ones. */
    private static final int STORMS = Integer.getInteger("manafold.storms", 1);
    private static final int CYCLES = Integer.getInteger("manafold.storm.cycles", 12);

    /** What is done with the kernels above both devices while the platform runs. */
    private interface Behind {
        void run(Namespace near, Namespace far) throws Exception;
    }

    /** The kernel's TCP over taps of both devices. */
    private void behindTaps(Behind behind) throws Exception {
        assumeTrue(Namespace.isAllowed() && Files.exists(Path.of("/dev/net/tun")), "taps are not allowed here");
        String number = String.valueOf(ProcessHandle.current().pid() % 1_000_000);
        Path lab = Files.writeString(folder.resolve("storm.yaml"), """
                adapters:
                  - {name: one, rdma: off}
                  - {name: two, rdma: off}
                links:
                  - {name: net, ports: [one/1, two/1]}
                pairs:
                  - {name: eth1, port: one/1, tap: mfaNUMBER}
                devices:
                  - {name: mana0, on: two/1, tap: mfbNUMBER}
                """.replace("NUMBER", number));
        try (Run platform = started(lab.toString()); Namespace near = new Namespace("mfp");
                Namespace far = new Namespace("mfq")) {
            give(near, "mfa" + number, "10.78.2.1/24");
            give(far, "mfb" + number, "10.78.2.2/24");
            behind.run(near, far);
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    private long flowStarts() {
        return attached("link show net --json").done().json().asJsonObject().getJsonObject("counters")
                .getJsonNumber("flow_starts").longValue();
    }

    private void storm(int seed) {
        JsonObject storm = (JsonObject) Run.manafold("attach", "--data", folder.toString(), "-c",
                "servicing storm one --cycles " + CYCLES + " --every 300ms --jitter 50% --away 50ms --seed " + seed
                + " --json").fed("", Duration.ofMinutes(20)).done().json();
        assertThat(storm.getInt("cycles")).isEqualTo(CYCLES);
        assertThat(storm.getJsonObject("left_behind")).as("with seed %d", seed).isEmpty();
        System.out.println("storm with seed " + seed + ": gap " + storm.get("gap") + ", home " + storm.get("home"));
    }

    @Test
    void connectionsLiveThroughAStorm() throws Exception {
        behindTaps((near, far) -> {
            assertThat(Namespace.isThere("iperf3")).as("iperf3 is installed").isTrue();
            far.begin("iperf3", "-s");
            connect(near);
            Process client = near.begin("iperf3", "-c", "10.78.2.2", "-t",
                    String.valueOf(2 + STORMS * (1 + CYCLES / 3)), "-J");
            for (int seed = 1; seed <= STORMS; seed++) {
                storm(seed);
            }
            String report = new String(client.getInputStream().readAllBytes());
            assertThat(client.waitFor()).as(report).isZero();
            assertThat(report).doesNotContain("\"error\"").contains("sum_received");
            assertThat(counter("path_switches")).isGreaterThanOrEqualTo(2L * STORMS * CYCLES);
            assertThat(counter("tx_packets")).as("sent by the synthetic device").isPositive();
            long starts = flowStarts();
            long before = counter("rx_packets");
            for (int connection = 1; connection <= 5; connection++) {
                connect(near);
            }
            assertThat(flowStarts() - starts).as("flows that began").isGreaterThanOrEqualTo(10);
            assertThat(counter("rx_packets") - before).as("their first packets came by the synthetic device")
                    .isGreaterThanOrEqualTo(10);
        });
    }

    /** Once the server takes it: it is busy for a moment after each client. */
    private static void connect(Namespace near) throws Exception {
        near.inside("sh", "-c", "for i in $(seq 100); do iperf3 -c 10.78.2.2 -n 1 && exit 0; sleep 0.2; done; exit 1");
    }

    @Test
    void aStreamHasGapsThatAreTold() throws Exception {
        String program = Path.of("src/test/resources/tcp-gaps.py").toAbsolutePath().toString();
        behindTaps((near, far) -> {
            assertThat(Namespace.isThere("python3")).as("python3 is installed").isTrue();
            Process server = far.begin("python3", program, "serve", "10.78.2.2", "7000");
            Process client = near.begin("python3", program, "send", "10.78.2.2", "7000",
                    String.valueOf(3 + CYCLES / 3));
            storm(1);
            assertThat(client.waitFor()).isZero();
            List<Double> seen = new ArrayList<>();
            String told = new String(server.getInputStream().readAllBytes());
            for (String gap : told.replace("listening", "").strip().split("\\s+")) {
                if (!gap.isEmpty()) {
                    seen.add(Double.parseDouble(gap));
                }
            }
            Gaps gaps = Gaps.of(seen, 2 * CYCLES);
            System.out.println(gaps.text("TCP over the pair, " + CYCLES + " cycles"));
            assertThat(gaps.percentile(100)).as("the longest gap, in ms").isLessThan(10_000);
            assertThat(counter("path_switches")).isGreaterThanOrEqualTo(2L * CYCLES);
        });
    }

    private void give(Namespace space, String tap, String address) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!isShown(tap)) {
            assertThat(System.nanoTime()).as("%s is up", tap).isLessThan(deadline);
            Thread.sleep(50);
        }
        space.take(tap, address);
    }

    private static boolean isShown(String tap) throws InterruptedException {
        try {
            return Namespace.run("ip", "link", "show", "dev", tap).contains("UP");
        } catch (java.io.IOException notYet) {
            return false;
        }
    }
}
