package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What lines of the prompt say, and which words it offers. */
class LinesTest extends LoopProgram {
    private static final int ROUNDS = Integer.getInteger("manafold.testpmd.lines", 100_000);

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

    /** Also when a program asks after it. */
    @Test
    void whatIsRefusedAPortThatComesIsNotOfTheLastLine() {
        try (TestPmdRun run = start("-l 0-1 -- -i --hot-plug")) {
            run.line("set fwd mac");
            LoopPort up = new LoopPort(2, 256);
            up.refusal = Errno.EBUSY;
            environment.come(up);
            assertThat(run.events()).contains("Fail to start port 2: ", "(EBUSY, -16)");
            assertThat(run.outcome()).isEqualTo(Map.of("status", 0));
            run.line("set fwd bogus");
            environment.come(new LoopPort(3, 256));
            assertThat(run.outcome()).containsEntry("errno", "EINVAL").containsEntry("status", 1);
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

    /** None is not all: nothing changes. */
    @ParameterizedTest
    @ValueSource(strings = {"set portmask 0", "set portmask 0x0", "set coremask 0", "set coremask 0x00"})
    void aMaskOfNoneIsRefused(String line) {
        try (TestPmdRun run = start("-l 0-2 -- -i --portlist=1 --coremask=4")) {
            assertThat(run.line(line)).contains(line.substring(0, 12) + " takes a mask with a bit", "(EINVAL, -22)");
            assertThat(run.line("show config fwd")).contains("ports=1 - cores=1", "Logical Core 2");
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
