package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Drivers that work on a function beside Linux's Ethernet driver: mana_ib in the kernel, DPDK's in a process. */
@Tag("guest")
@Isolated
class BesideEthernetTest {
    private static final String LAB = """
            adapters:
              - name: one
                ports: 2
                queues: 4
                macs: ["00:0d:3a:00:00:0a", "00:0d:3a:00:00:1b"]
                rdma: off
              - name: ours
                address: 7870:00:00.0
                macs: ["00:0d:3a:00:00:2c"]
            links:
              - name: net
                ports: [one/1, one/2, ours/1]
            exports:
              - adapter: one
                socket: %s/one.sock
            devices:
              - {name: mana0, on: ours/1, up: false}
            """;
    private static final Duration LONG = Polling.LONG;
    private static final long FRAMES = 10_000;
    private static final String THEIR_MAC = "00:0d:3a:00:00:0a";
    private static final String OTHER_MAC = "00:0d:3a:00:00:1b";
    private static final String OUR_MAC = "00:0d:3a:00:00:2c";
    private static final String THEIRS = Polling.command(THEIR_MAC, "--eth-peer=0," + OUR_MAC);
    private static final String OUR_PORT = "testpmd -l 0-1 --vdev=\"7870:00:00.0,mac=" + OUR_MAC
            + "\" -- --total-num-mbufs=4096 --txd=512 --rxd=512";
    private static final String OURS = OUR_PORT + " --eth-peer=0," + THEIR_MAC;
    /** Bursts of 32 packets that rings of 512 have room for, however slow either side is. */
    private static final int BURSTS = 8;
    private static final int SENT = BURSTS * 32;
    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static Guest guest;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        guest = Guest.named("beside").on(platform.socket("one")).cpus(2).memory(1024).withDpdk()
                .with(Kit.library("line-buffered")).with(Kit.example("l2fwd")).with(Kit.example("l3fwd"))
                .with(Kit.example("skeleton")).limit(Kit.times(400, 1200)).boot();
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
        String seen = guest.run("listed() { ibv_devices | grep -q mana; }; until_true 100 listed && ibv_devices").done()
                .output();
        assertThat(seen).containsPattern("(?m)^\\s+manae_0\\s").doesNotContainPattern("(?m)^\\s+mana_0\\s");
        assertThat(guest.run("ibv_devinfo -d manae_0").done().output()).containsPattern("vendor_id:\\s+0x1414")
                .containsPattern("phys_port_cnt:\\s+2");
    }

    private static void lend() {
        Polling.lend(guest, "eth0", "eth1");
    }

    @Test
    void theirTestpmdAndOursForwardToEachOther() {
        lend();
        Path file = platform.file("both.pcapng");
        platform.run("capture start net " + file).done();
        // theirs sends, ours sends back
        Polling theirs = Polling.begin(guest, THEIRS + " -i");
        try (Window ours = platform.begin(OURS + " -i --forward-mode=macswap --auto-start")) {
            ours.await("macswap packet forwarding - ports=1");
            theirs.type("set fwd rxonly", "start tx_first " + BURSTS);
            ours.typeUntil("show port stats 0", said -> Polling.counted(said, "RX-packets") >= SENT);
            theirs.until("RX-packets", SENT);
            ours.type("quit");
            String here = ours.ended();
            assertThat(here).contains("  RX-packets: %-14d RX-dropped: 0".formatted(SENT));
            assertThat(Polling.counted(here, "TX-dropped")).isZero();
        }
        // ours sends, theirs sends back
        theirs.type("stop", "clear port stats all", "set fwd macswap", "start");
        theirs.await("macswap packet forwarding - ports=1");
        try (Window ours = platform.begin(OURS + " -i --forward-mode=rxonly")) {
            ours.await("Done");
            ours.type("start tx_first " + BURSTS);
            ours.typeUntil("show port stats 0", said -> Polling.counted(said, "RX-packets") >= SENT);
            ours.type("stop");
            ours.await("Waiting for lcores to finish");
            ours.type("quit");
            String here = ours.ended();
            assertThat(here).contains("RX-packets: %-14d".formatted(SENT));
        }
        theirs.type("stop");
        String there = theirs.end();
        assertThat(there).contains("  RX-packets: %-14d RX-dropped: 0".formatted(SENT));
        assertThat(Polling.counted(there, "TX-dropped")).isZero();
        platform.run("capture stop net " + file).done();
        // either driver counts what is sent when it sends again, so that counters may lack some: the capture has all
        Frames frames = new Frames(file);
        String made = "udp.port == 9 && ip.src == 198.18.0.1 && eth.src == ";
        for (String mac : List.of(THEIR_MAC, OUR_MAC)) {
            assertThat(frames.count(made + mac)).as("sent and sent back by " + mac).isEqualTo(2L * SENT);
        }
        assertThat(frames.fields("udp.port == 9", "frame.len", "ip.src", "ip.dst", "ip.ttl", "ip.checksum.status",
                "udp.length").stream().distinct()).as("both make the same packets, and change nothing but addresses")
                .hasSize(1);
        List<String> all = frames.fields("udp.port == 9", "eth.src", "udp.payload");
        assertThat(payloads(all, OUR_MAC)).as("payload").containsExactlyInAnyOrderElementsOf(payloads(all, THEIR_MAC));
        guest.run("ip link set eth0 up && ip addr show eth0 | grep -q UP").done();
    }

    private static List<String> payloads(List<String> all, String source) {
        return all.stream().filter(line -> line.startsWith(source)).map(line -> line.substring(line.indexOf('\t')))
                .toList();
    }

    /** Line by line, values aside, and what comes from time to time and at the end. */
    @Test
    void theSameWordsGiveTheSameLabels() throws IOException {
        lend();
        PolledWords words = new PolledWords(platform, guest);
        words.sameLabels(THEIRS + " -i", OURS + " -i");
        words.sameRefusals(THEIRS + " -i", OURS + " -i");
        words.samePeriods(THEIRS, OURS);
        words.sameEnd(THEIRS, OURS);
        guest.run("ip link set eth0 up && ip addr show eth0 | grep -q UP").done();
    }

    /** Packets of two segments that either sends to the other, as both print them. */
    @Test
    void bothPrintPacketsAlike() {
        lend();
        Polling theirs = Polling.begin(guest, THEIRS + " -i --txpkts=64,100 --forward-mode=rxonly");
        try (Window ours = platform.begin(OURS + " -i --txpkts=64,100 --forward-mode=rxonly")) {
            ours.await("Done");
            ours.type("set verbose 3");
            ours.await("Change verbose level from 0 to 3");
            theirs.type("set verbose 3", "start");
            theirs.await("rxonly packet forwarding");
            ours.type("start tx_first 1");
            theirs.await("Receive queue");
            theirs.type("stop", "start tx_first 1");
            ours.await("Receive queue");
            ours.type("quit");
            String here = ours.ended();
            String there = theirs.end();
            for (String queue : List.of("Send queue", "Receive queue")) {
                assertThat(printed(here, queue)).as(here).isNotEmpty().isEqualTo(printed(there, queue));
            }
            assertThat(printed(here, "Send queue").first()).contains("length=164 - nb_segs=2");
        }
        guest.run("ip link set eth0 up && ip addr show eth0 | grep -q UP").done();
    }

    /**
     * Lines about packets with that word in them and the line of flags after each, without what two programs have of
     * their own.
     */
    private static TreeSet<String> printed(String said, String queue) {
        return Pattern.compile("  src=.* - " + queue + ".*\n.*").matcher(said).results().map(MatchResult::group)
                .map(line -> line.replaceAll("([0-9A-F]{2}:){5}[0-9A-F]{2}", "MAC").replaceFirst("pool=\\S+", "pool=P"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Frames are forwarded in every way that it has, and come out right; the kernel has the port when it is killed. */
    @Test
    void theirTestpmdTakesAllModes() {
        lend();
        PolledModes.run(platform, guest, THEIR_MAC, OUR_MAC, OURS);
        guest.run("ip link set eth0 up && ip addr show eth0 | grep -q UP && ip link set eth0 down").done();
    }

    /**
     * A frame of 9000 bytes and its header of 14 are the longest there are, and checksums of frames are not counted.
     */
    @Test
    void whatIsTooLongIsRefusedByBoth() {
        lend();
        Answer theirs = guest.run(THEIRS + " --mbuf-size=9728 --max-pkt-len=9015 </dev/null 2>&1", LONG);
        assertThat(theirs.status()).as(theirs.output()).isNotZero();
        assertThat(theirs.output()).contains("MTU (9001) > device max MTU (9000)", "Start ports failed");
        platform.run(OURS + " --mbuf-size=9728 --max-pkt-len=9015").refused("9001", "9000");
    }

    @Test
    void examplesForwardUnchanged() {
        lend();
        PolledExamples examples = new PolledExamples(platform, adapters, guest, OUR_PORT,
                List.of(THEIR_MAC, OTHER_MAC));
        examples.l2fwd();
        examples.l3fwd();
        examples.skeleton();
        guest.run("ip link set eth0 up && ip link set eth1 up && ip addr show eth1 | grep -q UP").done();
    }

    /**
     * DPDK's program that reads the statistics of another process: a secondary, which shares memory and the driver's
     * file.
     */
    @Test
    void aSecondaryReadsStatisticsAndTheKernelHasThePortWhenThePrimaryIsKilled() {
        lend();
        guest.run("echo 120 >/proc/sys/vm/nr_hugepages && mkdir -p /dev/hugepages && mount -t hugetlbfs none "
                + "/dev/hugepages").done();
        String function = " --vdev=\"$(function),mac=" + THEIR_MAC + "\"";
        guest.run("LD_PRELOAD=/kit/line-buffered.so dpdk-testpmd -l 0-1 -m 64 --iova-mode va" + function
                + " -- --total-num-mbufs=4096 --forward-mode=txonly --eth-peer=0," + OUR_MAC
                + " --stats-period 1 </dev/null >/tmp/testpmd.log 2>&1 &").done();
        guest.run("sends() { awk '/TX-packets: [1-9]/ { n++ } END { exit n == 0 }' /tmp/testpmd.log; }; "
                + "until_true 1800 sends || { cat /tmp/testpmd.log; false; }", LONG).done();
        String seen = guest.run("dpdk-proc-info" + function + " -- --stats 2>&1", LONG).done().output();
        assertThat(seen).contains("NIC statistics for port 0 ");
        assertThat(Polling.counted(seen, "TX-packets")).isPositive();
        guest.run("kill -9 \"$(pidof dpdk-testpmd)\" && until_true 300 ended dpdk-testpmd && ip link set eth0 up && "
                + "ip addr show eth0 | grep -q UP", LONG).done();
        guest.run("umount /dev/hugepages; echo 0 >/proc/sys/vm/nr_hugepages").done();
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
        assertThat(guest.run("ip link set eth0 up && ip addr show eth0").done().output())
                .as("the port is the network device's again").contains("UP");
    }
}
