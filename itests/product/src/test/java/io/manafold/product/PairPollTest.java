package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A pair in poll mode: the port over it goes on, whatever becomes of its virtual function. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Isolated
class PairPollTest {
    private static final int CYCLES = Integer.getInteger("manafold.storm.cycles", 12);
    private static final int EVERY_MILLIS = 300;
    private static final double PING_MILLIS = 2;
    private static final Pattern SEQUENCE = Pattern.compile("icmp_seq=(\\d+) ttl");
    private static final String TESTPMD = "testpmd -l 0-1 -a 7870:00:00.0 --check -- -i --forward-mode=icmpecho "
            + "--auto-start";

    @TempDir
    Path folder;
    private Run platform;

    @BeforeEach
    void start() throws Exception {
        platform = Run.manafold("--headless", "--data", folder.toString(), "--lab", "pair").start();
        platform.awaitOut("ready\n");
    }

    private Run.Plan attach(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line);
    }

    private Run.Ended attached(String line) {
        return attach(line).end();
    }

    private Run polled() {
        attached("ip link set eth1 down").done();
        Run polled = attach(TESTPMD).start();
        polled.awaitOut("testpmd> ");
        return polled;
    }

    private static String typed(Run polled, String line, String shown) {
        int before = polled.outSoFar().length();
        polled.type(line + "\n");
        return polled.awaitOutBehind(before, shown);
    }

    private static void untilShown(Run polled, String line, String pattern) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String shown;
        do {
            int before = polled.outSoFar().length();
            typed(polled, line, "testpmd> ");
            shown = polled.outSoFar().substring(before);
            assertThat(System.nanoTime()).as("%s shows %s: %s", line, pattern, shown).isLessThan(deadline);
            Thread.sleep(20);
        } while (!Pattern.compile(pattern).matcher(shown).find());
    }

    @Test
    void thePortIsTheVirtualFunctionsOwner() throws Exception {
        try (Run running = platform) {
            attached("testpmd -l 0-1 --vdev=net_vdev_netvsc0,iface=eth1 -- -i").refused(1, "Use net_netvsc",
                    "(EINVAL)");
            assertThat(attached("testpmd -l 0-1 --dry-run").done().out()).contains("network stack")
                    .contains("ip link set eth1 down");
            try (Run polled = polled()) {
                assertThat(attached("ip -br link").done().out()).containsPattern("(?m)^enP30832p0s0 +DOWN ");
                untilShown(polled, "show port summary all", "(?s)net_mana +up.* [0-9a-f-]{36}\n.*net_netvsc");
                assertThat(typed(polled, "port stop 0", "(EBUSY")).contains("is the virtual function of the port");
                attached("ip link set eth1 up").refused(1, "polls its synthetic device", "(EBUSY)");
                attached("ping -c 3 -i 0.2 -I mana0 10.77.0.1").done();
                untilShown(polled, "show port xstats 1", "vf_tx_good_packets: [1-9]");
                attached("servicing revoke one").done();
                attached("ping -c 3 -i 0.2 -I mana0 10.77.0.1").done();
                untilShown(polled, "show port xstats 1", "path_switches: 2");
                attached("servicing restore one --serial next").done();
                attached("ping -c 3 -i 0.2 -I mana0 10.77.0.1").done();
                untilShown(polled, "show port xstats 1", "path_switches: 2");
                attached("servicing announce one").done();
                untilShown(polled, "show port xstats 1", "path_switches: 3");
                attached("servicing reset one; ping -c 3 -i 0.2 -I mana0 10.77.0.1").done();
                untilShown(polled, "show port xstats 1", "path_switches: 5");
                polled.type("quit\n");
                Run.Ended ended = polled.ended().done();
                assertThat(ended.out()).contains("Bye...").doesNotContain("intr_rmv", "err_recovering");
            }
            attached("ip link set eth1 up").done();
            attached("ping -c 3 -i 0.2 -I eth1 10.77.0.2").done();
            assertThat(running.process().isAlive()).isTrue();
        }
    }

    @Test
    void noPacketIsLostToAStorm() throws Exception {
        try (Run running = platform; Run polled = polled()) {
            untilShown(polled, "show port summary all", "net_netvsc");
            int count = (int) ((CYCLES * EVERY_MILLIS + 3000) / PING_MILLIS);
            Run ping = attach("ping -i 0.002 -W 3 -c " + count + " -I mana0 10.77.0.1").start();
            ping.awaitOut("icmp_seq=10 ");
            JsonObject storm = (JsonObject) attach("servicing storm one --cycles " + CYCLES + " --every " + EVERY_MILLIS
                    + "ms --jitter 50% --away 50ms --json").fed("", Duration.ofMinutes(20)).done().json();
            assertThat(storm.getInt("cycles")).isEqualTo(CYCLES);
            assertThat(storm.getJsonObject("left_behind")).isEmpty();
            assertThat(storm.getJsonObject("gap").getJsonNumber("p99_ms").doubleValue()).isPositive();
            System.out.println("testpmd under a storm: gap " + storm.get("gap") + ", home " + storm.get("home"));
            Run.Ended pinged = ping.ended(Duration.ofMinutes(10));
            System.out.println(gaps(pinged.out()).text("testpmd over net_netvsc, " + CYCLES + " cycles"));
            assertThat(pinged.status()).isZero();

            untilShown(polled, "show port xstats 1", "vf_tx_good_packets: [1-9]");
            typed(polled, "stop\nport stop 1", "Done\ntestpmd> ");
            untilShown(polled, "dump mempool", "in_use_count=0\n");
            polled.type("quit\n");
            polled.ended().done();
            assertThat(attached("log").done().out()).doesNotContain("are not back", "was written after");
            assertThat(running.process().isAlive()).isTrue();
        }
    }

    /** Answers that are missing in a row are a gap. */
    private static Gaps gaps(String pinged) {
        List<Double> seen = new ArrayList<>();
        Matcher answers = SEQUENCE.matcher(pinged);
        int last = 0;
        while (answers.find()) {
            int number = Integer.parseInt(answers.group(1));
            if (number > last + 1) {
                seen.add((number - last - 1) * PING_MILLIS);
            }
            last = Math.max(last, number);
        }
        return Gaps.of(seen, 2 * CYCLES);
    }
}
