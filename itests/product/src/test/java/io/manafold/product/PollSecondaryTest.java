package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A second platform polls queues of a port in poll mode beside the one that has the port, and either is killed. */
@Timeout(300)
class PollSecondaryTest {
    private static final String PREFIX = "manafold-test-" + ProcessHandle.current().pid();
    private static final String OPTIONS = " -- -i --rxq=2 --txq=2 --num-procs=2 --txonly-multi-flow "
            + "--eth-peer=0,00:0d:3a:d0:00:02 --eth-peer=1,00:0d:3a:d0:00:01 --forward-mode=io";
    private static final String PRIMARY = "testpmd -l 0-1 -a 7870:00:00.0,mac=00:0d:3a:d0:00:01,mac=00:0d:3a:d0:00:02 "
            + "--file-prefix=" + PREFIX + OPTIONS + " --proc-id=0";
    private static final String SECONDARY = "testpmd -l 0-1 --proc-type=secondary --file-prefix=" + PREFIX + OPTIONS
            + " --proc-id=1";

    private static final Pattern CAME = Pattern.compile("RX-packets: [1-9]");
    private static final Pattern LEFT = Pattern.compile("TX-packets: [1-9]");

    @TempDir
    Path folder;

    /** Who is killed leaves a socket behind, and a file that was locked, in a folder of its prefix. */
    @AfterEach
    void clean() throws IOException {
        Path own = Path.of(System.getenv("RUNTIME_DIRECTORY"), "dpdk", PREFIX);
        Files.deleteIfExists(own.resolve("mp_socket"));
        Files.deleteIfExists(own.resolve("primary_lock"));
        Files.deleteIfExists(own);
    }

    private Run secondary(String name) {
        Run run = Run.manafold("--data", folder.resolve(name).toString(), "-c", SECONDARY).start();
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

    @Test
    void eitherGoesOnWhenTheOtherIsKilled() {
        try (Run primary = Run.manafold("--lab", "dpdk", "--data", folder.resolve("primary").toString(), "-c",
                "ip link set mana0 down; ip link set mana1 down; " + PRIMARY).start()) {
            primary.awaitOut("Port 1: 00:0D:3A:D0:00:02");
            try (Run killed = secondary("killed")) {
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
            try (Run other = secondary("other")) {
                // the queues of the one that was killed are to be had
                forward(other);
                primary.process().destroyForcibly();
                primary.ended();
                before = other.outSoFar().length();
                long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
                do {
                    assertThat(System.nanoTime()).as("time to be told").isLessThan(limit);
                    other.type("show port summary all\n");
                    other.awaitOutBehind(before, "testpmd> ");
                } while (!other.outSoFar().substring(before).contains("Now total ports is 0"));
                assertThat(other.outSoFar()).contains("has gone with its primary, which has ended");
                other.type("dump mempool\nquit\n");
                Run.Ended ended = other.ended().done();
                assertThat(ended.out()).contains("in_use_count=0", "Bye...");
            }
        }
    }
}
