package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that work on a function beside Linux's Ethernet driver: mana_ib in the kernel, DPDK's in a process. */
@Tag("guest")
class BesideEthernetTest {
    private static final String LAB = """
            adapters:
              - name: one
                ports: 2
                queues: 4
                macs: ["00:0d:3a:00:00:0a", "00:0d:3a:00:00:1b"]
                rdma: off
            links:
              - name: net
                ports: [one/1, one/2]
            exports:
              - adapter: one
                socket: %s/one.sock
            """;
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final long FRAMES = 10_000;

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        guest = Guest.named("beside").on(platform.socket("one")).cpus(2).memory(1024).withDpdk().limit(Kit.times(400, 1200)).boot();
        guest.run("begin; modprobe mana && until_true 300 there eth1 && modprobe mana_ib").done();
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
        adapters.refusedNothing("one");
        assertThat(platform.complained()).isEmpty();
    }

    @Test
    void theKernelsRdmaDriverBindsTheEthernetPartAlone() {
        String seen = guest.run("listed() { ibv_devices | grep -q mana; }; until_true 100 listed && ibv_devices").done().output();
        assertThat(seen).containsPattern("(?m)^\\s+manae_0\\s").doesNotContainPattern("(?m)^\\s+mana_0\\s");
        assertThat(guest.run("ibv_devinfo -d manae_0").done().output()).containsPattern("vendor_id:\\s+0x1414")
                .containsPattern("phys_port_cnt:\\s+2");
    }

    @Test
    void testpmdSendsOverRegisteredMemory() {
        guest.run("ip link set eth0 down && end eth1 2").done();
        guest.run("dpdk-testpmd -l 0-1 --no-huge -m 128 --iova-mode va --vdev=\"$(function),mac=00:0d:3a:00:00:0a\" --"
                + " --total-num-mbufs=4096 --forward-mode=txonly --eth-peer=0,00:0d:3a:00:00:1b --stats-period 1"
                + " --txd=128 --rxd=128 </dev/null >/tmp/testpmd.log 2>&1 &").done();
        guest.run("enough() { [ \"$(cat /sys/class/net/eth1/statistics/rx_packets)\" -ge " + FRAMES + " ]; }; "
                + "until_true 1800 enough || { cat /tmp/testpmd.log; false; }", LONG).done();
        guest.run("kill -INT \"$(pidof dpdk-testpmd)\" && until_true 300 ended dpdk-testpmd").done();
        assertThat(guest.run("cat /tmp/testpmd.log").done().output()).contains("TX-packets");
        assertThat(guest.run("ip link set eth0 up && ip addr show eth0").done().output()).as("the port is the network device's again")
                .contains("UP");
    }
}
