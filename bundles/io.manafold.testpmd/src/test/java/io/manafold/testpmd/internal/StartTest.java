package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run is started with: the words of both halves, what is refused and what has no effect. */
class StartTest extends LoopProgram {
    private static final int ROUNDS = Integer.getInteger("manafold.testpmd.lines", 100_000);

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

    @Test
    void bothHalvesAreToldOfInTheUsage() {
        assertThat(program().usage()).contains("Words of the environment",
                "--forward-mode=VALUE\n", "--hot-plug\n", "--numa  (changes nothing here)",
                "--latencystats=VALUE\n", "--enable-lro  (refused)");
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
            assertThat(run.figures().get("totals").toString()).contains("{port=0, "
                    + "name=7870:00:00.0_port1, rx-packets=0, rx-dropped=0, rx-total=0, tx-packets=256, "
                    + "tx-dropped=", "{port=1, ");
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

    /** Memory of packets is of one kind, which is no mistake of a user who names another one that there is. */
    @ParameterizedTest
    @ValueSource(strings = {"anon", "xmem", "xmemhuge", "xbuf"})
    void packetsAreInMemoryOfOneKind(String kind) {
        assertThatThrownBy(() -> start("-l 0-1 -- -i --mp-alloc=" + kind)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageContaining("--mp-alloc=" + kind + " is not carried out here: ");
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

    @Test
    void allDevicesMayBeNone() {
        try (TestPmdRun run = start("-l 0-1 -- -i")) {
            run.line("port stop all");
            run.line("port close all");
            assertThat(run.line("show device info all")).isEmpty();
            assertThat(run.line("show device info 7870:00:00.0")).contains("There is no device");
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
}
