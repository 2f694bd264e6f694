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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A pair of a synthetic device and a virtual function: what is above stays, whatever becomes of the function. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Isolated
class PairTest {
    /** Storms with seeds from 1 on: one in the usual tests, twenty in the long ones. */
    private static final int STORMS = Integer.getInteger("manafold.storms", 1);
    private static final int CYCLES = Integer.getInteger("manafold.storm.cycles", 12);

    @TempDir
    Path folder;

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line).end();
    }

    private long counter(String name) {
        JsonObject all = attached("ethtool -S eth1 --json").done().json().asJsonArray().getJsonObject(0);
        return all.getJsonNumber(name).longValue();
    }

    private Run started() throws Exception {
        return started("pair");
    }

    private Run started(String lab) throws Exception {
        Run platform = Run.manafold("--headless", "--data", folder.toString(), "--lab", lab).start();
        platform.awaitOut("ready\n");
        return platform;
    }

    @Test
    void theVirtualFunctionIsAMemberAndHasNoAddress() throws Exception {
        try (Run platform = started()) {
            assertThat(attached("ip -br link show master eth1").done().out()).startsWith("enP30832p0s0 ")
                    .hasLineCount(1);
            assertThat(attached("ip -j link show enP30832p0s0").done().json().asJsonArray().getJsonObject(0)
                    .getString("master")).isEqualTo("eth1");
            assertThat(attached("ip -br addr").done().out()).containsPattern("eth1 +UP +10\\.77\\.0\\.1/24")
                    .containsPattern("(?m)^enP30832p0s0 +UP *$");
            assertThat(attached("ethtool -i eth1; ethtool -i enP30832p0s0").done().out())
                    .contains("driver: hv_netvsc", "driver: mana");
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(counter("vf_tx_packets")).isGreaterThanOrEqualTo(3);
            assertThat(counter("vf_rx_packets")).isGreaterThanOrEqualTo(3);
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    @Test
    void whatIsTakenDownOrAwayLeavesTheOtherWay() throws Exception {
        try (Run platform = started()) {
            attached("ip link set enP30832p0s0 down").done();
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(attached("devices").done().out()).contains("eth1           up, by the synthetic device");
            attached("ip link set enP30832p0s0 up; servicing revoke one").done();
            assertThat(attached("ip -br link").done().out()).contains("eth1 ").doesNotContain("enP");
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            attached("ip link set eth1 mtu 4000; servicing restore one").done();
            assertThat(attached("ip -j link show enP30832p0s0").done().json().asJsonArray().getJsonObject(0)
                    .getInt("mtu")).isEqualTo(4000);
            long before = counter("vf_tx_packets");
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(counter("vf_tx_packets")).isGreaterThan(before);
            assertThat(attached("events").done().out()).contains(
                    "eth1 sends and receives by the synthetic device: enP30832p0s0 has no carrier.",
                    "eth1 sends and receives by the synthetic device: its virtual function has gone.",
                    "eth1 sends and receives by enP30832p0s0, its virtual function.");
            assertThat(attached("ethtool -G eth1 rx 512").status()).isEqualTo(1);
            assertThat(attached("ip link set eth1 mtu 9500").err()).contains("(EINVAL)");
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    /** A function that is no member any more has no address of the pair's. */
    @Test
    void whatIsSetOnThePairStaysThePairsAndComesBackAfterARestart() throws Exception {
        try (Run platform = started()) {
            attached("ip addr add 192.0.2.7/24 dev eth1; ip link set eth1 mtu 4000").done();
            attached("servicing revoke one; servicing restore one --serial next").done();
            awaitLine("ip -br link", "enP30832p0s0 ");
            attached("ip addr add 192.0.2.8/24 dev enP30832p0s0; ip link set eth1 down").done();
            assertThat(attached("ip -br addr").done().out()).containsPattern("(?m)^eth1 .*192\\.0\\.2\\.7/24")
                    .doesNotContainPattern("(?m)^enP30832p0s0 .*192\\.0\\.2\\.7")
                    .doesNotContainPattern("(?m)^eth1 .*192\\.0\\.2\\.8");
            assertThat(attached("settings eth1").done().out()).contains("192.0.2.7/24", "4000", "false")
                    .doesNotContain("192.0.2.8");
            assertThat(platform.process().isAlive()).isTrue();
        }
        try (Run platform = started()) {
            JsonObject eth1 = attached("ip -j link show eth1").done().json().asJsonArray().getJsonObject(0);
            assertThat(eth1.getInt("mtu")).isEqualTo(4000);
            assertThat(attached("devices").done().out()).contains("eth1           down");
            assertThat(attached("ip -br addr").done().out()).containsPattern("(?m)^eth1 .*192\\.0\\.2\\.7/24");
            attached("ip link set eth1 up").done();
            awaitLine("devices", "eth1           up, by the virtual function");
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    @Test
    void generatedPacketsAreLostOnTheirWayOnlyWhereCountersTell() throws Exception {
        try (Run platform = started()) {
            attached("pktgen start eth1 --to mana0 --rate 2kpps --verify; pktgen start mana0 --to eth1 --rate 2kpps "
                    + "--verify").done();
            JsonObject storm = (JsonObject) attached("servicing storm one --cycles 5 --every 200ms --away 50ms --json")
                    .done().json();
            assertThat(storm.getInt("cycles")).isEqualTo(5);
            assertThat(storm.getJsonObject("left_behind")).isEmpty();
            assertThat(storm.getJsonArray("each")).hasSize(5);
            assertThat(storm.getJsonObject("gap").getJsonNumber("p99_ms").doubleValue()).isBetween(0.1, 10_000.0);
            assertThat(storm.getJsonObject("home").getInt("threads"))
                    .isBetween(1, storm.getJsonObject("home").getInt("threads_before") + 5);
            assertThat(attached("servicing storm one --cycles 1").done().out()).contains("gap ", "home: ", "threads=");
            attached("pktgen stop 1; pktgen stop 2").done();
            for (int run = 1; run <= 2; run++) {
                JsonObject report = (JsonObject) attached("pktgen show " + run + " --json").done().json();
                assertThat(report.getInt("corrupted")).as("of %s", report).isZero();
                assertThat(report.getInt("duplicated")).as("of %s", report).isZero();
                assertThat(report.getInt("received")).as("of %s", report).isPositive();
            }
            assertThat(attached("doctor 5").status()).isZero();
            attached("servicing storm one --cycles 1 --never-back").done();
            for (String check : List.of("2", "5", "6")) {
                assertThat(attached("doctor " + check).status()).as("of check " + check).isEqualTo(1);
            }
            assertThat(attached("doctor 2").out()).contains("fail", "servicing restore one");
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    @Test
    void aFunctionWithAnotherSerialNumberIsNoMemberUntilItIsAnnounced() throws Exception {
        try (Run platform = started()) {
            attached("servicing revoke one; servicing restore one --serial next").done();
            assertThat(attached("ip -br link show master eth1").done().out()).isEmpty();
            assertThat(attached("devices").done().out()).contains("eth1           up, by the synthetic device");
            assertThat(attached("adapter show one").done().out()).contains("2, announced as 1");
            assertThat(attached("doctor 5").status()).isEqualTo(1);
            assertThat(attached("doctor 5").out()).contains("fail", "servicing announce one");
            long before = counter("vf_tx_packets");
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(counter("vf_tx_packets")).as("sent by a function that is not told of").isEqualTo(before);
            attached("servicing announce one").done();
            awaitLine("devices", "eth1           up, by the virtual function");
            assertThat(attached("ip -br link show master eth1").done().out()).startsWith("enP30832p0s0 ");
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(counter("vf_tx_packets")).isGreaterThan(before);
            attached("servicing storm one --cycles 3 --every 200ms --away 50ms --serial next").done();
            awaitLine("devices", "eth1           up, by the virtual function");
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    @Test
    void theFunctionGoesWhileItsDriverComesUp() throws Exception {
        try (Run platform = started()) {
            for (String moment : new String[] {"probe", "posted", "armed"}) {
                JsonObject storm = (JsonObject) attached("servicing storm one --cycles 3 --every 200ms --away 50ms "
                        + "--at " + moment + " --json").done().json();
                assertThat(storm.getInt("cycles")).as(moment).isEqualTo(3);
                assertThat(storm.getJsonObject("left_behind")).as(moment).isEmpty();
            }
            awaitLine("devices", "eth1           up, by the virtual function");
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    private void awaitLine(String line, String shown) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!attached(line).done().out().contains(shown)) {
            assertThat(System.nanoTime()).as("%s shows %s", line, shown).isLessThan(deadline);
            Thread.sleep(50);
        }
    }

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
            near.inside("sh", "-c", "for i in $(seq 100); do iperf3 -c 10.78.2.2 -n 1 && exit 0; sleep 0.2; done; "
                    + "exit 1");
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
                near.inside("iperf3", "-c", "10.78.2.2", "-n", "1");
            }
            assertThat(flowStarts() - starts).as("flows that began").isGreaterThanOrEqualTo(10);
            assertThat(counter("rx_packets") - before).as("their first packets came by the synthetic device")
                    .isGreaterThanOrEqualTo(10);
        });
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
