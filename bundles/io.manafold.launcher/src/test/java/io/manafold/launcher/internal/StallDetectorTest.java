package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final StallDetector standing = new StallDetector(Duration.ofSeconds(2), Duration.ofSeconds(10), 0, 9);

    @Test
    void whatDoesNotChangeIsStuck() {
        assertThat(standing.isStuck(SECOND, 9)).isFalse();
        assertThat(standing.isStuck(2 * SECOND, 9)).isTrue();
        assertThat(standing.taken(2 * SECOND)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void whatGoesOnIsOnlySlow() {
        for (int i = 1; i < 9; i++) {
            assertThat(standing.isStuck(i * SECOND, 9 - i)).isFalse();
        }
        assertThat(standing.isStuck(9 * SECOND, 1)).isFalse();
        assertThat(standing.isStuck(9 * SECOND + SECOND / 2, 1)).isFalse();
        assertThat(standing.isStuck(9 * SECOND + SECOND * 3 / 4, 0)).isFalse();
    }

    @Test
    void notForEver() {
        for (int i = 1; i < 10; i++) {
            assertThat(standing.isStuck(i * SECOND, i % 2)).isFalse();
        }
        assertThat(standing.isStuck(10 * SECOND, 5)).isTrue();
    }
}
