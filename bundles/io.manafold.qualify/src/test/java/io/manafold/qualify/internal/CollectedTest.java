package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import org.junit.jupiter.api.Test;

class CollectedTest {
    private final Collected collected = new Collected(Engine.DRIVER);

    @Test
    void whatIsFarFromTheOthersIsMarkedAndStays() {
        for (double value : new double[] {100, 101, 99, 100, 500}) {
            collected.add(new Value("rate", 64, Unit.PACKETS_PER_SECOND, 0), new Slice(value, 1, ""));
        }
        collected.add(new Value("rate", 128, Unit.PACKETS_PER_SECOND, 0), new Slice(1, 1, "stolen"));
        assertThat(collected.measures()).extracting(Measure::key).containsExactly("rate-64", "rate-128");
        assertThat(collected.measures()).extracting(Measure::disturbed).containsExactly(1L, 1L);
        assertThat(collected.measures().getFirst().slices().getLast())
                .isEqualTo(new Slice(500, 1, "far from the others"));
    }

    @Test
    void whatOthersHadOfTheMachineIsTold() {
        String process = "7 (a) b)) S 1 7 7 34816 -1 4194304 1 0 0 0 %d %d 0 0 20 0 18446744073709551615 0";
        MachineLoad before = MachineLoad.of("cpu  100 0 100 900 0 0 0 0 0 0\ncpu0 1\n", process.formatted(50, 50), 0);
        MachineLoad after = MachineLoad.of("cpu  220 10 120 900 0 5 5 0 0 0\ncpu0 1\n", process.formatted(100, 60),
                1_000_000_000L);
        assertThat(after.cores(before)).isEqualTo(0.6);
        assertThat(after.disturbance(before)).isEqualTo("other processes had 1.0 cores");
        MachineLoad stolen = MachineLoad.of("cpu  220 10 120 900 0 5 5 7 0 0\n", process.formatted(100, 60),
                2_000_000_000L);
        assertThat(stolen.disturbance(after)).isEqualTo("7 % of a core stolen");
        assertThat(stolen.disturbance(stolen)).isEmpty();
    }

    @Test
    void thisMachineTellsOfItself() {
        MachineLoad before = MachineLoad.now();
        long until = System.nanoTime() + 200_000_000;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(MachineLoad.now().cores(before)).isPositive();
        assertThat(MachineFacts.read()).containsKeys("cpu", "cores", "kernel", "jdk", "page").doesNotContainValue("");
    }
}
