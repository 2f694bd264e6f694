package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long packets stay and how many bits go in a second, as options have it measured. */
class MeasurementTest {
    private static final long SECOND = 1_000_000_000L;

    private final SharedBlocks memory = Blocks.source();
    private final LoopEnvironment environment = new LoopEnvironment(2, 3, 64);

    @AfterEach
    void nothingIsLeft() {
        assertThat(memory.blocks()).isEmpty();
    }

    private TestPmdRun start(String line) {
        Program program = new Program(new PacketPools(memory));
        program.addDriver(environment);
        return program.start(List.of(line.split(" ")));
    }

    private static Map<String, Long> of(Latency latency) {
        Map<String, Long> values = new LinkedHashMap<>();
        latency.putInto(values);
        return values;
    }

    private static Map<String, Long> of(BitRates rates) {
        Map<String, Long> values = new LinkedHashMap<>();
        rates.putInto(values);
        return values;
    }

    /** The mean moves by a quarter of what is new, the jitter by a sixteenth of how much two stays differ. */
    @Test
    void latencyIsThatOfSamples() {
        Latency latency = new Latency();
        latency.add(1_000);
        assertThat(of(latency).toString()).isEqualTo("{min_latency_ns=1000, avg_latency_ns=1000, max_latency_ns=1000, "
                + "jitter_ns=0, samples=1}");
        latency.add(2_600);
        latency.add(600);
        assertThat(of(latency).toString()).isEqualTo("{min_latency_ns=600, avg_latency_ns=1200, max_latency_ns=2600, "
                + "jitter_ns=218, samples=3}");
        latency.clear();
        assertThat(of(latency)).containsEntry("max_latency_ns", 0L).containsEntry("samples", 0L);
    }

    private static EthDevStatistics bytes(long in, long out) {
        return new EthDevStatistics(0, in, 0, out, 0, 0, 0, 0);
    }

    @Test
    void ratesAreThoseOfSeconds() {
        BitRates rates = new BitRates();
        rates.begin(bytes(5_000, 0), 0);
        rates.look(bytes(6_250, 125), SECOND);
        assertThat(of(rates).toString()).isEqualTo("{ewma_bits_in=2000, ewma_bits_out=200, mean_bits_in=10000, "
                + "mean_bits_out=1000, peak_bits_in=10000, peak_bits_out=1000}");
        rates.look(bytes(9_000, 9_000), SECOND + SECOND / 4);
        assertThat(of(rates)).as("too soon").containsEntry("mean_bits_in", 10_000L);
        rates.look(bytes(7_500, 125), 3 * SECOND);
        assertThat(of(rates).toString()).as("two seconds at once").isEqualTo("{ewma_bits_in=2600, ewma_bits_out=160, "
                + "mean_bits_in=5000, mean_bits_out=0, peak_bits_in=10000, peak_bits_out=1000}");
        rates.look(bytes(0, 0), 4 * SECOND);
        assertThat(of(rates)).as("others have reset the port").containsEntry("mean_bits_in", 0L);
        for (int i = 5; i < 60; i++) {
            rates.look(bytes(0, 0), i * SECOND);
        }
        assertThat(of(rates)).containsEntry("ewma_bits_in", 0L).containsEntry("ewma_bits_out", 0L);
    }

    /** Packets that wait in the lane stay as long; those that are let go, made or not taken are no samples. */
    @ParameterizedTest
    @CsvSource({"IO, 0, 1", "MAC, 0, 1", "CSUM, 0, 1", "NOISY, 0, 1", "NOISY, 2, 2", "RXONLY, 0, 0", "FLOWGEN, 0, 0",
        "TXONLY, 0, 0", "ICMPECHO, 0, 0"})
    void stayOfPacketsThatGoThrough(Mode mode, int buffer, int bursts) throws InterruptedException {
        LoopPort from = new LoopPort(0, 8);
        LoopPort to = new LoopPort(1, 8);
        Settings settings = new Settings();
        settings.burst = 4;
        settings.noisyBuffer = buffer;
        settings.measurement.of(1, Measurement.NO_CORE);
        settings.measurement.begin(Set.of(1), List.of());
        try (PacketPool pool = new PacketPools(memory).make(new PacketPlan("stay", 64, 0, 2048))) {
            from.start();
            to.start();
            ForwardStream lane = mode.lane(new Route(0, from, 0, to, 0, pool, settings));
            for (int i = 0; i < bursts; i++) {
                comes(from, pool, 2);
                lane.turn();
                Thread.sleep(30);
            }
            comes(from, pool, 2);
            lane.turn();
            Map<String, Long> measured = settings.measurement.of(1);
            boolean goes = bursts > 0;
            assertThat(measured.get("samples")).isEqualTo(!goes ? 0 : buffer == 0 ? 2 : 1);
            assertThat(measured.get("max_latency_ns") >= 30_000_000).as(measured.toString()).isEqualTo(buffer > 0);
            assertThat(measured.get("min_latency_ns") > 0).isEqualTo(goes);
            assertThat(settings.measurement.of(0)).containsEntry("samples", 0L);
            int[] some = new int[8];
            PacketPool.release(some, 0, to.out[0].take(some, 0, 8));
            lane.end();
            from.stop();
            to.stop();
        }
    }

    private static void comes(LoopPort port, PacketPool pool, int count) {
        int[] packets = new int[count];
        for (int i = 0; i < count; i++) {
            packets[i] = pool.allocate();
            pool.first(packets[i], PacketPool.first(PacketPool.HEADROOM, 60, 0));
        }
        assertThat(port.in[0].put(packets, 0, count)).isEqualTo(count);
    }

    /** The packet that came is given back before its copy is sent. */
    @Test
    void aCopyIsTheSampleThatItWasMadeOf() {
        LoopPort from = new LoopPort(0, 8);
        LoopPort to = new LoopPort(1, 8);
        Settings settings = new Settings();
        settings.split = Split.ON;
        settings.segments = new int[] {42, 18};
        settings.measurement.of(1, Measurement.NO_CORE);
        settings.measurement.begin(Set.of(1), List.of());
        try (PacketPool pool = new PacketPools(memory).make(new PacketPlan("copies", 64, 0, 2048))) {
            from.start();
            to.start();
            ForwardStream lane = Mode.CSUM.lane(new Route(0, from, 0, to, 0, pool, settings));
            comes(from, pool, 2);
            lane.turn();
            comes(from, pool, 2);
            lane.turn();
            assertThat(settings.measurement.of(1)).containsEntry("samples", 2L);
            to.stop();
        }
    }

    @Test
    void whatNoPortTakesIsNoSample() {
        LoopPort from = new LoopPort(0, 8);
        LoopPort to = new LoopPort(1, 1);
        Settings settings = new Settings();
        settings.measurement.of(1, Measurement.NO_CORE);
        settings.measurement.begin(Set.of(1), List.of());
        try (PacketPool pool = new PacketPools(memory).make(new PacketPlan("full", 64, 0, 2048))) {
            from.start();
            to.start();
            ForwardStream lane = Mode.IO.lane(new Route(0, from, 0, to, 0, pool, settings));
            for (int i = 0; i < 3; i++) {
                comes(from, pool, 1);
                lane.turn();
            }
            assertThat(lane.dropped()).isEqualTo(2);
            assertThat(settings.measurement.of(1)).containsEntry("samples", 1L);
            to.stop();
        }
    }

    @Test
    @Timeout(60)
    void whatIsMeasuredIsShownWithWhatPortsCount() {
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=txonly --latencystats=1 --bitrate-stats 1 "
                + "--display-xstats=peak_bits_out,samples")) {
            assertThat(run.line("show port xstats 0")).endsWith("tx_good_packets: 0\newma_bits_in: 0\n"
                    + "ewma_bits_out: 0\nmean_bits_in: 0\nmean_bits_out: 0\npeak_bits_in: 0\npeak_bits_out: 0\n"
                    + "min_latency_ns: 0\navg_latency_ns: 0\nmax_latency_ns: 0\njitter_ns: 0\nsamples: 0\n");
            assertThat(run.line("start")).doesNotContain("measures nothing");
            while (run.line("show port stats 1").contains("  peak_bits_out: 0\n")) {
                Thread.onSpinWait();
            }
            run.line("stop");
            assertThat(run.figures().get("ports").toString()).containsPattern("peak-bits-out=[1-9]\\d*")
                    .contains("peak-bits-in=0", "avg-latency-ns=0");
            run.line("clear port xstats all");
            assertThat(run.line("show port stats 1")).contains("  peak_bits_out: 0\n  samples: 0\n");

            run.line("set fwd io");
            int[] packets = new int[64];
            int left = environment.ports.get(0).out[0].take(packets, 0, 64);
            environment.ports.get(1).in[0].put(packets, 0, left);
            run.line("set corelist 2");
            assertThat(run.line("start")).contains("--latencystats measures nothing now: core 1, which it names, "
                    + "forwards nothing. 'set corelist 1' has it do so at the next start.\n--bitrate-stats measures");
            run.line("stop");
            run.line("set corelist 1");
            run.line("start");
            left = environment.ports.get(1).out[0].take(packets, 0, 64);
            environment.ports.get(0).in[0].put(packets, 0, left);
            while (run.line("show port xstats 1").contains("\nsamples: 0\n")) {
                Thread.onSpinWait();
            }
            assertThat(run.line("show port xstats 1")).containsPattern("\navg_latency_ns: [1-9]");
        }
    }

    private static String rates(TestPmdRun run, int port) {
        return run.line("show port xstats " + port);
    }

    /** Waits for it. */
    private static void isMeasured(TestPmdRun run, int port) {
        while (rates(run, port).contains("peak_bits_out: 0\n")) {
            assertThat(Thread.interrupted()).as("too late").isFalse();
        }
    }

    /** As that of a secondary whose primary has closed it. */
    @Test
    @Timeout(60)
    void aPortThatSaysNothingKeepsNoOtherFromBeingMeasured() {
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=txonly --bitrate-stats 1")) {
            run.line("start");
            LoopPort gone = environment.ports.get(0);
            gone.asked = () -> {
                throw new Refusal(Errno.ENODEV, "It has gone.");
            };
            isMeasured(run, 1);
            assertThat(rates(run, 0)).contains("peak_bits_out: 0\n");
            gone.asked = () -> { };
            isMeasured(run, 0);
            run.line("stop");
            assertThat(rates(run, 0)).as("at rest").contains("ewma_bits_out: 0\n", "mean_bits_out: 0\n")
                    .doesNotContain("peak_bits_out: 0\n");
        }
    }

    @Test
    @Timeout(60)
    void aPortThatTakesItsTimeKeepsNoLineWaiting() throws InterruptedException {
        try (TestPmdRun run = start("-l 0-2 -- -i --forward-mode=rxonly --bitrate-stats 1")) {
            CountDownLatch came = new CountDownLatch(1);
            CountDownLatch goes = new CountDownLatch(1);
            Thread mine = Thread.currentThread();
            environment.ports.get(0).asked = () -> {
                if (Thread.currentThread() != mine) {
                    came.countDown();
                    try {
                        goes.await(10, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
            run.line("start");
            came.await();
            long start = System.nanoTime();
            assertThat(run.line("show config fwd")).contains("rxonly");
            assertThat(System.nanoTime() - start).isLessThan(5 * SECOND);
            goes.countDown();
        }
    }

    /** Counters of queues that there are after the start have longer names over a pair. */
    @Test
    void countersOfQueuesOfAPairCanBeAskedFor() {
        environment.ports.forEach(port -> port.paired = true);
        try (TestPmdRun run = start("-l 0-1 -- -i --display-xstats=rx_q0_good_packets,vf_tx_q0_bytes")) {
            assertThat(run.line("show port stats 0")).contains("  rx_q0_good_packets: 3\n  vf_tx_q0_bytes: 4\n");
        }
        assertThatThrownBy(() -> start("-l 0-1 -- -i --display-xstats=vf_rx_q0_nonsense")).isInstanceOf(Refusal.class)
                .hasMessageContaining("has no extended statistic");
    }

    @Test
    void whatIsNotAskedForIsNotShown() {
        try (TestPmdRun run = start("-l 0-2 -- -i")) {
            assertThat(run.line("show port xstats 0")).endsWith("tx_good_packets: 0\n");
            assertThat(run.figures().toString()).doesNotContain("latency", "bits");
        }
    }

    @ParameterizedTest
    @CsvSource({"--latencystats=0, Core 0 cannot forward", "--bitrate-stats=9, those that can are",
        "--latencystats=-1, from 0 to", "--display-xstats=samples, has no extended statistic"})
    void aCoreThatCannotForwardIsRefused(String option, String sentence) {
        assertThatThrownBy(() -> start("-l 0-2 -- -i " + option)).isInstanceOf(Refusal.class)
                .hasMessageContaining(sentence);
        assertThat(environment.closed).isEqualTo(!option.endsWith("-1"));
    }
}
