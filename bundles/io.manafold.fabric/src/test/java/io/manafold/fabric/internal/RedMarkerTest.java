package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Queueing;
import org.junit.jupiter.api.Test;

class RedMarkerTest {
    private static RedMarker marker(long least, long most, double probability, long seed) {
        RedMarker marker = new RedMarker(new Queueing(1_000_000_000, 1 << 20, least, most, probability, 0, 0, 0));
        marker.start(seed, 3);
        return marker;
    }

    private static int of(RedMarker marker, long waiting, int packets) {
        int marked = 0;
        for (int i = 0; i < packets; i++) {
            marked += marker.marks(waiting) ? 1 : 0;
        }
        return marked;
    }

    @Test
    void theShareGrowsWithTheQueue() {
        RedMarker marker = marker(5_000, 205_000, 20, 1);
        assertThat(of(marker, 0, 100_000)).isZero();
        assertThat(of(marker, 5_000, 100_000)).isZero();
        assertThat(of(marker, 55_000, 100_000)).as("5 %").isBetween(4_700, 5_300);
        assertThat(of(marker, 105_000, 100_000)).as("10 %").isBetween(9_600, 10_400);
        assertThat(of(marker, 205_000, 100_000)).as("20 %").isBetween(19_400, 20_600);
        assertThat(of(marker, 205_001, 100_000)).isEqualTo(100_000);
    }

    @Test
    void theSameSeedMarksTheSamePackets() {
        StringBuilder[] runs = {new StringBuilder(), new StringBuilder(), new StringBuilder()};
        long[] seeds = {7, 7, 8};
        for (int run = 0; run < runs.length; run++) {
            RedMarker marker = marker(0, 1000, 50, seeds[run]);
            for (int i = 0; i < 200; i++) {
                runs[run].append(marker.marks(i * 5) ? 'x' : '.');
            }
        }
        assertThat(runs[1]).hasToString(runs[0].toString());
        assertThat(runs[2].toString()).isNotEqualTo(runs[0].toString());
    }

    @Test
    void twoEqualBoundsAreAStep() {
        RedMarker marker = marker(1000, 1000, 50, 1);
        assertThat(of(marker, 1000, 1000)).isZero();
        assertThat(of(marker, 1001, 1000)).isEqualTo(1000);
    }
}
