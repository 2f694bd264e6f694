package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceClockTest {
    private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000);

    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 999_999_937, 1_000_000_000, 100_000_000_000L, 399_999_999_989L, 400_000_000_000L})
    void theLastBitOfEveryFrameIsOnTimeToTheNanosecond(long rate) {
        Random random = new Random(rate);
        long start = Long.MAX_VALUE - 1000;
        PaceClock clock = new PaceClock(rate, start);
        BigInteger bits = BigInteger.ZERO;
        for (int i = 0; i < 100_000; i++) {
            int bytes = 64 + random.nextInt(OutputQueue.LONGEST - 64);
            bits = bits.add(BigInteger.valueOf(8L * bytes));
            BigInteger[] exact = bits.multiply(SECOND).divideAndRemainder(BigInteger.valueOf(rate));
            long up = exact[0].longValueExact() + exact[1].signum();
            assertThat(clock.leaves(bytes) - start).isEqualTo(up);
            clock.leave(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5_000_000, 1_000_000_000_000L})
    void aLateLookCatchesUpWithinABound(long late) {
        PaceClock clock = new PaceClock(1_000_000_000, 0);
        clock.begin(1000);
        clock.look(late);
        int frames = 0;
        while (clock.leaves(125) - late <= 0) {
            clock.leave(125);
            frames++;
        }
        assertThat(frames).isEqualTo((int) PaceClock.LONGEST_CATCH_UP_NANOS / 1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void aPauseIsNotMadeUpFor(long start) {
        PaceClock clock = new PaceClock(8_000_000, start);
        clock.leave(1000);
        clock.begin(start + 500_000);
        assertThat(clock.leaves(1000) - start).as("it is still busy").isEqualTo(2_000_000);
        clock.begin(start + 7_000_000);
        assertThat(clock.leaves(1000) - start).isEqualTo(8_000_000);
    }
}
