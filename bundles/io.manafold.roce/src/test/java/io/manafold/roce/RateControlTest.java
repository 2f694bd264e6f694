package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.manafold.api.refusal.Refusal;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RateControlTest {
    private static final long LINE = 10_000_000_000L;
    private static final long MICROS = 1000;
    private static final long MILLIS = 1_000_000;
    /** As in the paper. */
    private static final DcqcnSettings PAPER = DcqcnSettings.usual().with(DcqcnParameter.ALPHA_GAIN, 1020)
            .with(DcqcnParameter.ALPHA_PERIOD, 55)
            .with(DcqcnParameter.TIME_RESET, 55).with(DcqcnParameter.THRESHOLD, 5).with(DcqcnParameter.AI_RATE, 40)
            .with(DcqcnParameter.REDUCE_PERIOD, 1).with(DcqcnParameter.CLAMP_TARGET, 1).with(DcqcnParameter.BYTE_RESET,
            156_250);

    private final RateControl control = new RateControl(PAPER);

    @Test
    void thereIsNoLimitWithoutCongestion() {
        control.start(LINE);
        control.sent(0, 1 << 30);
        assertThat(control.holdUntil(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(control.isLimited()).isFalse();
        assertThat(control.currentRate()).isEqualTo(LINE);
    }

    @Test
    void congestionHalvesTheRateAndPacketsWait() {
        control.start(LINE);
        control.congested(0);
        assertThat(control.isLimited()).isTrue();
        assertThat(control.currentRate()).isEqualTo(LINE / 2);
        assertThat(control.congested).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            control.sent(0, 1250);
        }
        assertThat(control.holdUntil(0)).isEqualTo(10 * 2000);
    }

    @Test
    void withoutFurtherCongestionTheRateComesBackAndTheLimitGoes() {
        control.start(LINE);
        control.congested(0);
        control.holdUntil(4 * 55 * MICROS);
        assertThat((double) control.currentRate()).as("fast recovery").isCloseTo(LINE * (1 - 1.0 / 32),
                within(LINE * 0.001));
        control.holdUntil(50 * MILLIS);
        control.holdUntil(50 * MILLIS);
        assertThat(control.isLimited()).isFalse();
        assertThat(control.recovered).isEqualTo(1);
        assertThat(control.increases).isGreaterThan(4);
    }

    @Test
    void bytesRaiseTheRateAsTimeDoes() {
        control.start(LINE);
        control.congested(0);
        control.sent(0, 10_000_000);
        assertThat((double) control.currentRate()).isCloseTo(LINE * 0.75, within(LINE * 0.001));
    }

    @Test
    void neverBelowTheLeastRateNorByMoreThanAHalf() {
        control.start(LINE);
        long now = 0;
        for (int i = 0; i < 1000; i++) {
            long before = control.currentRate();
            control.congested(now += 2 * MICROS);
            assertThat(control.currentRate()).isBetween(before / 2, before);
        }
        assertThat(control.currentRate()).isEqualTo(1_000_000);
    }

    @Test
    void aLongSilenceIsMadeUpForInSmallSteps() {
        control.start(400_000_000_000L);
        control.congested(0);
        for (int i = 1; i < 40; i++) {
            control.congested(i * 2 * MICROS);
        }
        long before = control.increases;
        control.holdUntil(Long.MAX_VALUE / 2);
        assertThat(control.increases - before).isLessThanOrEqualTo(64);
    }

    /** Two senders begin at different rates and share one queue that marks by its length. */
    @Test
    void twoFlowsShareALineFairly() {
        RateControl[] flows = {new RateControl(PAPER), new RateControl(PAPER)};
        CnpPacer[] pacers = {new CnpPacer(50 * MICROS), new CnpPacer(50 * MICROS)};
        Random random = new Random(7);
        flows[0].start(LINE);
        flows[1].start(LINE);
        for (int i = 0; i < 4; i++) {
            flows[1].congested(i * 2 * MICROS);
        }
        assertThat(flows[1].currentRate()).isLessThan(LINE / 8);
        double queue = 0;
        double longest = 0;
        long[] sent = new long[2];
        long step = MICROS;
        int packet = 1250;
        double[] credit = new double[2];
        for (long now = 10 * MICROS; now < 400 * MILLIS; now += step) {
            for (int i = 0; i < 2; i++) {
                flows[i].holdUntil(now);
                credit[i] += flows[i].currentRate() * (step / 8e9);
                while (credit[i] >= packet) {
                    credit[i] -= packet;
                    queue += packet;
                    flows[i].sent(now, packet);
                    if (now > 200 * MILLIS) {
                        sent[i] += packet;
                    }
                    double marked = queue < 5_000 ? 0 : queue > 200_000 ? 1 : 0.01 * (queue - 5_000) / 195_000;
                    if (random.nextDouble() < marked && pacers[i].isDue(now)) {
                        flows[i].congested(now);
                    }
                }
            }
            queue = Math.max(0, queue - LINE * (step / 8e9));
            longest = now > 200 * MILLIS ? Math.max(longest, queue) : 0;
        }
        double total = sent[0] + sent[1];
        double square = (double) sent[0] * sent[0] + (double) sent[1] * sent[1];
        assertThat(total * total / (2 * square)).as("fairness of %d and %d".formatted(sent[0], sent[1]))
                .isGreaterThan(0.95);
        assertThat(total * 8 / 0.2 / LINE).as("the line is used").isGreaterThan(0.9);
        assertThat(longest).as("the queue is bounded").isLessThan(1_000_000);
    }

    @Test
    void notificationsAreSpaced() {
        CnpPacer pacer = new CnpPacer(50 * MICROS);
        int told = 0;
        for (long now = -100 * MICROS; now < 900 * MICROS; now += MICROS) {
            told += pacer.isDue(now) ? 1 : 0;
        }
        assertThat(told).isEqualTo(20);
    }

    @Test
    void settingsHaveBounds() {
        assertThat(DcqcnParameter.of("rpg_ai_rate")).isEqualTo(DcqcnParameter.AI_RATE);
        assertThat(DcqcnParameter.of("rpg")).isNull();
        assertThat(PAPER.get(DcqcnParameter.AI_RATE)).isEqualTo(40);
        assertThatThrownBy(() -> PAPER.with(DcqcnParameter.MIN_DEC_FAC, 101)).isInstanceOf(Refusal.class)
                .hasMessage("rpg_min_dec_fac is 1 to 100 %, not 101");
    }
}
