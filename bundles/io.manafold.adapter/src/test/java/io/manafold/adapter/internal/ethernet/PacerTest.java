package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacerTest {
    private final Pacer pacer = new Pacer();

    /** Frames of one length that leave within a time, when the agent looks every so often. */
    private long sent(long from, long nanos, long step, int bytes) {
        long frames = 0;
        for (long now = from; now - from < nanos; now += step) {
            pacer.busy(now);
            while (!pacer.holds(now)) {
                pacer.sent(bytes);
                frames++;
            }
        }
        return frames;
    }

    @Test
    void theRateIsKeptToTheFrameOverASecond() {
        for (long rate : new long[] {10_000_000, 100_000_000, 999_999_937, 10_000_000_000L}) {
            pacer.limit(rate);
            long frames = sent(Long.MAX_VALUE - 500_000_000, 1_000_000_000, 37_000, 1514);
            assertThat(frames * 1514.0 * 8).isBetween(rate - 37_000 * 1e-9 * rate - 1514 * 8,
                    rate + 37_000 * 1e-9 * rate + 1514 * 8);
        }
    }

    @Test
    void fractionsOfNanosecondsAreNotLost() {
        pacer.limit(200_000_000_000L);
        pacer.busy(0);
        for (int i = 0; i < 1_000_000; i++) {
            pacer.sent(64);
        }
        assertThat(pacer.due()).isEqualTo(2_560_000);
    }

    @Test
    void whatWasNotSentInAPauseIsNotMadeUpFor() {
        pacer.limit(100_000_000);
        sent(0, 1_000_000, 10_000, 1514);
        pacer.idle();
        pacer.busy(1_000_000_000);
        int burst = 0;
        while (!pacer.holds(1_000_000_000)) {
            pacer.sent(1514);
            burst++;
        }
        assertThat(burst).isEqualTo(1);
    }

    @Test
    void anAgentThatComesLateCatchesUpWithinBounds() {
        pacer.limit(1_000_000_000);
        pacer.busy(0);
        pacer.sent(125);
        pacer.busy(1_000_000_000);
        long bits = 0;
        while (!pacer.holds(1_000_000_000)) {
            pacer.sent(125);
            bits += 1000;
        }
        assertThat(bits).as("5 ms at 1 Gbit/s").isBetween(5_000_000L, 5_001_000L);
    }
}
