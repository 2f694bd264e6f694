package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines are those of perftest with the same numbers. */
class ResultsTest {
    private static MeasurePlan plan(Operation operation, boolean latency, int iterations, boolean gigabits) {
        return new MeasurePlan(operation, latency, 65536, false, iterations, 0, 128, 512, 1, false, 1024, 0, false, 1,
                1, gigabits);
    }

    @Test
    void throughputIsALine() {
        Throughput result = new Throughput(65536, 5000, 2509.814, 644.72, 0.0103154, 1 << 20);
        assertThat(result.line(plan(Operation.WRITE, false, 5000, false)))
                .isEqualTo(" 65536      5000             2509.81            644.72 \t\t     0.010315");
        assertThat(result.with(result).average()).isEqualTo(1289.44);
        assertThat(new Throughput(2, 1000, 0.01, 0.009, 0.5, 125e6).line(plan(Operation.WRITE, false, 1000, true)))
                .isEqualTo(" 2          1000           0.010000            0.009000            0.500000");
        assertThat(result.fields().values()).containsOnlyKeys("MsgSize", "n_iterations", "BW_peak", "BW_average",
                "MsgRate");
    }

    @Test
    void latencyIsALine() {
        Latency result = new Latency(2, 1000, 0.5, 12.25, 0.75, 0.8, 0.11, 1.5, 3);
        assertThat(result.line(plan(Operation.SEND, true, 1000, false))).isEqualTo(
                " 2       1000          0.50           12.25        0.75     \t       0.80        \t0.11   \t\t1.50    "
                + "\t\t3.00   ");
        assertThat(result.fields().values()).containsOnlyKeys("MsgSize", "n_iterations", "t_min", "t_max", "t_typical",
                "t_avg", "t_stdev", "percentile_99", "percentile_99.9");
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND", "READ"})
    void numbersOfTheOtherEndMayBeNone(Operation operation) {
        long[] numbers = new long[Barrier.NUMBERS];
        for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            Arrays.fill(numbers, Double.doubleToLongBits(none));
            assertThat(Result.of(plan(operation, true, 10, false), numbers).fields().values().get("t_avg"))
                    .hasToString("0.00");
            assertThat(Result.of(plan(operation, false, 10, false), numbers).fields().values().get("BW_average"))
                    .hasToString("0.00");
        }
    }

    @Test
    void timesAreMeasured() {
        MeasurePlan plan = plan(Operation.READ, true, 10, false);
        Times times = new Times(10);
        for (int i = 0; i < 10; i++) {
            times.posted(i);
            LockSupport.parkNanos(2_000_000);
            times.completed(i + 1);
        }
        Latency latency = Latency.of(plan, times);
        assertThat(latency.shortest()).isBetween(2000.0, latency.typical());
        assertThat(latency.longest()).isGreaterThanOrEqualTo(latency.typical());
        assertThat(latency.average()).isGreaterThanOrEqualTo(latency.shortest());
        Throughput through = Throughput.of(plan(Operation.READ, false, 10, false), times);
        assertThat(through.average()).isPositive().isLessThanOrEqualTo(through.peak() + 1e-9);
        assertThat(through.rate()).isCloseTo(through.average() * (1 << 20) / 65536 / 1e6, within(1e-9));
        assertThat(through.rate()).isLessThanOrEqualTo(10 / 0.02 / 1e6);
    }

    @Test
    void onlyWhatIsCompletedWithinTheTimeCounts() {
        Times times = new Times(0);
        times.posted(0);
        times.open(100);
        LockSupport.parkNanos(5_000_000);
        times.close(150);
        assertThat(times.within()).isEqualTo(50);
        assertThat(times.withinSeconds()).isGreaterThanOrEqualTo(0.005);
    }

    @Test
    void sizesArePowersOfTwo() {
        assertThat(new MeasurePlan(Operation.SEND, false, MeasurePlan.LARGEST, true, 5, 0, 1, 1, 1, false, 0, 0, false,
                1, 1, false).sizes()).hasSize(23).startsWith(2, 4, 8).endsWith(1 << 23);
    }
}
