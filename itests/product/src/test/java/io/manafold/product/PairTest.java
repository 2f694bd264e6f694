package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pair of a synthetic device and a virtual function: what is above stays, whatever becomes of the function. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PairTest extends PairedPlatform {
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
}
