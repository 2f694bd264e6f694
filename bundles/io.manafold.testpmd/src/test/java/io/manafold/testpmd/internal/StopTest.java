package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How forwarding, ports and the program end, and what a core that does not stop keeps. */
class StopTest extends LoopProgram {
    /** Packets that a lane has when it is stopped. */
    private static final int HELD = 8;

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

    @Test
    void aPortThatRefusesKeepsNoOtherFromStoppingOrBeginningAnew() {
        try (TestPmdRun run = start("-l 0-2 -- -i")) {
            LoopPort first = environment.ports.get(0);
            first.refusesToStop = new Refusal(Errno.EIO, "The port does not stop.");
            assertThat(run.line("port stop all")).contains("Fail to stop port 0: The port does not stop. (EIO, -5)\n",
                    "Done\n");
            assertThat(environment.ports).extracting(LoopPort::isStarted).containsExactly(true, false);
            first.refusesToStop = null;
            run.line("port stop all");
            first.refusesToClear = new Refusal(Errno.EIO, "Counts stay.");
            assertThat(run.line("port reset all")).isEqualTo("""
                    Resetting ports...
                    Fail to reset port 0: Counts stay. (EIO, -5)
                    Done
                    """);
            assertThat(environment.ports.get(1).clearings).isEqualTo(1);
            assertThat(run.line("clear port stats all")).isEqualTo("""
                    Counts stay. (EIO, -5)

                      NIC statistics for port 1 cleared
                    """);
            assertThat(environment.ports.get(1).clearings).isEqualTo(2);
        }
    }

    /** A turn that goes on may have them in its hands; they are given back when it is found to be over. */
    @Test
    @Timeout(120)
    void packetsOfACoreThatStopsLateAreGivenBackAtTheEnd() {
        TestPmdRun run = startNoisy();
        PacketPool pool = pool();
        int packets = pool.packets();
        environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
        assertThat(run.line("stop")).contains("A core has ended early: ", "Its turn does not end.");
        assertThat(pool.available()).as("packets that are home").isEqualTo(packets - HELD);
        environment.refusesToStop = null;
        int[] home = new int[1];
        environment.atClose = () -> home[0] = pool.available();
        assertThat(run.finish()).doesNotContain("Its turn does not end.");
        assertThat(home[0]).as("packets that are home").isEqualTo(packets);
        run.close();
    }

    @Test
    @Timeout(120)
    void packetsOfACoreThatStopsLateAreGivenBackByTheNextStart() {
        try (TestPmdRun run = startNoisy()) {
            environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
            run.line("stop");
            environment.refusesToStop = null;
            run.line("start");
            assertThat(pool().available()).as("packets that are home").isEqualTo(pool().packets());
        }
    }

    /** Forwarding has begun anew since. */
    @Test
    @Timeout(120)
    void packetsOfACoreThatStopsLateAreGivenBackByTheNextStop() {
        try (TestPmdRun run = startNoisy()) {
            environment.refusesToStop = new Refusal(Errno.ETIMEDOUT, "Its turn does not end.");
            environment.remove(environment.ports.get(1));
            assertThat(run.events()).contains("Packets are forwarded again, by 1 ports.");
            assertThat(pool().available()).as("packets that are home").isEqualTo(pool().packets() - HELD);
            environment.refusesToStop = null;
            run.line("stop");
            assertThat(pool().available()).as("packets that are home").isEqualTo(pool().packets());
        }
    }

    /** Forwards, and has packets in the queue of a lane. */
    private TestPmdRun startNoisy() {
        TestPmdRun run = start("-l 0-1 -- -i --forward-mode=noisy --noisy-tx-sw-buffer-size=64");
        run.line("start");
        receive(environment.ports.get(0), HELD);
        return run;
    }
}
