package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.HandSwitch;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port whose bandwidth is limited, and what its agent rests for. */
@Timeout(60)
class RdmaHeldTest {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLOW = 1_000_000;
    private static final int LENGTH = 1 << 20;

    private final HandSwitch net = new HandSwitch(null, "one/1", "two/1");

    /** Or the link's agent would have a processor for good. */
    @Test
    void anAgentRestsWhenTheQueuePairThatWasHeldBackHasGone() {
        try (RdmaEnd one = RdmaEnd.on(net, "one", 1); RdmaEnd two = RdmaEnd.on(net, "two", 2);
                RcPair its = two.pair(RcSettings.of(1024))) {
            one.bench.function.hardware().ports().getFirst().clamp(SLOW);
            try (RcPair pair = one.pair(RcSettings.of(1024))) {
                RdmaEnd.connect(one, pair, two, its);
                pair.write(RdmaEnd.VIRTUAL, one.key(), LENGTH, RdmaEnd.VIRTUAL, two.key());
                pair.ring();
                for (int i = 0; i < 100; i++) {
                    net.step(STEP);
                }
                assertThat(net.restNanos()).as("held back").isBetween(1L, TimeUnit.SECONDS.toNanos(1));
            }
            for (int i = 0; i < 1000; i++) {
                net.step(STEP);
            }
            assertThat(net.restNanos()).as("nothing to do").isGreaterThan(TimeUnit.SECONDS.toNanos(1));
        } finally {
            net.close();
        }
    }
}
