package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words, lines and output of a run over ports that are arrays. */
class ProgramTest {
    private static final int ROUNDS = Integer.getInteger("manafold.testpmd.lines", 100_000);

    private final SharedBlocks memory = Blocks.source();
    private LoopEnvironment environment = new LoopEnvironment(2, 3, 256);

    private Program program() {
        Program program = new Program(new PacketPools(memory));
        program.addDriver(environment);
        return program;
    }

    private TestPmdRun start(String line) {
        return program().start(List.of(line.split(" ")));
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(memory.blocks()).isEmpty();
    }

    /** A terminal is not told to do anything by a word that is repeated, nor by what is left of one that is cut. */
    @Test
    void whatIsRepeatedDoesNothingToATerminal() {
        String hostile = "\u202e\u009b[1A\u200f";
        try (TestPmdRun run = start("-l 0-2 -- -i")) {
            for (String line : List.of(hostile, "port config all rss " + hostile, "set fwd " + hostile,
                    "port attach" + hostile, "show port " + hostile, "x".repeat(59) + "\ud83d\ude00")) {
                assertThat(run.line(line).strip()).isNotEmpty().doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
            }
        }
        assertThatThrownBy(() -> start("-l 0-2 -- --forward=" + hostile)).message()
                .doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
    }

    @Test
    void bothHalves() {
        try (TestPmdRun run = start("-l 0-2 -a 7870:00:00.0 -- -i --nb-cores=2 --forward=io --stats 2")) {
            assertThat(environment.words()).containsExactly("-l", "0-2", "-a", "7870:00:00.0", "--");
            assertThat(run.isInteractive()).isTrue();
            assertThat(run.opening())
                    .contains("testpmd: create a new mbuf pool <mb_pool_0>: n=10716, size=2176, socket=0\n",
                    "Configuring Port 0 (socket 0)\nPort 0: 00:0D:3A:00:00:01\n", "Checking link statuses...\nDone\n");
            assertThat(run.line("start")).isEqualTo("""
                    io packet forwarding - ports=2 - cores=2 - streams=2 - NUMA support enabled, MP allocation mode: native
                    Logical Core 1 (socket 0) forwards packets on 1 streams:
                      RX P=0/Q=0 (socket 0) -> TX P=1/Q=0 (socket 0) peer=02:00:00:00:00:01
                    Logical Core 2 (socket 0) forwards packets on 1 streams:
                      RX P=1/Q=0 (socket 0) -> TX P=0/Q=0 (socket 0) peer=02:00:00:00:00:00

                      io packet forwarding packets/burst=32
                      nb forwarding cores=2 - nb forwarding ports=2
                      port 0: RX queue number: 1 Tx queue number: 1
                        Rx offloads=0x0 Tx offloads=0x0
                        RX queue: 0
                          RX desc=256 - RX free threshold=0
                          RX threshold registers: pthresh=0 hthresh=0  wthresh=0
                          RX Offloads=0x0
                        TX queue: 0
                          TX desc=256 - TX free threshold=0
                          TX threshold registers: pthresh=0 hthresh=0  wthresh=0
                          TX offloads=0x0 - TX RS bit threshold=0
                      port 1: RX queue number: 1 Tx queue number: 1
                        Rx offloads=0x0 Tx offloads=0x0
                        RX queue: 0
                          RX desc=256 - RX free threshold=0
                          RX threshold registers: pthresh=0 hthresh=0  wthresh=0
                          RX Offloads=0x0
                        TX queue: 0
                          TX desc=256 - TX free threshold=0
                          TX threshold registers: pthresh=0 hthresh=0  wthresh=0
                          TX offloads=0x0 - TX RS bit threshold=0
                    """);
            assertThat(run.line("port stop all")).contains("'stop' comes first", "(EBUSY, -16)");
            assertThat(run.line("stop")).isEqualTo("""
                    Telling cores to stop...
                    Waiting for lcores to finish...

                      ---------------------- Forward statistics for port 0  ----------------------
                      RX-packets: 0              RX-dropped: 0             RX-total: 0
                      TX-packets: 0              TX-dropped: 0             TX-total: 0
                      ----------------------------------------------------------------------------

                      ---------------------- Forward statistics for port 1  ----------------------
                      RX-packets: 0              RX-dropped: 0             RX-total: 0
                      TX-packets: 0              TX-dropped: 0             TX-total: 0
                      ----------------------------------------------------------------------------

                      +++++++++++++++ Accumulated forward statistics for all ports+++++++++++++++
                      RX-packets: 0              RX-dropped: 0             RX-total: 0
                      TX-packets: 0              TX-dropped: 0             TX-total: 0
                      ++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++

                    Done.
                    """);
            assertThat(run.line("quit")).isEmpty();
            assertThat(run.isEnded()).isTrue();
            assertThat(run.finish()).contains("Stopping port 0...\nStopping ports...\nDone\n",
                    "Shutting down port 0...\nClosing ports...\nPort 0 is closed\nDone\n", "Bye...");
        }
        assertThat(environment.closed).isTrue();
    }

    /** As many cores as the mask has, unless their number is given. */
    @ParameterizedTest
    @CsvSource({"--coremask=0x6, 2", "--coremask=0x6 --nb-cores=1, 1", "--coremask=4, 1", "--nb-cores=2, 2"})
    void coresOfAMaskForward(String options, int cores) {
        try (TestPmdRun run = start("-l 0-2 -- -i " + options)) {
            assertThat(run.line("start")).contains(" - cores=" + cores + " - streams=2 ");
        }
    }

    /** What the driver would have bursts be. */
    @Test
    void aBurstOfNoneIsThatOfTheDriver() {
        try (TestPmdRun run = start("-l 0-1 -- -i --burst=0")) {
            assertThat(run.opening()).contains("--burst=0: bursts have 1 packet, as the driver advertises.");
            assertThat(run.line("start")).contains("packets/burst=1\n");
        }
    }

    @Test
    void packetsOfThirtySegmentsAreMade() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=txonly --txpkts=64" + ",1".repeat(29))) {
            assertThat(run.line("start")).contains("txonly packet forwarding - ports=2");
        }
    }

    @Test
    void badChecksumsAreShownInCsumMode() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=csum -a")) {
            assertThat(run.finish()).contains("RX-total: 0\n  Bad-ipcsum: 0              Bad-l4csum: 0             "
                    + "Bad-outer-l4csum: 0 ", "\n  Bad-outer-ipcsum: 0             \n  TX-packets: 0 ");
        }
    }

    @Test
    void statisticsBlock() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            assertThat(run.line("show port stats 0")).isEqualTo("""

                      ######################## NIC statistics for port 0  ########################
                      RX-packets: 0          RX-missed: 0          RX-bytes:  0
                      RX-errors: 0
                      RX-nombuf:  0        \s
                      TX-packets: 0          TX-errors: 0          TX-bytes:  0

                      Throughput (since last show)
                      Rx-pps:            0          Rx-bps:            0
                      Tx-pps:            0          Tx-bps:            0
                      ############################################################################
                    """);
        }
    }

    @Test
    void withoutPromptItForwardsAtOnce() {
        try (TestPmdRun run = start("-l 1-3 --vdev=7870:00:00.0,mac=00:0d:3a:00:00:01 -- --forward-mode=txonly "
                + "--auto-start --txd=128 --rxd=128 --stats 2")) {
            assertThat(run.period()).isEqualTo(2);
            assertThat(run.opening()).contains("txonly packet forwarding - ports=2", "TX desc=128");
            while (environment.ports.get(0).out[0].size() < 256) {
                Thread.onSpinWait();
            }
            assertThat(run.periodic()).startsWith("\u001b[2J\u001b[1;1H\nPort statistics ===")
                    .contains("TX-packets: 256 ");
            assertThat(run.figures()).containsEntry("mode", "txonly").containsEntry("forwarding", true)
                    .containsEntry("totals", List.of());
            assertThat(run.finish()).contains("TX-packets: 256 ").contains("Done.");
            assertThat(run.figures()).as("of the end").containsEntry("forwarding", false);
            assertThat(run.figures().get("ports").toString()).contains("{port=0, ", "tx-packets=256");
            assertThat(run.figures().get("totals").toString()).contains("{port=0, rx-packets=0, rx-dropped=0, "
                    + "rx-total=0, tx-packets=256, tx-dropped=", "{port=1, ");
        }
    }

    @Test
    void howALineEndedIsToldToPrograms() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("set fwd mac");
            assertThat(run.outcome()).isEqualTo(Map.of("status", 0));
            assertThat(run.line("set fwd bogus")).endsWith(" (EINVAL, -22)\n");
            assertThat(run.outcome()).containsEntry("errno", "EINVAL").containsEntry("status", 1)
                    .hasEntrySatisfying("error", error -> assertThat(error.toString()).startsWith("Bad arguments: "));
            run.line("start");
            assertThat(run.outcome()).isEqualTo(Map.of("status", 0));
            run.line("start");
            assertThat(run.outcome()).containsEntry("errno", "EBUSY");
            assertThat(run.line("port stop 0")).contains("(EBUSY, -16)");
            assertThat(run.outcome()).containsEntry("errno", "EBUSY");
            run.line("stop");
            assertThat((List<?>) run.figures().get("totals")).hasSize(2);
        }
    }

    @Test
    void eightQueuesOnFourCores() {
        environment = new LoopEnvironment(2, 6, 64);
        try (TestPmdRun run = start("-l 1-6 -- --forward-mode=txonly --nb-cores=4 --txd=128 --rxd=128 --txq=8 "
                + "--rxq=8")) {
            assertThat(run.opening()).contains("cores=4 - streams=16",
                    "port 1: RX queue number: 8 Tx queue number: 8\n    Rx offloads=0x80000 Tx offloads=0x0\n",
                    "Enter ends it.");
            while (environment.ports.get(0).out[7].size() == 0) {
                Thread.onSpinWait();
            }
            assertThat(run.finish())
                    .contains("------- Forward Stats for RX Port= 1/Queue= 7 -> TX Port= 0/Queue= 7 -------");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --tx 1                | may be any of
            --nonsense            | no option
            --burst=513           | from 0 to 512
            --burst=x             | from 0 to 512
            --txd                 | needs a value
            --interactive=1       | takes no value
            --forward-mode=none   | no forwarding mode
            --nb-cores=3          | There are 2 forwarding cores and not 3
            --enable-lro          | leave it out
            --rxq=3 --txq=3       | power of two
            --tx-offloads=0x10000 | requested 0x10000, supported 0x800f
            --portlist=7          | Invalid port 7
            --tx-ip=1.2.3         | two addresses
            --tx-ip=1.2.3.0x4,1.2.3.4 | a decimal number, not '0x4'
            --eth-peer=0,1        | no MAC address
            w                     | no option
            --mbuf-size=2176,x    | --mbuf-size takes a whole number from 192 to 65535, not 'x'
            --mbuf-size=2176,     | from 192 to 65535
            --mbuf-size=1,2,3,4,5,6,7,8,9 | at most 8 sizes
            --mask-event=intr     | --mask-event knows no event 'intr'
            """)
    void wrongWordsAreRefused(String words, String sentence) {
        assertThatThrownBy(() -> start("-l 0-2 -- " + words)).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused).hasMessageContaining(sentence);
            assertThat(refused.errno()).isIn(Errno.EINVAL, Errno.ENODEV);
        });
    }

    @Test
    void withoutAPortThereIsNothingToStart() {
        environment = new LoopEnvironment(0, 2, 64);
        assertThatThrownBy(() -> start("-l 0-1 --no-pci -- -i")).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused).hasMessageContaining("No probed ethernet devices");
            assertThat(refused.errno()).isEqualTo(Errno.ENODEV);
        });
        assertThat(environment.closed).isTrue();
    }

    @Test
    void packetsHaveTheFirstOfSeveralSizes() {
        try (TestPmdRun run = start("-l 0-1 -- -i --mbuf-size=4224,2176")) {
            assertThat(run.opening()).contains(", size=4224, socket=0\n",
                    "--mbuf-size: packets have the first size, 4224; the others are for devices that split");
        }
        try (TestPmdRun run = start("-l 0-1 -- -i --mbuf-size=4224")) {
            assertThat(run.opening()).contains(", size=4224, socket=0\n").doesNotContain("--mbuf-size");
        }
    }

    @Test
    void bothHalvesAreToldOfInTheUsage() {
        assertThat(program().usage()).contains("Words of the environment",
                "--forward-mode=VALUE\n", "--hot-plug\n", "--numa  (changes nothing here)",
                "--latencystats=VALUE\n", "--enable-lro  (refused)");
    }

    /** What has no effect says why, and what would have one that is not carried out is refused. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --numa                                | --numa changes nothing here: memory is one node here.
            --no-flush-rx                         | queues are never emptied before packets are forwarded.
            --mlockall                            | no other memory is locked.
            --enable-scatter                      | is in one segment of its pool
            --socket-num=1                        | --socket-num takes a whole number from 0 to 0
            --port-numa-config=(0,1)              | '(0,1)' is not (0,0),(1,0).
            --ring-numa-config=(0,1)              | '(0,1)' is not (0,1,0),(1,2,0).
            --mp-alloc=heap                       | mp-alloc heap invalid - must be: native, anon,
            --txonly-flows=65                     | --txonly-flows takes a whole number from 1 to 64
            --txonly-nb-flows=0                   | --txonly-nb-flows takes a whole number from 1 to 64
            --eth-peers-configfile=.              | is no file of addresses
            --display-xstats=rx_good_days         | has no extended statistic 'rx_good_days'
            """)
    void optionsWithoutEffectSayWhy(String option, String sentence) {
        String opening;
        try (TestPmdRun run = start("-l 0-1 -- -i " + option)) {
            opening = run.opening();
        } catch (Refusal refused) {
            assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
            opening = refused.getMessage();
        }
        assertThat(opening).contains(sentence);
    }

    @Test
    void whatIsRecordedIsShown() {
        try (TestPmdRun run = start("-l 0-1 -- -i --record-core-cycles --record-burst-stats --no-lsc-interrupt "
                + "--display-xstats=rx_good_packets,tx_q0_packets --disable-link-check --enable-rss --socket-num=0 "
                + "--port-numa-config=(0,0),(1,0) --ring-numa-config=(0,1,0) --mp-alloc=native")) {
            assertThat(run.opening()).doesNotContain("Checking link", "changes nothing");
            assertThat(run.line("show port 0 rss-hash")).contains("ipv4", "ipv6");
            assertThat(run.line("show port stats 0")).contains("\n  Extended statistics\n  rx_good_packets: 0\n"
                    + "  tx_q0_packets: 0\n  ####");
            run.line("set fwd txonly");
            run.line("start");
            long giveUp = System.nanoTime() + 20_000_000_000L;
            while (run.line("dump lcores").contains("busy turns 0/")) {
                assertThat(System.nanoTime()).as("time for a turn").isLessThan(giveUp);
            }
            assertThat(run.line("dump lcores")).containsPattern("lcore 1, socket 0, role RTE, cpuset [0-9-]+, busy "
                    + "turns [1-9]\\d*/\\d+ [(]ratio \\d+[.]\\d\\d%[)]");
            assertThat(run.figures().get("cores").toString()).matches("\\[\\{core=1, turns=\\d+, empty-turns=\\d+}]");
            assertThat(run.line("dump lcores")).contains("lcore 0, socket 0, role RTE, cpuset ")
                    .doesNotContainPattern("lcore 0.*busy");
            assertThat(run.line("stop")).containsPattern("  TX-bursts : [1-9]\\d* \\[\\d+% of 0 pkts \\+ ")
                    .containsPattern("\n  lcore 1, busy turns [1-9]");
        }
    }

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

    @Test
    void aPortThatIsUpRefusesTheStart() {
        environment.ports.get(1).refusal = Errno.ENODEV;
        assertThatThrownBy(() -> start("-l 0-2 -- --forward-mode=rxonly")).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV));
        assertThat(environment.closed).isTrue();
    }

    /** At a prompt it can be mended. */
    @Test
    void aPortThatIsUpIsToldOfBeforeThePrompt() {
        environment.ports.get(1).refusal = Errno.ENODEV;
        try (TestPmdRun run = start("-l 0-2 -- -i")) {
            assertThat(run.opening()).contains("Configuring Port 1 (socket 0)\n"
                    + "Fail to start port 1: The network device "
                    + "of the port is up; take it down. (ENODEV, -19)\nChecking link statuses...\nDone\n");
            assertThat(run.line("start")).contains("Not all ports were started");
            assertThat(run.line("port start all"))
                    .startsWith("Port 0 is now not stopped\nConfiguring Port 1 (socket 0)\nFail to start port 1")
                    .endsWith("Done\n");
            environment.ports.get(1).refusal = null;
            assertThat(run.line("port start all")).contains("Port 1: 00:0D:3A:00:00:02\n");
            assertThat(run.line("port start all")).isEqualTo("Port 0 is now not stopped\nPort 1 is now not stopped\n"
                    + "Please stop the ports first\nDone\n");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense                  | Command not found
            s                         | Ambiguous command: 's' may be set, show, start, stop.
            show prt stats 0          | Bad arguments: 'prt'
            show port                 | Bad arguments: 'show port' is no whole line
            show port stats 9         | Invalid port 9
            set fwd rxonly retry      | nothing to retry
            set promisc all on        | (EOPNOTSUPP, -95)
            set burst 5000            | from 0 to 512
            tx_vlan set 7 1           | Invalid port 7
            show port info rss-hash   | A port takes a whole number
            port config all rxd 0x80  | Please stop all ports first
            show port info 0X1        | Link speed: 200 Gbps
            show port info 0x0        | Link speed: 200 Gbps
            set burst 0x100000010     | from 0 to 512
            set burst 0x-1            | from 0 to 512, not '0x-1'
            set burst 0x              | from 0 to 512, not '0x'
            set burst 0x10            | Number of packets per burst set to 16\\n
            stop                      | Packet forwarding not started
            port config all rxq 4     | 'port stop all' come first
            port config mtu 0 9999    | (EINVAL, -22)
            csum set ip hw 0          | Please stop port 0 first
            show port 0 rss reta 128  | Invalid redirection table size
            show port 0 rss reta 64 (0x5) | hash index=0, queue=0\\nRSS RETA configuration: hash index=2, queue=0\\n
            show port 0 rss reta 64 (0x1,0x1) | there are 1 in the brackets, not 2
            show port 0 rss reta 64 0x1 | written in brackets
            show port 0 rss reta 64 (x) | takes a number such as 0x8003
            set promisc 0 on          | (EOPNOTSUPP, -95)
            set allmulti all on       | Port 1 (7870:00:00.0_port2) has no all-multicast mode
            set burst 64              | Number of packets per burst set to 64\\n
            set verbose 1             | Change verbose level from 0 to 1\\n
            set nbport 1              | Number of forwarding ports set to 1\\nWarning: with an odd number
            set nbport 3              | from 1 to 2
            set nbcore 1              | Number of forwarding cores set to 1\\n
            set nbcore 3              | from 1 to 2
            set portlist 1            | Number of forwarding ports set to 1\\n
            set portlist 7            | Invalid port 7
            set corelist 0            | core 0 carries out lines
            set corelist 9            | Core 9 cannot forward
            set default               | Reset to default forwarding configuration...\\n
            set fwd 5tswap            | Set 5tswap packet forwarding mode\\n
            port config 0 rss reta (0,0) | The reta size of port 0 is 64\\n
            port config all rss udp   | has several
            port config 0 rss-hash-key ipv4 aabb | A key has 40 bytes
            port config 0 rss-hash-key ipv4 zz | hexadecimal digits
            port config 0 rss-hash-key sctp aabb | it is one of ipv4, ipv4-tcp
            port attach 7870:00:00.0  | Failed to attach port 7870:00:00.0: All are taken. (ENODEV, -19)
            port attach nonsense      | 'nonsense' is no function. (EINVAL, -22)
            dump_lcores               | lcore 1, socket 0
            help ports                | port start PORT
            show port summary all     | Number of available ports: 2
            show port info 0          | Link speed: 200 Gbps
            show port xstats 1        | rx_good_packets: 0
            show port 0 rss-hash      | RSS disabled
            show config fwd           | io packet forwarding - ports=2
            dump mempool              | available_count=8216
            show rxq info all 0       | from 0 to
            show rxq info 0 0         | Rx queue state: started\\nNumber of RXDs: 256
            show txq info 1 0         | TX RS threshold: 0
            show config cores         | forwarding lcores:  1
            show config txpkts        | Split packet: off
            show config rxpkts        | Number of segments: 0
            show config rxoffs        | Number of offsets: 0
            show config rxhdrs        | Number of segments: 0
            set txsplit some          | Bad arguments
            set rxpkts 1,2,3,4,5,6,7,8 | set rxpkts takes at most 7 numbers
            set rxhdrs eth,ipx        | set rxhdrs does not know 'ipx'; headers are eth, ipv4,
            set rxhdrs eth,eth,eth,eth,eth,eth,eth,eth | set rxhdrs takes at most 7 headers
            set rxoffs 65535          | set rxoffs takes a whole number from 0 to 65534, not '65535'
            port config 0 rx_offload buffer_split on | devices here know vlan_strip
            set txpkts 64,x           | The length of a segment takes a whole number from 1 to 2048, not 'x'
            set txpkts 41,64          | their first segment, takes a whole number from 42 to 2048, not '41'
            set txpkts 64,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 | at most 30 segments
            port config all max-pkt-len 63 | max-pkt-len takes a whole number from 64 to 65535, not '63'
            set burst 0               | Number of packets per burst set to 1
            set txpkts 2048,2048,2048,2048,2048 | longer than the 9014
            port config 0 tx_offload multi_segs on | 'port stop 0' comes first
            port config 0 tx_offload tcp_tso on | devices here know vlan_insert, ipv4_cksum, udp_cksum, tcp_cksum, multi_segs
            port config 7 rx_offload vlan_strip on | Invalid port 7
            show port info 1          | Maximum MTU: 9000\\nPromiscuous mode: disabled
            show port 0 rx_offload capabilities | Per Port  : VLAN_STRIP IPV4_CKSUM UDP_CKSUM TCP_CKSUM RSS_HASH
            show port 1 tx_offload configuration | Queue[ 0] :\\n
            show port 0 ptypes        | Inner L4 ptypes unsupported
            show device info all      | Port id: 1 \\n\\tMAC address: 00:0D:3A:00:00:02
            show device info none     | There is no device 'none'
            csum show 0               | Outer-Ip checksum offload is sw
            csum show 7               | Invalid port 7
            set link-up port 0        | Set link up fail
            set link-down port 9      | Invalid port 9
            set log pmd[.]net 8       | No type 'pmd[.]net'. (EINVAL, -22)
            set log pmd.net.* 9       | from 1 to 8
            read rxd 0 0 0            | rx_ring ring memory zoneof (port 0, queue 0) not found (zone name = eth_p0_q0_rx_ring
            read txd 1 0 255          | eth_p1_q0_tx_ring): rings of net_mana lie in memory that it alone reads. 'show txq info 1 0'
            read rxd 0 0 256          | Invalid RX descriptor 256 (must be < ring_size=256)
            read txd 0 1 0            | Invalid TX queue 1 (must be < nb_txq=1)
            read txd 9 0 0            | Invalid port 9
            dump memzone              | name:<mb_pool_0>, len:0x
            dump devargs              | [pci]: 7870:00:00.0
            dump ring                 | ring <MP_mb_pool_0>
            dump lcores               | lcore 1, socket 0, role RTE, cpuset 0
            dump mempool nonsense     | There is no pool 'nonsense'
            port 0 rxq 0 stop         | Function not supported in PMD: net_mana starts and stops all queues of a port together
            port 1 txq 0 start        | (EOPNOTSUPP, -95)
            port 0 rxq 1 stop         | Invalid RX queue 1 (must be < nb_rxq=1): ports have so many. (EINVAL, -22)
            port 9 txq 0 start        | Invalid port 9
            port reset all            | please stop port(s) first: 'port stop 0' comes first
            port detach 1             | Port not stopped: 'port stop 1' comes first
            device detach 7870:00:00.0 | 'port stop 0' comes first
            device detach 1:2:3.4     | There is no device
            clear port stats all      | cleared
            """)
    void lines(String line, String answer) {
        try (TestPmdRun run = start("-l 0-1 -- -i --mbcache=0 --total-num-mbufs=8216")) {
            assertThat(run.line(line)).contains(answer.translateEscapes());
        }
    }

    /** Memory of packets is of one kind, which is no mistake of who names another one that there is. */
    @ParameterizedTest
    @ValueSource(strings = {"anon", "xmem", "xmemhuge", "xbuf"})
    void packetsAreInMemoryOfOneKind(String kind) {
        assertThatThrownBy(() -> start("-l 0-1 -- -i --mp-alloc=" + kind)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageContaining("--mp-alloc=" + kind + " is not carried out here: ");
    }

    /** A queue of a port that is stopped is not asked for. */
    @Test
    void queuesOfAStoppedPort() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop 0");
            assertThat(run.line("port 0 rxq 0 start")).contains("Please start port 0 first", "(EINVAL, -22)");
        }
    }

    /** It stays so when the driver is replaced by another one. */
    @Test
    void whatIsLoggedIsSetByTypes() {
        Program program = program();
        try (TestPmdRun run = program.start(List.of("-l", "0-1", "--", "-i"))) {
            assertThat(run.line("set log pmd.net.mana.driver 8")).isEmpty();
            assertThat(run.line("set log global 7")).isEmpty();
            assertThat(run.line("set log global 6")).isEmpty();
            assertThat(environment.levels).containsExactly("pmd.net.mana.driver 8", "global 7", "global 6");
            LoopEnvironment other = new LoopEnvironment(2, 3, 256);
            program.removeDriver(environment);
            program.addDriver(other);
            assertThat(run.line("port attach 7870:00:00.0")).contains("Port 0 is attached");
            assertThat(other.levels).containsExactly("pmd.net.mana.driver 8", "global 6");
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

    /** None is not all: nothing changes. */
    @ParameterizedTest
    @ValueSource(strings = {"set portmask 0", "set portmask 0x0", "set coremask 0", "set coremask 0x00"})
    void aMaskOfNoneIsRefused(String line) {
        try (TestPmdRun run = start("-l 0-2 -- -i --portlist=1 --coremask=4")) {
            assertThat(run.line(line)).contains(line.substring(0, 12) + " takes a mask with a bit", "(EINVAL, -22)");
            assertThat(run.line("show config fwd")).contains("ports=1 - cores=1", "Logical Core 2");
        }
    }

    /** Whether there is a prompt or not: it could not be mended there. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | --nb-cores=5       | There are 1 forwarding cores and not 5
            1 | --nb-cores=1       | There are 0 forwarding cores and not 1
            2 | --coremask=0x1     | Core 0 cannot forward: those that can are [1]
            2 | --coremask=0x4     | Core 2 cannot forward: those that can are [1]
            3 | --coremask=2 --nb-cores=2 | There are 1 forwarding cores and not 2
            2 | --nb-ports=3       | There are 2 ports and not 3
            2 | --nb-ports=0       | --nb-ports takes a whole number from 1 to 1024, not '0'
            2 | --coremask=0       | --coremask takes a mask with a bit
            2 | --portmask=0       | --portmask takes a mask with a bit
            """)
    void tooFewCoresOrPortsAreToldOfAtTheStart(int cores, String options, String sentence) {
        environment = new LoopEnvironment(2, cores, 64);
        for (String prompt : List.of("-i ", "")) {
            assertThatThrownBy(() -> start("-l 0-1 -- " + prompt + options)).hasMessageContaining(sentence)
                    .isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
            assertThat(environment.ports).noneMatch(LoopPort::isStarted);
        }
    }

    /** What its primary alone can do is not made to depend on a line that it refuses a secondary. */
    @ParameterizedTest
    @ValueSource(strings = {"port config all rxq 2", "port config all max-pkt-len 1514", "port config all rss udp",
        "csum set ip hw 0", "vlan set strip on 0", "port close 0", "port close all", "port reset 0", "port detach 0",
        "device detach 7870:00:00.0", "port config 0 rx_offload vlan_strip on", "port stop 0", "tx_vlan set 0 5",
        "tx_vlan reset 0"})
    void whatIsThePrimarysIsRefusedToASecondary(String line) {
        environment.pool = new PacketPools(memory).make(new PacketPlan("first", 64, 0, 2048)).number();
        environment.ports.forEach(LoopPort::start);
        try (TestPmdRun run = start("-l 0-1 -- -i --num-procs=2 --proc-id=1")) {
            assertThat(run.line(line)).contains("primary", "(EOPNOTSUPP, -95)").doesNotContain("top");
            assertThat(run.line("port config all burst 16")).isEmpty();
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 2\n");
        }
    }

    /** A word that stands in a form as it is typed is that word, and not a value of another form. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            show port info      | none
            show port stats     | none
            port config         | all,mtu
            port                | attach,close,config,detach,reset,start,stop
            show port 0         | macs,ptypes,rss,rss-hash,rx_offload,tx_offload
            set burst           | tx
            """)
    void onlyWordsThatCanFollowAreOffered(String line, String words) {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            assertThat(run.completions(line + " ")).isEqualTo(words == null ? List.of() : List.of(words.split(",")));
        }
    }

    @Test
    void allDevicesMayBeNone() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop all");
            run.line("port close all");
            assertThat(run.line("show device info all")).isEmpty();
            assertThat(run.line("show device info 7870:00:00.0")).contains("There is no device");
        }
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
    void packetsThatAreSentFirstCount() {
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=rxonly")) {
            assertThat(run.line("start tx_first 2")).contains("rxonly packet forwarding");
            assertThat(run.line("stop")).containsPattern("TX-packets: 64 +TX-dropped: 0");
        }
    }

    /** What no port has taken was dropped, and is counted as that. */
    @Test
    void packetsThatAreSentFirstAndDroppedCount() {
        environment = new LoopEnvironment(2, 3, 32);
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first 3");
            assertThat(run.line("stop")).containsPattern("TX-packets: 32 +TX-dropped: 64 +TX-total: 96");
        }
    }

    /** What ports lose besides is of the run in which they lost it; one that found no room has a line more. */
    @Test
    void lossesAreOfTheRunThatIsStopped() {
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=rxonly")) {
            LoopPort first = environment.ports.get(0);
            LoopPort second = environment.ports.get(1);
            first.missed = 1000;
            second.sendErrors = 2000;
            second.noBuffers = 3000;
            run.line("start");
            first.missed += 5;
            second.sendErrors += 7;
            first.noBuffers += 11;
            second.noBuffers += 20;
            assertThat(run.line("stop")).contains("""
                    port 0  ----------------------
                      RX-packets: 0              RX-dropped: 5             RX-total: 5
                      RX-error: 0
                      RX-nombufs: 11           \s
                      TX-packets: 0              TX-dropped: 0             TX-total: 0
                    """, """
                    port 1  ----------------------
                      RX-packets: 0              RX-dropped: 0             RX-total: 0
                      RX-error: 0
                      RX-nombufs: 20           \s
                      TX-packets: 0              TX-dropped: 7             TX-total: 7
                    """, """
                      +++++++++++++++ Accumulated forward statistics for all ports+++++++++++++++
                      RX-packets: 0              RX-dropped: 5             RX-total: 5
                      TX-packets: 0              TX-dropped: 7             TX-total: 7
                      RX-nombufs: 31           \s
                    """.substring(2));
            run.line("start");
            assertThat(run.line("stop")).contains("RX-dropped: 0 ").doesNotContain("RX-dropped: 5", "RX-nombufs");
        }
    }

    @Test
    @Timeout(120)
    void aStopWaitsForNoRetries() {
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=txonly")) {
            run.line("set fwd txonly retry");
            run.line("set burst tx delay 1000000 retry 1000000");
            forwardUntilFull(run, environment.ports.get(1).out[0]);
            assertThat(run.line("stop")).contains("Done.");
        }
    }

    @Test
    @Timeout(120)
    void aStartWithFirstBurstsWaitsForNoRetries() {
        environment = new LoopEnvironment(2, 3, 32);
        try (TestPmdRun run = start("-l 0-2 -- -i")) {
            run.line("set fwd rxonly");
            run.line("set fwd io retry");
            run.line("set burst tx delay 1000000 retry 1000000");
            assertThat(run.line("start tx_first 3")).contains("io packet forwarding");
            assertThat(run.line("stop")).containsPattern("TX-packets: 32 +TX-dropped: 64 +TX-total: 96");
        }
    }

    /** Their packets are the primary's, and so is the room in them. */
    @Test
    void segmentsOfASecondaryFitIntoThePacketsOfItsPrimary() {
        PacketPools pools = new PacketPools(memory);
        environment.pool = pools.make(new PacketPlan("first", 64, 0, 1024)).number();
        assertThatThrownBy(() -> start("-l 0-1 -- -i --num-procs=2 --proc-id=1 --txpkts=64,1500"))
                .isInstanceOf(Refusal.class).hasMessageContaining("has room for 1024");
        environment.pool = pools.make(new PacketPlan("second", 64, 0, 1024)).number();
        try (TestPmdRun run = start("-l 0-1 -- -i --num-procs=2 --proc-id=1 --txpkts=64,1024")) {
            assertThat(run.line("set txpkts 64,1025")).contains("from 1 to 1024", "EINVAL");
        }
    }

    @Test
    void aRunThatDoesNotCloseKeepsNoOtherOpen() {
        Program program = program();
        program.start(List.of("-l", "0-1", "--", "-i"));
        program.start(List.of("-l", "0-1", "--", "-i"));
        environment.refusesToClose = new Refusal(Errno.EIO, "It does not end.");
        program.end();
        assertThat(environment.closings).isEqualTo(2);
    }

    @Test
    void whatIsRefusedAtTheEndIsToldAndTheRestGoesOn() {
        TestPmdRun run = start("-l 0-2 -- -i");
        run.line("start");
        environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
        environment.ports.get(0).refusesToStop = new Refusal(Errno.EIO, "The port does not stop.");
        environment.refusesToClose = new Refusal(Errno.EIO, "It does not end.");
        assertThat(run.finish()).contains("Forward statistics for port 0", "A core has ended early: ",
                "Stopping port 0...\nStopping ports...\nThe port does not stop. (EIO, -5)\n",
                "Stopping port 1...\nStopping ports...\nDone\n", "Port 0 is closed", "Port 1 is closed",
                "It does not end. (EIO, -5)\n", "Bye...");
        assertThatThrownBy(run::close).hasMessage("The port does not stop. It does not end.");
        run.close();
    }

    /** A turn that goes on may have them in its hands. */
    @Test
    void packetsOfACoreThatDoesNotStopAreNotReleased() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=noisy --noisy-tx-sw-buffer-size=64")) {
            run.line("start");
            PacketPool pool = IntStream.range(0, PacketPool.MOST_POOLS).mapToObj(PacketPool::numbered)
                    .filter(one -> one != null && one.name().equals("mb_pool_0")).findFirst().orElseThrow();
            int[] packets = new int[8];
            assertThat(pool.take(packets, 0, packets.length)).isTrue();
            environment.ports.get(0).in[0].put(packets, 0, packets.length);
            while (environment.ports.get(0).statistics().received() < packets.length) {
                Thread.onSpinWait();
            }
            environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
            assertThat(run.line("stop")).contains("A core has ended early: ", "Its turn does not end.");
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets() - packets.length);
            environment.refusesToStop = null;
            PacketPool.release(packets, 0, packets.length);
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

    @Test
    void aPortThatComesBackTakesItsPlace() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --eth-peer=1,02:00:00:00:00:99")) {
            run.line("start");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            assertThat(run.events()).contains("Port 1: intr_rmv event: It has gone.\n",
                    "Port 1 is closed\nNow total ports is 1\n", "Packets are forwarded again, by 1 ports.");
            assertThat(run.line("show port info 1")).contains("Invalid port 1");
            environment.comeBack(second, 2);
            assertThat(run.events()).contains("Port 2: new event", "Port 2 is attached. Now total ports is 2\n",
                    "Port 2: 00:0D:3A:00:00:02\n", "Packets are forwarded again, by 2 ports.");
            assertThat(run.line("show config fwd")).contains("-> TX P=2/Q=0 (socket 0) peer=02:00:00:00:00:99");
            environment.remove(environment.ports.get(0));
            environment.remove(environment.ports.get(0));
            assertThat(run.events()).contains("Now total ports is 0\n");
            assertThat(run.line("stop")).contains("Packet forwarding not started");
            environment.comeBack(second, 3);
            assertThat(run.events()).contains("Now total ports is 1\n").doesNotContain("forwarded again");
            assertThat(run.line("start")).contains("ports=1");
        }
    }

    @Test
    void aPortOfTheListMayGoAndComeBack() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug --portlist=0,1")) {
            run.line("start");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            assertThat(run.events()).contains("Port 1 is closed\n", "Packets are forwarded again, by 1 ports.");
            second = environment.comeBack(second, 2);
            assertThat(run.events()).contains("Packets are forwarded again, by 2 ports.");
            assertThat(run.line("show config fwd")).contains("RX P=2/Q=0");
            environment.remove(environment.ports.get(0));
            environment.remove(second);
            assertThat(run.events()).contains("by 1 ports.", "Now total ports is 0\n").doesNotContain("ENODEV");
        }
    }

    /** What is done about an event is done whether it is told or not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none                                           | true  | true
            --mask-event=intr_rmv                          | false | true
            --mask-event all --print-event intr_rmv        | true  | false
            --mask-event=dev_probed                        | true  | false
            --mask-event=all --print-event=all             | true  | true
            --print-event=all --mask-event=all             | false | false
            --mask-event=vf_mbox                           | true  | true
            """)
    void eventsAreToldThatAreNotMasked(String options, boolean removed, boolean came) {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug" + (options == null ? "" : " " + options))) {
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            environment.comeBack(second, 2);
            String told = run.events();
            assertThat(told.contains("intr_rmv event")).isEqualTo(removed);
            assertThat(told.contains("new event")).isEqualTo(came);
            assertThat(told).contains("Port 1 is closed\n", "Port 2 is attached.");
            assertThat(run.opening()).doesNotContain("changes nothing here");
        }
    }

    @Test
    void withoutHotPlugWhatComesIsLeftAlone() {
        try (TestPmdRun run = start("-l 0-1 -- -i --portlist=1 --no-rmv-interrupt")) {
            run.line("start");
            LoopPort second = environment.ports.get(1);
            environment.remove(second);
            assertThat(run.line("show port info 1")).contains("Device name: 7870:00:00.0_port2");
            environment.comeBack(second, 2);
            assertThat(run.events()).contains("intr_rmv", "new event").doesNotContain("attached", "closed");
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 2\n");
        }
    }

    @Test
    void whatIsDetachedIsGone() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            assertThat(run.line("port stop all")).contains("Done");
            assertThat(run.line("port detach 1")).contains("Port 1 is closed\nNow total ports is 1\n");
            assertThat(run.line("port detach 1")).contains("Invalid port 1");
            assertThat(run.line("device detach 7870:00:00.0")).contains("Now total ports is 0\n");
            assertThat(run.line("show port summary all")).startsWith("Number of available ports: 0\n");
            assertThat(run.line("start")).contains("There is no port", "ENODEV");
        }
    }

    @Test
    void anyWordsAreTakenOrRefused() {
        Random random = new Random(1);
        List<String> names = ProgramOptions.names();
        String[] values = {"0", "-1", "x", "", "1,2", "0x7", "99999999999", "--", "-i", "=", "\u0000", "io",
                "0,02:00:00:00:00:01"};
        int refused = 0;
        for (int i = 0; i < ROUNDS; i++) {
            String[] words = new String[1 + random.nextInt(4)];
            for (int w = 0; w < words.length; w++) {
                String name = names.get(random.nextInt(names.size()));
                words[w] = switch (random.nextInt(4)) {
                    case 0 -> name + "=" + values[random.nextInt(values.length)];
                    case 1 -> name.substring(0, random.nextInt(name.length() + 1));
                    case 2 -> values[random.nextInt(values.length)];
                    default -> name;
                };
            }
            try {
                SettingsReader.read(new ProgramOptions(List.of(words)));
            } catch (Refusal refusal) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1, ROUNDS - 1);
    }

    @Test
    void whatWasDetachedIsAttachedAgain() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop all");
            assertThat(run.line("port detach 0"))
                    .isEqualTo("Port was not closed\nRemoving a device...\nPort 0 is closed\n"
                    + "Now total ports is 1\nDone\n");
            assertThat(run.line("port detach 1"))
                    .endsWith("Port 1 is closed\nDevice is detached\nNow total ports is 0\nDone\n");
            assertThat(run.line("port attach 7870:00:00.0"))
                    .isEqualTo("Attaching a new port...\nPort 0 is attached. Now total ports is 1\n"
                    + "Port 1 is attached. Now total ports is 2\nDone\n");
            assertThat(run.line("start")).contains("Not all ports were started");
            assertThat(run.line("port start all"))
                    .contains("Configuring Port 0 (socket 0)\nPort 0: 00:0D:3A:00:00:01\n");
            assertThat(run.line("start")).contains("ports=2");
        }
    }

    @Test
    void aFaultEndsItsLineAlone() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            environment.ports.get(1).failure = new StackOverflowError();
            assertThat(run.line("show port stats all"))
                    .isEqualTo("The line 'show port stats all' was not carried out to its end, by a fault"
                    + " of this program (java.lang.StackOverflowError); 'log' has the details. Go on, or 'quit'.\n");
            environment.ports.get(1).failure = null;
            assertThat(run.isEnded()).isFalse();
            assertThat(run.line("show port stats 1")).contains("NIC statistics for port 1");
        }
    }

    /** Before anything was forwarded, too. */
    @Test
    void countersAreCleared() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            assertThat(run.line("clear fwd stats all")).isEmpty();
            assertThat(run.line("clear port xstats all")).isEmpty();
            run.line("start tx_first");
            run.line("clear fwd stats all");
            assertThat(run.line("stop")).contains("TX-packets: 0 ").contains("Done.");
        }
    }

    /** By a line, and by others. */
    @Test
    void whatAPortHadCountedBeforeItWasResetIsNotTakenAway() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=txonly")) {
            LoopPort.Cable cable = environment.ports.get(1).out[0];
            forwardUntilFull(run, cable);
            run.line("stop");
            run.line("start");
            run.line("clear port stats all");
            int[] some = new int[100];
            PacketPool.release(some, 0, cable.take(some, 0, some.length));
            while (cable.size() < 256) {
                Thread.onSpinWait();
            }
            assertThat(run.line("stop")).contains("TX-packets: 100 ").doesNotContain(": -");
            run.line("start");
            environment.ports.forEach(LoopPort::resetStatistics);
            assertThat(run.line("stop")).contains("TX-packets: 0 ").doesNotContain(": -");
        }
    }

    private static void forwardUntilFull(TestPmdRun run, LoopPort.Cable cable) {
        run.line("start");
        while (cable.size() < 256) {
            Thread.onSpinWait();
        }
    }

    /** Lines that there are, with values of all kinds, whole, cut off and mixed. */
    @Test
    void anyLinesAreAnswered() {
        Random random = new Random(2);
        String[] values = ("all 0 1 9 64 9999 -1 99999999999 x \u0000 # (0,1) (0x1) 0-1 0-4000 0x3 on off "
                + "02:00:00:00:00:01 aabb 7870:00:00.0 64,128").split(" ");
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            List<String[]> forms = run.line("help all").lines().filter(line -> !line.startsWith("   "))
                    .map(line -> line.strip().split(" "))
                    .filter(form -> !form[0].equals("quit")).toList();
            assertThat(forms).hasSizeGreaterThan(60);
            for (int i = 0; i < ROUNDS; i++) {
                String[] form = forms.get(random.nextInt(forms.size()));
                StringBuilder line = new StringBuilder();
                for (int w = 0; w < form.length && random.nextInt(40) > 0; w++) {
                    String[] part = (random.nextInt(40) == 0 ? forms.get(random.nextInt(forms.size()))[0] : form[w])
                            .split("[|]");
                    String word = part[random.nextInt(part.length)];
                    line.append(Character.isUpperCase(word.charAt(0)) ? values[random.nextInt(values.length)] : word)
                            .append(' ');
                }
                assertThat(run.line(line.toString())).as(line.toString()).isNotNull()
                        .doesNotContain("by a fault of this program");
                assertThat(run.completions(line.toString())).isNotNull();
            }
            assertThat(run.finish()).contains("Bye...");
        }
    }
}
