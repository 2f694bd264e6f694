package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A second platform polls queues of a port in poll mode beside the one that has the port, and either is killed. */
@Timeout(300)
class PollSecondaryTest {
    private static final String PREFIX = "second-" + ProcessHandle.current().pid();
    private static final String OPTIONS = " -- -i --rxq=2 --txq=2 --num-procs=2 --txonly-multi-flow "
            + "--eth-peer=0,00:0d:3a:d0:00:02 --eth-peer=1,00:0d:3a:d0:00:01 --forward-mode=io";
    private static final String PRIMARY = "testpmd -l 0-1 -a 7870:00:00.0,mac=00:0d:3a:d0:00:01,mac=00:0d:3a:d0:00:02 "
            + "--file-prefix=" + PREFIX + OPTIONS + " --proc-id=0";
    private static final String SECONDARY = "testpmd -l 0-1 --proc-type=secondary --file-prefix=" + PREFIX + OPTIONS
            + " --proc-id=1";

    /** It looks at packets as they change hands, and sends them back where they came from. */
    private static final String CHECKING = SECONDARY.replace("--proc-type", "--check --proc-type")
            + " --port-topology=loop";

    private static final Pattern CAME = Pattern.compile("RX-packets: [1-9]");
    /** More than were sent first. */
    private static final Pattern MANY = Pattern.compile("RX-packets: [1-9]\\d{3}");
    private static final Pattern LEFT = Pattern.compile("TX-packets: [1-9]");

    private static final String RUNTIME = Run.runtime("s");

    @TempDir
    Path folder;

    /** A process that is killed leaves a socket behind, and a file that was locked, in a folder of its prefix. */
    @AfterEach
    void clean() throws IOException {
        Path own = Path.of(RUNTIME, "dpdk", PREFIX);
        Files.deleteIfExists(own.resolve("mp_socket"));
        Files.deleteIfExists(own.resolve("primary_lock"));
        Files.deleteIfExists(own);
    }

    private Run secondary(String name, String words) {
        Run run = Run.manafold("--data", folder.resolve(name).toString(), "-c", words)
                .with("RUNTIME_DIRECTORY", RUNTIME).start();
        run.awaitOut("It is a secondary of " + PREFIX + ", process ");
        run.awaitOut("Port 1: 00:0D:3A:D0:00:02");
        return run;
    }

    /** Packets that are sent first go round between the ports. */
    private static void forward(Run run) {
        int before = run.outSoFar().length();
        run.type("start tx_first\n");
        run.awaitOutBehind(before, "io packet forwarding - ports=2");
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        int last;
        String told;
        do {
            assertThat(System.nanoTime()).as("time for packets to come and leave").isLessThan(limit);
            last = run.outSoFar().length();
            run.type("show fwd stats all\n");
            run.awaitOutBehind(last, "+++\ntestpmd> ");
            told = run.outSoFar().substring(last);
        } while (!CAME.matcher(told).find() || !LEFT.matcher(told).find());
    }

    /**
     * What each port gives back comes to the other alone, and comes again, if it has the addresses that it should:
     * ports take packets for themselves. Mistakes with packets would end the core.
     */
    private static void sendBack(Run run, String mode) {
        int begin = run.outSoFar().length();
        run.type("set fwd " + mode + "\nstart tx_first\n");
        run.awaitOutBehind(begin, mode + " packet forwarding - ports=2");
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        int last;
        do {
            assertThat(System.nanoTime()).as("time for packets to go to and fro").isLessThan(limit);
            last = run.outSoFar().length();
            run.type("show fwd stats all\n");
            run.awaitOutBehind(last, "+++\ntestpmd> ");
        } while (MANY.matcher(run.outSoFar().substring(last)).results().count() < 3);
        last = run.outSoFar().length();
        run.type("set verbose 1\n");
        for (String who : List.of("src=00:0D:3A:D0:00:02 - dst=00:0D:3A:D0:00:01", "src=00:0D:3A:D0:00:01 - "
                + "dst=00:0D:3A:D0:00:02")) {
            run.awaitOutBehind(last, who + " - pool=packets of process ");
        }
        last = run.outSoFar().length();
        run.type("set verbose 0\nstop\n");
        run.awaitOutBehind(last, "Done.");
        assertThat(run.outSoFar().substring(begin)).contains("l2_len=14 - l3_len=20 - l4_len=8 - ")
                .doesNotContain("A core has ended early", "IP_CKSUM_BAD", "L4_CKSUM_BAD");
    }

    @Test
    void eitherGoesOnWhenTheOtherIsKilled() {
        try (Run primary = Run.manafold("--lab", "dpdk", "--data", folder.resolve("primary").toString(), "-c",
                "ip link set mana0 down; ip link set mana1 down; " + PRIMARY).with("RUNTIME_DIRECTORY", RUNTIME)
                .start()) {
            primary.awaitOut("Port 1: 00:0D:3A:D0:00:02");
            Run.manafold("--lab", "dpdk", "--data", folder.resolve("third").toString(), "-c",
                    "ip link set mana0 down; ip link set mana1 down; " + PRIMARY).with("RUNTIME_DIRECTORY", RUNTIME)
                    .end().refused(1, "A primary that is called " + PREFIX + " runs already, in process ", "(EBUSY)");
            try (Run killed = secondary("killed", SECONDARY)) {
                killed.type("port stop all\nset promisc 0 on\nport config mtu 0 1400\n");
                killed.awaitOut("is its primary's");
                forward(killed);
                killed.process().destroyForcibly();
                killed.ended();
            }
            forward(primary);
            int before = primary.outSoFar().length();
            primary.type("stop\n");
            primary.awaitOutBehind(before, "Done.");
            try (Run other = secondary("other", CHECKING)) {
                // the queues of the one that was killed are to be had
                sendBack(other, "macswap");
                sendBack(other, "csum");
                // ports may be told to have gone before their process is seen to have ended
                before = other.outSoFar().length();
                primary.process().destroyForcibly();
                primary.ended();
                long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
                do {
                    assertThat(System.nanoTime()).as("time to be told").isLessThan(limit);
                    int asked = other.outSoFar().length();
                    other.type("show port summary all\n");
                    other.awaitOutBehind(asked, "testpmd> ");
                } while (!other.outSoFar().substring(before).contains("Now total ports is 0"));
                assertThat(other.outSoFar()).contains("has gone with its primary, which has ended");
                other.type("dump mempool\nquit\n");
                Run.Ended ended = other.ended().done();
                assertThat(ended.out()).contains("in_use_count=0", "Bye...");
                assertThat(ended.err()).doesNotContain("packets are not back", "was written after");
            }
        }
    }
}
