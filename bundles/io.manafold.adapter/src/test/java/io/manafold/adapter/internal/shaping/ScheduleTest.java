package io.manafold.adapter.internal.shaping;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final int FRAME = 1514;

    private final Schedule schedule = Schedule.ceiling();

    /** Frames that leave within a time, when the agent looks every so often. */
    private long sent(long from, long nanos, long step) {
        long frames = 0;
        for (long now = from; now - from < nanos; now += step) {
            frames += sentAt(now);
        }
        return frames;
    }

    private int sentAt(long now) {
        int frames = 0;
        for (schedule.renew(now); !schedule.holds(now); frames++) {
            schedule.charge(FRAME, 1, now);
        }
        return frames;
    }

    @Test
    void theRateIsKeptToTheFrameOverASecond() {
        for (long rate : new long[] {10_000_000, 100_000_000, 999_999_937, 10_000_000_000L}) {
            long begin = Long.MAX_VALUE - 500_000_000;
            schedule.set(rate, false, 0, begin);
            long frames = sent(begin, 1_000_000_000, 37_000);
            assertThat(frames * FRAME * 8.0).isBetween(rate - 37_000 * 1e-9 * rate - FRAME * 8,
                    rate + 37_000 * 1e-9 * rate + FRAME * 8);
        }
    }

    @Test
    void fractionsOfNanosecondsAreNotLost() {
        schedule.set(200_000_000_000L, false, 0, 0);
        for (int i = 0; i < 1_000_000; i++) {
            schedule.charge(64, 1, 0);
        }
        assertThat(schedule.due()).isEqualTo(2_560_000);
    }

    @Test
    void aPauseIsMadeUpForByTheLengthOfACycleOrTwo() {
        schedule.set(1_000_000_000, false, 0, 0);
        sent(0, 1_000_000, 10_000);
        schedule.resume(1_000_000_000);
        assertThat(sentAt(1_000_000_000) * FRAME * 8).isLessThan(200_000 + FRAME * 8);
    }

    @Test
    void whoComesLateCatchesUpAtTwiceTheRateAndWithinBounds() {
        schedule.set(1_000_000_000, false, 0, 0);
        sent(0, 1_000_000, 1_000);
        long late = 1_000_000_000;
        int atOnce = sentAt(late);
        assertThat(atOnce * FRAME * 8).as("bits of one cycle, not of all that is late").isLessThan(100_000 + FRAME * 8);
        double twice = 2e6 / (FRAME * 8);
        for (int millisecond = 0; millisecond < 4; millisecond++) {
            long frames = sent(late + millisecond * 1_000_000L + 1_000, 1_000_000, 1_000);
            assertThat((double) frames).as("millisecond %d", millisecond).isBetween(twice - 2, twice + 2);
        }
        sent(late + 4_001_000, 3_000_000, 1_000);
        double usual = 1e6 / (FRAME * 8);
        assertThat((double) sent(late + 7_001_000, 1_000_000, 1_000)).as("5 ms are made up for, no more")
                .isBetween(usual - 2, usual + 2);
    }

    @Test
    void aBurstMayLeaveAtOnce() {
        schedule.set(1_000_000_000, false, 1_000_000, 0);
        assertThat(sentAt(1_000_000_000) * FRAME * 8).isBetween(8_000_000 - FRAME * 8, 8_000_000 + FRAME * 8);
    }

    @Test
    void whatIsOwedIsNotSpread() {
        Schedule pledge = Schedule.pledge();
        pledge.set(1_000_000_000, false, 0, 0);
        int bits = 0;
        for (pledge.renew(1_000_000_000); !pledge.holds(1_000_000_000); bits += FRAME * 8) {
            pledge.charge(FRAME, 1, 1_000_000_000);
        }
        assertThat(bits).isBetween(5_000_000, 5_000_000 + FRAME * 8);
    }
}
