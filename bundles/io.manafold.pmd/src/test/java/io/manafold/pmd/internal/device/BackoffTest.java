package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long what fails is left alone. */
class BackoffTest {
    private static final long SECOND = Backoff.FIRST_NANOS;

    private final Backoff pause = new Backoff();
    private long now = Long.MAX_VALUE - SECOND;

    private long failAfter(long nanos) {
        now += nanos;
        long left = pause.failed(now);
        assertThat(pause.isOver(now)).isEqualTo(left == 0);
        now += left;
        assertThat(pause.isOver(now)).isTrue();
        return left;
    }

    @Test
    void whatFailsEachTimeItIsBegunIsLeftAloneForLongerAndLonger() {
        assertThat(failAfter(0)).isZero();
        for (long seconds : new long[] {1, 2, 4, 8, 16, 30, 30}) {
            assertThat(failAfter(10)).isEqualTo(seconds * SECOND - 10);
        }
    }

    @Test
    void whatRanForLongerThanItsPauseIsBegunAtOnce() {
        failAfter(0);
        failAfter(0);
        assertThat(failAfter(2 * SECOND + 1)).isZero();
        assertThat(failAfter(0)).isEqualTo(SECOND);
    }

    @Test
    void whatIsBegunByItsUserHasNotFailedBefore() {
        failAfter(0);
        failAfter(0);
        pause.clear();
        assertThat(failAfter(0)).isZero();
    }
}
