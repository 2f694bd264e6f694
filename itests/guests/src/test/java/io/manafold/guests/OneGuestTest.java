package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * One machine with an adapter of two ports on a switch; what one port sends the other receives, in a network namespace
 * of its own. The tests share the machine, and each leaves it with both ports up and talking.
 */
@Tag("guest")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OneGuestTest {
    private static final String LAB = """
            adapters:
              - name: one
                ports: 2
                queues: 4
                macs: ["00:0d:3a:00:00:0a", "00:0d:3a:00:00:1b"]
                speed: 100gbit
            links:
              - name: net
                ports: [one/1, one/2]
            exports:
              - adapter: one
                socket: %s/one.sock
            """;
    private static final Duration LONG = Duration.ofMinutes(Kit.times(3, 60));

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        guest = Guest.named("one").on(platform.socket("one")).cpus(2).limit(Kit.times(400, 7200)).boot();
        guest.run("begin").done();
    }

    @AfterAll
    static void end() {
        if (guest != null) {
            guest.close();
        }
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        assertThat(guest.complaints()).as("complaints of the guest's kernel").isEmpty();
        assertThat(guest.run("cat /proc/sys/kernel/tainted").output().trim()).as("taint").isEqualTo("0");
        adapters.refusedNothing("one");
        assertThat(platform.complained()).isEmpty();
    }

    private static void bothTalk() {
        guest.run("two_ends").done();
        guest.run("ping -c 3 -i 0.02 10.1.0.2 && ping -c 3 -i 0.02 fd01::2").done();
    }

    @Test
    @Order(1)
    void itIsThePciFunctionThatTheDriverKnows() {
        guest.run("uname -r").done();
        assertThat(guest.run("lspci -nn -d 1414:00ba").done().output()).contains("[0200]");
        assertThat(guest.run("lspci -vv -d 1414:00ba").done().output()).contains("MSI-X", "Express", "FLReset+");
    }

    @Test
    @Order(2)
    void theDriverMakesTwoDevicesWithTheAddressesOfTheLab() {
        guest.run("modprobe mana && until_true 100 there eth0 && until_true 100 there eth1").done();
        assertThat(guest.run("mac eth0; mac eth1").done().output().lines())
                .containsExactly("00:0d:3a:00:00:0a", "00:0d:3a:00:00:1b");
        bothTalk();
        assertThat(guest.run("cat /sys/class/net/eth0/carrier").output().trim()).isEqualTo("1");
        assertThat(adapters.port("one", 1).getBoolean("open")).isTrue();
        assertThat(adapters.show("one").getString("state")).isEqualTo("running");
    }

    @Test
    @Order(3)
    void ethtoolAnswers() {
        Answer driver = guest.run("ethtool -i eth0").done();
        assertThat(driver.find("^driver: (.*)$")).isEqualTo("mana");
        assertThat(driver.find("^bus-info: (.*)$")).isEqualTo(guest.run("function").output().trim());

        Answer features = guest.run("ethtool -k eth0").done();
        for (String feature : new String[] {"rx-checksumming", "tx-checksum-ipv4", "tx-checksum-ipv6", "scatter-gather",
            "tx-tcp-segmentation", "tx-tcp6-segmentation", "rx-vlan-offload", "tx-vlan-offload", "receive-hashing"}) {
            assertThat(features.find("^\\s*" + feature + ": (\\w+)")).as(feature).isEqualTo("on");
        }
        assertThat(guest.run("ethtool eth0").done().find("Speed: (.*)$")).isEqualTo("100000Mb/s");
        Answer channels = guest.run("ethtool -l eth0").done();
        assertThat(channels.output()).containsPattern("(?s)maximums:.*Combined:\\s+2\\n.*settings:.*Combined:\\s+2\\n");
        Answer rings = guest.run("ethtool -g eth0").done();
        assertThat(rings.output()).containsPattern("(?s)maximums:.*RX:\\s+8192\\n.*settings:\\nRX:\\s+1024\\n");
        assertThat(guest.run("ethtool -c eth0").done().find("rx-cqe-frames:\\s+(\\d+)")).isEqualTo("1");
        Answer spread = guest.run("ethtool -x eth0").done();
        assertThat(spread.output()).contains("with 2 RX ring(s)", "toeplitz: on");
        assertThat(spread.find("^((?:[0-9a-f]{2}:){39}[0-9a-f]{2})$")).isNotEqualTo("00:".repeat(39) + "00");
        Map<String, Long> counters = guest.run("ethtool -S eth0").done().counters();
        assertThat(counters).containsKeys("hc_rx_bytes", "hc_tx_ucast_pkts", "hc_rx_discards_no_wqe", "tx_0_packets",
                "rx_1_packets", "hc_tc0_rx_pkt_phy");
        assertThat(counters).containsEntry("tx_cq_err", 0L).containsEntry("tx_cqe_unknown_type", 0L)
                .containsEntry("rx_cqe_unknown_type", 0L);
    }

    @Test
    @Order(4)
    void whatTheAdapterOffersReachesTheDriver() {
        Answer debug = guest.run("cd /sys/kernel/debug/mana/$(function) && grep . num_vports adapter-MTU"
                + " vport0/max_sq vport0/max_rq vport0/indir_table_sz vport1/max_sq").done();
        assertThat(debug.output()).contains("num_vports:2", "adapter-MTU:9014", "vport0/max_sq:4", "vport0/max_rq:4",
                "vport1/max_sq:4");
        int table = Integer.parseInt(debug.find("indir_table_sz:(\\d+)"));
        assertThat(table).isBetween(1, 256);
        assertThat(Integer.bitCount(table)).isEqualTo(1);
    }

    @Test
    @Order(5)
    void theDriverComesAndGoes() {
        int times = Kit.times(3, 100);
        assertThat(guest.run("sh /kit/reload.sh " + times, LONG).done().result("reloads"))
                .isEqualTo(Integer.toString(times));
        bothTalk();
    }

    @Test
    @Order(6)
    void withoutADriverTheAdapterHoldsNothing() {
        guest.run("modprobe -r mana_ib; modprobe -r mana && until_true 100 gone eth0").done();
        platform.until("adapter show one --json", "one", shown -> "idle".equals(shown.getString("state")));
        assertThat(adapters.usage("one")).allSatisfy((what, held) -> assertThat(held).as(what).isZero());
        guest.run("modprobe mana").done();
        bothTalk();
    }

    @Test
    @Order(7)
    void aPortGoesDownAndUpUnderTraffic() {
        int times = Kit.times(3, 20);
        assertThat(guest.run("sh /kit/flap.sh " + times, LONG).done().result("flaps"))
                .isEqualTo(Integer.toString(times));
        guest.run("ip link set eth0 down").done();
        assertThat(adapters.port("one", 1).getBoolean("open")).isFalse();
        assertThat(adapters.port("one", 2).getBoolean("open")).isTrue();
        bothTalk();
    }

    @Test
    @Order(8)
    void unboundResetAndBoundAgainItWorks() {
        assertThat(guest.run("cat /sys/bus/pci/devices/$(function)/reset_method").done().output()).startsWith("flr");
        for (int i = 0; i < Kit.times(1, 10); i++) {
            guest.run("f=$(function); cd /sys/bus/pci; echo $f >drivers/mana/unbind && until_true 100 gone eth0"
                    + " && echo 1 >devices/$f/reset && echo $f >drivers/mana/bind").done();
            bothTalk();
        }
    }

    @Test
    @Order(9)
    void removedFromTheBusAndFoundAgainItWorks() {
        for (int i = 0; i < Kit.times(1, 10); i++) {
            guest.run("f=$(function); echo 1 >/sys/bus/pci/devices/$f/remove && until_true 100 gone eth0"
                    + " && [ -z \"$(function)\" ] && echo 1 >/sys/bus/pci/rescan").done();
            bothTalk();
        }
    }

    @Test
    @Order(10)
    void framesOf9000Bytes() {
        guest.run("ip link set eth0 mtu 9000 && far ip link set eth1 mtu 9000").done();
        bothTalk();
        guest.run("ping -c 5 -i 0.02 -M do -s 8972 10.1.0.2 && ping -c 5 -i 0.02 -M do -s 8952 fd01::2").done();
        guest.run("ip link set eth0 mtu 9001").refused("mtu greater than device maximum");
        guest.run("ip link set eth0 mtu 1500 && far ip link set eth1 mtu 1500").done();
        bothTalk();
    }

    @Test
    @Order(11)
    void queuesRingsSpreadingAndCoalescingCanBeSet() {
        guest.run("ethtool -L eth0 combined 1").done();
        platform.until("adapter show one --json", "one",
                shown -> shown.getJsonArray("ports").getJsonObject(0).getInt("queues") == 1);
        bothTalk();
        guest.run("ethtool -L eth0 combined 2").done();
        guest.run("ethtool -L eth0 combined 3").refused("exceeds maximum");
        assertThat(adapters.port("one", 1).getInt("queues")).isEqualTo(2);
        guest.run("ethtool -G eth0 rx 256 tx 128 && far ethtool -G eth1 rx 8192 tx 16384").done();
        bothTalk();
        assertThat(guest.run("ethtool -g eth0").output())
                .containsPattern("(?s)settings:\\nRX:\\s+256\\n.*TX:\\s+128\\n");
        String key = "6d:5a:56:da:25:5b:0e:c2:41:67:25:3d:43:a3:8f:b0:d0:ca:2b:cb:ae:7b:30:b4:77:cb:2d:a3:80:30:f2:0c:"
                + "6a:42:b7:3b:be:ac:01:fa";
        guest.run("ethtool -X eth0 weight 1 3 && ethtool -X eth0 hkey " + key).done();
        assertThat(guest.run("ethtool -x eth0").output()).contains(key);
        guest.run("ethtool -C eth0 rx-cqe-frames 4 && far ethtool -C eth1 rx-cqe-frames 4").done();
        guest.run("ethtool -C eth0 rx-cqe-frames 3").refused("must be 1 or 4");
        guest.run("ping -q -f -c 500 10.1.0.2").done();
        bothTalk();
        guest.run("ethtool -C eth0 rx-cqe-frames 1 && ethtool -X eth0 default").done();
        guest.run("ethtool -G eth0 rx 1024 tx 256").done();
        guest.run("far ethtool -G eth1 rx 1024 tx 256").done();
        bothTalk();
    }

    @Test
    @Order(12)
    void aShaperClampsThePort() {
        guest.run("netshaper set dev eth0 handle scope netdev bw-max 200mbit").done();
        assertThat(guest.run("netshaper show dev eth0 handle scope netdev").done().output()).contains("bw-max 200Mbit");
        assertThat(adapters.port("one", 1).getJsonNumber("clamp").longValue()).isEqualTo(200_000_000L);
        assertThat(adapters.port("one", 2).getJsonNumber("clamp").longValue()).isZero();
        assertThat(guest.run("cat /sys/kernel/debug/mana/$(function)/vport0/current_speed").output().trim())
                .isEqualTo("200");
        guest.run("netshaper set dev eth0 handle scope netdev bw-max 150mbit").refused("multiples of 100Mbps");
        guest.run("netshaper set dev eth0 handle scope queue id 0 bw-max 200mbit").refused("scope should be netdev");
        bothTalk();
        guest.run("netshaper delete dev eth0 handle scope netdev").done();
        assertThat(adapters.port("one", 1).getJsonNumber("clamp").longValue()).isZero();
        guest.run("netshaper show dev eth0 handle scope netdev").refused("No such file");
        bothTalk();
    }

    @Test
    @Order(13)
    void theRdmaModuleFindsNothingToDrive() {
        guest.run("modprobe mana_ib && ibv_devices && rmmod mana_ib").done();
        bothTalk();
    }

    @Test
    @Order(20)
    void poweringOffLeavesTheAdapterFree() {
        assertThat(guest.complaints()).isEmpty();
        assertThat(guest.leave(42)).isEqualTo(42);
        adapters.untilFree("one");
        guest = Guest.named("one-again").on(platform.socket("one")).boot();
        guest.run("begin; modprobe mana").done();
        bothTalk();
    }
}
