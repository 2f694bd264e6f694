package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StormGapTest {
    @Test
    void theLongestSilenceIsTheGapAndWhatIsSilentStillCounts() {
        StormGap gap = new StormGap(() -> 0);
        gap.look(500, 10);
        gap.begin(1000);
        for (int i = 1; i <= 20; i++) {
            gap.look(500 + i, 1000 + 10 * i);
        }
        assertThat(gap.told(1200)).isEqualTo(10);
        gap.look(520, 1300);
        assertThat(gap.told(1300)).isEqualTo(100);
        gap.look(521, 1350);
        gap.look(522, 1360);
        assertThat(gap.told(1365)).isEqualTo(150);
        gap.begin(2000);
        gap.look(523, 2900);
        assertThat(gap.told(3000)).as("of a few frames").isZero();
    }

    /** Its thread looks for the first time when the storm has begun, as a thread that has just started may. */
    @Test
    void whatCameBeforeIsNoTraffic() {
        Thread test = Thread.currentThread();
        AtomicBoolean begun = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        try (StormGap gap = new StormGap(() -> {
            while (Thread.currentThread() != test && !begun.get()) {
                Thread.onSpinWait();
            }
            looks.incrementAndGet();
            return 500;
        })) {
            gap.start();
            gap.begin(System.nanoTime());
            begun.set(true);
            while (looks.get() < 4) {
                Thread.onSpinWait();
            }
            assertThat(gap.end()).isZero();
        }
    }
}
