package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BisectionTest {
    private static final double TOP = 1_000_000;

    private final List<Long> tried = new ArrayList<>();

    private Bisection.Outcome outcome(long rate, double limit) {
        tried.add(rate);
        double sent = rate == 0 ? TOP : Math.min(TOP, rate);
        double lost = sent <= limit ? 0 : (sent - limit) / sent;
        return new Bisection.Outcome(sent, sent * (1 - lost), lost);
    }

    @ParameterizedTest
    @ValueSource(doubles = {20_000, 123_456, 500_000, 777_777, 990_000})
    void whatCanBeCarriedIsFoundWithinItsStep(double limit) throws Exception {
        Bisection.Found found = Bisection.search(rate -> outcome(rate, limit));
        assertThat(found.rate()).isCloseTo(limit, within(Math.max(TOP / 64, limit * 0.02))).isLessThanOrEqualTo(limit);
        assertThat(found.lost()).isZero();
        assertThat(found.full()).isCloseTo(limit, within(1.0));
        assertThat(tried).hasSizeLessThanOrEqualTo(1 + 2 * 6);
    }

    @Test
    void whatIsLostNowhereTakesOneTrial() throws Exception {
        assertThat(Bisection.search(rate -> outcome(rate, TOP))).isEqualTo(new Bisection.Found(TOP, 0, TOP));
        assertThat(tried).containsExactly(0L);
    }

    @Test
    void aLinkThatAlwaysLosesHasNoRateAndItsShare() throws Exception {
        Bisection.Found found = Bisection.search(rate -> new Bisection.Outcome(rate == 0 ? TOP : rate, rate, 0.01));
        assertThat(found.rate()).isZero();
        assertThat(found.lost()).isEqualTo(0.01);
    }

    @Test
    void oneBadMomentOfTheMachineIsNoLimit() throws Exception {
        double limit = 400_000;
        Bisection.Found found = Bisection.search(rate -> {
            Bisection.Outcome outcome = outcome(rate, limit);
            boolean first = tried.stream().filter(one -> one == rate).count() == 1;
            return first && rate != 0 ? new Bisection.Outcome(outcome.rate(), outcome.arrived(), 0.5) : outcome;
        });
        assertThat(found.rate()).isCloseTo(limit, within(TOP / 64));
    }

    @Test
    void aSenderThatStaysBehindHasShownNoMoreThanItSent() throws Exception {
        Bisection.Found found = Bisection.search(rate -> rate == 0 ? new Bisection.Outcome(TOP, TOP / 2, 0.5)
                : new Bisection.Outcome(Math.min(rate, 300_000), rate, 0));
        assertThat(found.rate()).isEqualTo(300_000);
    }
}
