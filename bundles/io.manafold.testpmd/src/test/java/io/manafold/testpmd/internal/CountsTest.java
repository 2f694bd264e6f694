package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted, and in which block it is shown. */
class CountsTest extends LoopProgram {
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

    /** What was told at the end is not told again, by text or to programs. */
    @ParameterizedTest
    @ValueSource(strings = {"clear fwd stats all", "clear port stats all", "clear port xstats all"})
    void whatIsClearedAfterTheEndIsNotToldAgain(String line) {
        TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly");
        run.line("start tx_first");
        assertThat(run.line("stop")).contains("TX-packets: 64 ");
        run.line(line);
        assertThat(run.line("show fwd stats all")).contains("TX-packets: 0 ").doesNotContain("TX-packets: 32 ");
        run.finish();
        assertThat(run.figures().get("totals").toString()).contains("port=1,", "tx-packets=0,", "tx-total=0}")
                .doesNotContain("tx-packets=32,");
    }

    /** What no port has taken is no count of a port, as in DPDK, while lanes go on and afterwards. */
    @ParameterizedTest
    @ValueSource(strings = {"clear port stats all", "stop"})
    void whatLanesHaveCountedIsClearedWithWhatWasForwarded(String before) {
        environment = new LoopEnvironment(2, 3, 32);
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first 3");
            run.line(before);
            run.line("clear port stats all");
            assertThat(run.line("show fwd stats all"))
                    .containsPattern("for port 1 [^F]*TX-packets: 0 +TX-dropped: 64 ");
            run.line("clear fwd stats all");
            assertThat(run.line("show fwd stats all"))
                    .containsPattern("for port 1 [^F]*TX-packets: 0 +TX-dropped: 0 ");
        }
    }

    /** The others are cleared. */
    @Test
    void aPortThatDoesNotTellWhatItHasCountedKeepsNoOtherFromBeingCleared() {
        try (TestPmdRun run = start("-l 0-1 -- -i --forward-mode=rxonly")) {
            run.line("start tx_first");
            LoopPort first = environment.ports.getFirst();
            first.asked = () -> {
                throw new Refusal(Errno.ENODEV, "It has gone.");
            };
            assertThat(run.line("clear fwd stats all")).isEqualTo("It has gone. (ENODEV, -19)\n");
            assertThat(run.line("show fwd stats all")).contains("TX-packets: 0 ").doesNotContain("TX-packets: 32 ");
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
}
