package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of the prompt: what takes them, and which of them stay. */
class SettingsTest extends LoopProgram {
    /** What its device hashes is honoured, what others hash is refused as by the driver. */
    @ParameterizedTest
    @CsvSource({"all, ipv4-tcp", "default, ipv6-udp", "ip, ipv6", "sctp, 'hashes sctp: it is all'",
        "vxlan, '(EINVAL, -22)'"})
    void whatIsHashedIsSetOrRefused(String type, String shown) {
        try (TestPmdRun run = start("-l 0-1 -- -i --rxq=2 --txq=2")) {
            assertThat(run.line("port config all rss " + type) + run.line("show port 0 rss-hash")).contains(shown);
            assertThat(run.line("port config 0 rss-hash-key ipv4-sctp " + "00".repeat(40))).contains("EINVAL");
        }
    }

    /** A queue of a port that is stopped is not asked for. */
    @Test
    void queuesOfAStoppedPort() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop 0");
            assertThat(run.line("port 0 rxq 0 start")).contains("Please start port 0 first", "(EINVAL, -22)");
        }
    }

    /** Whatever else has ports configured anew, until a line says it for all of them. */
    @Test
    void theMtuOfAPortStays() {
        try (TestPmdRun run = start("-l 0-1 -- -i --max-pkt-len=1614")) {
            run.line("port stop all");
            assertThat(run.line("port config mtu 0 1400")).isEmpty();
            run.line("port start all");
            run.line("port stop all");
            assertThat(run.line("port config all txd 128")).isEmpty();
            run.line("port start all");
            assertThat(environment.ports).extracting(LoopPort::mtu).containsExactly(1400, 1600);
            run.line("port stop all");
            run.line("port config all max-pkt-len 1514");
            run.line("port start all");
            assertThat(environment.ports).extracting(LoopPort::mtu).containsExactly(1500, 1500);
        }
    }

    /** Whatever else has ports configured anew, as far as there are queues for it. */
    @Test
    void howAPortSpreadsPacketsStays() {
        String key = "6D5A".repeat(20);
        try (TestPmdRun run = start("-l 0-1 -- -i --rxq=2 --txq=2")) {
            assertThat(run.line("port config 0 rss-hash-key ipv4 " + key)).isEmpty();
            run.line("port config 0 rss reta (0,1),(1,1)");
            startAnew(run, "port config all rxd 128");
            assertThat(run.line("show port 0 rss-hash key"))
                    .isEqualTo("RSS functions:\n  ipv4\nRSS key:\n" + key + "\n");
            assertThat(environment.ports.get(0).redirection()).startsWith(1, 1, 0, 1);
            assertThat(environment.ports.get(1).redirection()).startsWith(0, 1, 0, 1);
            assertThat(run.line("show port 1 rss-hash")).isEqualTo("RSS functions:\n  ipv4  ipv6\n");
            startAnew(run, "port config all rxq 1", "port config all txq 1");
            assertThat(environment.ports.get(0).redirection()).containsOnly(0);
            startAnew(run, "port config all rxq 4", "port config all txq 4");
            assertThat(environment.ports.get(0).redirection()).startsWith(1, 1, 2, 3);
            startAnew(run, "port config all rss tcp");
            assertThat(run.line("show port 0 rss-hash key"))
                    .isEqualTo("RSS functions:\n  ipv4-tcp  ipv6-tcp\nRSS key:\n" + key + "\n");
            startAnew(run, "port reset all");
            assertThat(run.line("show port 0 rss-hash key")).doesNotContain(key);
            assertThat(environment.ports.get(0).redirection()).startsWith(0, 1, 2, 3);
        }
    }

    private static void startAnew(TestPmdRun run, String... lines) {
        run.line("port stop all");
        for (String line : lines) {
            assertThat(run.line(line)).doesNotContain("(E");
        }
        assertThat(run.line("port start all")).contains("Configuring Port 0");
    }

    /** A port that puts tags in is configured for it by the line that says which; another packet has none. */
    @Test
    void madePacketsGetTheTagOfTheirPort() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=txonly")) {
            assertThat(run.line("tx_vlan set 0 5")).contains("Please stop port 0 first");
            run.line("port stop all");
            assertThat(run.line("tx_vlan set 0 4096")).contains("from 0 to 4095");
            assertThat(run.line("tx_vlan set 0 5")).isEmpty();
            run.line("port start all");
            assertThat(run.line("show port 0 tx_offload configuration")).contains("Port : VLAN_INSERT\n");
            assertThat(run.line("show port 1 tx_offload configuration")).contains("Port :\n");
            assertThat(tags(run)).as("of both ports").containsExactly(5, -1);
            startAnew(run, "tx_vlan reset 0");
            assertThat(run.line("show port 0 tx_offload configuration")).contains("Port :\n");
            assertThat(tags(run)).containsExactly(-1, -1);
        }
    }

    /** The tag that the first packet of each port asks for, or −1. */
    private List<Integer> tags(TestPmdRun run) {
        run.line("start");
        List<Integer> tags = environment.ports.stream().map(port -> {
            int[] one = new int[1];
            while (port.out[0].take(one, 0, 1) == 0) {
                Thread.onSpinWait();
            }
            PacketPool pool = PacketPool.of(one[0]);
            int tag = (PacketPool.flags(pool.first(one[0])) & PacketFlags.INSERT_TAG) == 0 ? -1
                    : PacketPool.tag(pool.second(one[0]));
            PacketPool.release(one, 0, 1);
            return tag;
        }).toList();
        run.line("stop");
        return tags;
    }

    /** A port's checksums are its own: another that is not asked to compute them gets whole frames. */
    @Test
    void checksumsAreSetForAPort() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=csum --tx-offloads=0x8")) {
            run.line("port stop all");
            assertThat(run.line("csum set ip hw 0")).contains("IP checksum offload is hw\nUDP checksum offload is sw\n"
                    + "TCP checksum offload is hw\n");
            assertThat(run.line("csum show 1")).contains("IP checksum offload is sw\nUDP checksum offload is sw\n"
                    + "TCP checksum offload is hw\n");
            run.line("port start all");
            assertThat(environment.ports.get(0).plan().sendOffloads()).isEqualTo(0xa);
            assertThat(environment.ports.get(1).plan().sendOffloads()).isEqualTo(0x8);
        }
    }

    /** Queues that do not split buffers do not heed them; that they are to split is refused, as no device can. */
    @Test
    void headersToSplitBehindAreKeptAndShown() {
        try (TestPmdRun run = start("-l 0-1 -- -i --rxhdrs=eth,ipv4,ipv4-udp")) {
            assertThat(run.line("show config rxhdrs"))
                    .isEqualTo("Number of segments: 4\nPacket segs: eth, ipv4, ipv4-udp, payload\n");
            assertThat(run.line("set rxhdrs inner-eth")).isEmpty();
            assertThat(run.line("show config rxhdrs"))
                    .isEqualTo("Number of segments: 2\nPacket segs: inner-eth, payload\n");
            run.line("port stop all");
            assertThat(run.line("port config 0 rx_offload buffer_split on")).contains("RX_OFFLOAD_BUFFER_SPLIT",
                    "(EINVAL, -22)");
            run.line("port start all");
            assertThat(run.line("start")).contains("Rx offloads=0x0");
            run.line("stop");
        }
    }

    /** Offloads are of a port; what 'set txpkts' needs is taken at the next start of ports. */
    @Test
    void segmentsAreSentByPortsThatWereStartedForThem() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=txonly")) {
            assertThat(run.line("set txpkts 64,128")).isEmpty();
            assertThat(run.line("show config txpkts"))
                    .isEqualTo("Number of segments: 2\nSegment sizes: 64,128\nSplit packet: off\n");
            assertThat(run.line("set txsplit rand")).isEmpty();
            assertThat(run.line("show config txpkts")).endsWith("\nSplit packet: rand\n");
            assertThat(run.line("set rxpkts 64,0")).isEmpty();
            assertThat(run.line("show config rxpkts")).isEqualTo("Number of segments: 2\nSegment sizes: 64,0\n");
            assertThat(run.line("set rxoffs 2")).isEmpty();
            assertThat(run.line("show config rxoffs")).isEqualTo("Number of offsets: 1\nSegment offsets: 2\n");
            assertThat(run.line("start")).contains("to send packets of one segment", "'port start 0'", "(EINVAL, -22)");
            run.line("port stop all");
            run.line("port config 1 tx_offload ipv4_cksum on");
            run.line("port start all");
            assertThat(run.line("start")).contains("packet len=192 - nb packet segments=2",
                    "port 0: RX queue number: 1 Tx queue number: 1\n    Rx offloads=0x0 Tx offloads=0x8000",
                    "port 1: RX queue number: 1 Tx queue number: 1\n    Rx offloads=0x0 Tx offloads=0x8002");
            assertThat(run.line("stop")).contains("Done.");
            run.line("set txpkts 2048,2048");
            run.line("set fwd flowgen");
            assertThat(run.line("start")).contains("flowgen makes packets of one segment");
        }
    }

    @Test
    void settingsAreTakenAtTheNextStart() {
        try (TestPmdRun run = start("-l 0-2 -- -i")) {
            assertThat(run.line("set fwd macswap retry")).isEqualTo("Set macswap packet forwarding mode with retry\n");
            assertThat(run.line("set burst tx delay 5 retry 7")).isEmpty();
            assertThat(run.line("start tx_first 2")).contains("macswap packet forwarding with retry",
                    "TX retry num: 7, delay between TX retries: 5us");
            assertThat(run.line("start")).contains("Packet forwarding already started", "EBUSY");
            assertThat(run.line("stop")).contains("Done.");
            assertThat(run.line("port stop all")).isEqualTo("Stopping ports...\nChecking link statuses...\nDone\n");
            assertThat(run.line("port start 0"))
                    .isEqualTo("Port 0: 00:0D:3A:00:00:01\nChecking link statuses...\nDone\n");
            assertThat(run.line("port close 0")).contains("'port stop 0' comes first", "EBUSY");
            assertThat(run.line("port stop 0")).contains("Done");
            assertThat(run.line("port stop 0")).isEqualTo("Stopping ports...\nDone\n");
            assertThat(run.line("start")).contains("Not all ports were started");
            assertThat(run.line("port config all rxq 4")).isEmpty();
            assertThat(run.line("port config all txq 4")).isEmpty();
            assertThat(run.line("port start all"))
                    .isEqualTo("Configuring Port 0 (socket 0)\nPort 0: 00:0D:3A:00:00:01\n"
                    + "Configuring Port 1 (socket 0)\nPort 1: 00:0D:3A:00:00:02\nChecking link statuses...\nDone\n");
            assertThat(run.line("start")).contains("streams=8");
            assertThat(run.line("show fwd stats all")).doesNotContain("Forward Stats for RX");
            assertThat(run.line("show port 0 rss-hash")).isEqualTo("RSS functions:\n  ipv4  ipv6\n");
            assertThat(run.completions("sh")).containsExactly("show");
            assertThat(run.completions("set fwd mac")).containsExactly("mac", "macswap");
            assertThat(run.completions("port ")).contains("start", "stop");
        }
    }
}
