package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ports of the lab that comes with the platform, in poll mode under the driver as it is. */
@Timeout(300)
class PollModeTest {
    private static final String LINE = "dpdk-testpmd -l 1-3 --vdev=\"7870:00:00.0,mac=00:0d:3a:d0:00:01\" -- "
            + "--forward-mode=txonly --auto-start --txd=128 --rxd=128 --stats 2";
    private static final String LONGER = "dpdk-testpmd -l 1-6 --vdev=\"7870:00:00.0,mac=00:0d:3a:d0:00:01\" -- "
            + "--forward-mode=txonly --auto-start --nb-cores=4  --txd=128 --rxd=128 --txq=8 --rxq=8 --stats 2";
    private static final String BOTH = "testpmd -l 0-1 -a 7870:00:00.0,mac=00:0d:3a:d0:00:01,mac=00:0d:3a:d0:00:02 -- "
            + "--eth-peer=0,00:0d:3a:d0:00:02 --eth-peer=1,00:0d:3a:d0:00:01 ";
    private static final char INTERRUPT = 3;

    @TempDir
    Path folder;

    private String data() {
        return folder.resolve("data").toString();
    }

    /** Both lines of Microsoft's article, with the function and the address of this lab. */
    @Test
    void whatTheArticleTellsIsPasted() {
        // a shell between them would end by the interrupts of the terminal, too
        String program = "exec " + Run.TOP.resolve("manafold") + " --lab dpdk --data " + data();
        try (Run prompt = Run.of("script", "-qefc", program, "/dev/null").with("TERM", "xterm").start()) {
            prompt.awaitOut("manafold> ");
            prompt.type(LINE + "\r");
            prompt.awaitOut("ip link set mana0 down (ENODEV)");
            prompt.type("ip link set mana0 down; ip -br link | grep mana0\r");
            prompt.awaitOut("DOWN");
            for (String line : List.of(LINE, LONGER)) {
                int before = prompt.outSoFar().length();
                prompt.type(line + "\r");
                String queues = line.equals(LONGER) ? "ports=1 - cores=4 - streams=8" : "ports=1 - cores=1 - streams=1";
                prompt.awaitOutBehind(before, "txonly packet forwarding - " + queues);
                prompt.awaitOutBehind(before, "Port statistics ===");
                prompt.type(String.valueOf(INTERRUPT));
                prompt.awaitOutBehind(before, "Bye...");
                assertThat(prompt.outSoFar().substring(before)).containsPattern("TX-packets: [1-9]")
                        .containsPattern("Tx-pps: +\\d");
            }
            int before = prompt.outSoFar().length();
            prompt.type("testpmd -l 0-1 -a 7870:00:00.0,mac=00:0d:3a:d0:00:01 -- -i\r");
            prompt.awaitOutBehind(before, "testpmd> ");
            prompt.type("show port st\t0\r");
            prompt.awaitOutBehind(before, "NIC statistics for port 0");
            prompt.type("show port 0 r\t");
            prompt.awaitOutBehind(before, "rss  rss-hash  rx_offload");
            prompt.type("\u0015clear fwd stats all\rport stop 0\rport detach 0\r");
            prompt.awaitOutBehind(before, "Device is detached");
            prompt.type("port attach 7870:00:00.0,mac=00:0d:3a:d0:00:01\rport start 0\r");
            prompt.awaitOutBehind(before, "Port 0 is attached. Now total ports is 1");
            prompt.awaitOutBehind(before, "Checking link statuses...");
            prompt.type("port attach 7870:00:00.0,mac=00:0d:3a:d0:00:01\r");
            prompt.awaitOutBehind(before, "is in poll mode already");
            prompt.type("qu\t\r");
            prompt.awaitOutBehind(before, "Bye...");
            before = prompt.outSoFar().length();
            prompt.type("ip link set mana0 up; ip -br link | grep mana0\r");
            prompt.awaitOutBehind(before, "<BROADCAST,MULTICAST,UP,LOWER_UP>");
            prompt.type("exit\r");
            assertThat(prompt.ended().status()).isZero();
        }
    }

    @Test
    void linesOfAFileAndThoseTypedForwardOverTheCable() throws IOException {
        Path file = Files.writeString(folder.resolve("lines"), """
                # what is sent first comes back and forth
                set fwd macswap
                start tx_first
                show port stats all
                """);
        try (Run run = Run.manafold("--lab", "dpdk", "--data", data(), "-c", "ip link set mana0 down; ip link set "
                + "mana1 down; " + BOTH + "-i --cmdline-file=" + file + "; ip link set mana0 up; ip -br link; devices")
                .start()) {
            run.awaitOut("testpmd> show port stats all\n");
            int before = run.outSoFar().length();
            // packets go round, so one of them is seen in the end
            do {
                run.type("show fwd stats all\n");
                run.awaitOutBehind(before, "+++\ntestpmd> ");
            } while (!run.outSoFar().substring(before).matches("(?s).*RX-packets: [1-9].*"));
            String polled = "(io.manafold.pmd) has its port";
            attached("tcpdump -i mana0 -c 1 -w " + folder.resolve("pcap")).refused(1, polled, "(EBUSY)");
            attached("pktgen start mana2 --to mana1 --count 1").refused(1, polled, "(EBUSY)");
            attached("ip link set mana1 up").refused(1, "(io.manafold.pmd) has the port of mana1", "(EBUSY)");
            run.type("nonsense\nport stop all\nstop\nport stop 1\nset portlist 0\nport config mtu 0 9001\nquit\n");
            run.endInput();
            Run.Ended ended = run.ended().done();
            assertThat(ended.out()).contains("macswap packet forwarding - ports=2 - cores=1 - streams=2",
                    "Command not found: 'nonsense'", "'stop' comes first. (EBUSY, -16)", "Stopping ports...\n",
                    "(EINVAL, -22)", "Port 1 is closed\nDone\n\nBye...\n");
            assertThat(ended.out()).containsPattern("(?m)^mana0 +UP ").containsPattern("(?m)^mana1 +DOWN ")
                    .contains("qp 0");
        }
    }

    /** What the driver of DPDK asks for when it probes a port is refused. */
    @Test
    void aPortWhoseDeviceMakesNoDomainIsLeftOut() {
        String fault = "fault inject a --message create-pd --status 0xc00000bb";
        String down = "ip link set mana0 down; ip link set mana1 down; ";
        String why = "Port 1 of 7870:00:00.0 is left out. Its device makes no protection domain for it (ENOMEM, "
                + "-12; its device says EPROTO)";
        Run.manafold("--lab", "dpdk", "--data", data(), "-c", down + fault + "; " + BOTH + "-i").end()
                .refused(1, "The requested device 7870:00:00.0 cannot be used. " + why, "(ENODEV)");
        Run.manafold("--lab", "dpdk", "--data", data(), "-c", down + fault + "; testpmd -l 0-1 -b 7870:00:01.0 -- -i")
                .end().refused(1, "There is no port left to poll. " + why, "(ENODEV)");
        Run.Ended left = Run.manafold("--lab", "dpdk", "--data", data(), "-c", down + fault + " --once; testpmd "
                + "-l 0-1 -a 7870:00:00.0,mac=00:0d:3a:d0:00:01,mac=00:0d:3a:d0:00:02 -- -i; rdma resource show")
                .fed("show port summary all\nquit\n").done();
        assertThat(left.out()).contains(why, "Number of available ports: 1", "00:0D:3A:D0:00:02")
                .contains("manae_0: pd 0 ");
    }

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", data(), "-c", line).end();
    }

    @Test
    void programsReadStartPeriodsAndEnd() {
        try (Run run = Run.manafold("--headless", "--lab", "dpdk", "--data", data()).start()) {
            run.awaitOut("ready\n");
            Run.manafold("attach", "--data", data(), "-c", "ip link set mana0 down; ip link set mana1 down").end()
                    .done();
            String ended;
            try (Run measuring = Run.manafold("attach", "--data", data(), "-c", BOTH
                    + "--forward-mode=txonly --stats-period=1 --json").start()) {
                measuring.awaitOut("\"event\":\"statistics\"");
                ended = measuring.outSoFar();
                // as a client that crashes
                measuring.process().destroyForcibly();
            }
            JsonObject first = object(ended.lines().findFirst().orElseThrow());
            assertThat(first.getString("event")).isEqualTo("start");
            assertThat(first.getJsonArray("streams")).hasSize(2);
            JsonObject period = object(ended.lines().skip(1).findFirst().orElseThrow());
            assertThat(period.getString("mode")).isEqualTo("txonly");
            assertThat(period.getJsonArray("ports").getJsonObject(0).getJsonNumber("tx-packets").longValue())
                    .isPositive();
            // it has left nothing behind: in a moment both ports can be had again, and the network stack has what is
            // given back
            Run.Ended other;
            long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            do {
                assertThat(System.nanoTime()).as("time for the ports to come home").isLessThan(limit);
                other = Run.manafold("attach", "--data", data(), "-c", BOTH + "--forward-mode=rxonly --json").fed("\n");
            } while (other.status() != 0 && other.err().contains("runs already"));
            other.done();
            attached("ip link set mana0 up; ip link set mana1 up").done();
            assertThat(other.out().lines().map(line -> object(line).getString("event")))
                    .containsExactly("start", "end");
            JsonObject last = object(other.out().lines().skip(1).findFirst().orElseThrow());
            assertThat(last.getJsonArray("ports").getJsonObject(1).getString("name")).isEqualTo("7870:00:00.0_port2");
        }
    }

    private static JsonObject object(String line) {
        try (JsonReader reader = Json.createReader(new StringReader(line))) {
            return reader.readObject();
        }
    }
}
