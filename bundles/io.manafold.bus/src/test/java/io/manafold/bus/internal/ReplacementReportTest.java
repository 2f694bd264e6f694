package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReplacementReportTest {
    private static final long GAP = 12_345_678;

    private static ReplacementReport account(long lost, long out) {
        return new ReplacementReport(OptionalLong.of(lost), OptionalLong.of(out));
    }

    @Test
    void whatIsNotCountedIsNotTold() {
        Map<String, Number> figures = ReplacementReport.NONE.figures(GAP, OptionalLong.of(5));
        assertThat(figures).containsOnlyKeys("gap_ms").containsEntry("gap_ms", 12.3);
        assertThat(ReplacementReport.words(figures)).isEqualTo("gap 12.3 ms");
        assertThat(account(3, 0).figures(GAP, OptionalLong.empty())).containsOnlyKeys("gap_ms", "buffers_out");
    }

    @Test
    void lossesAreThoseOfTheGap() {
        Map<String, Number> figures = account(40, 0).figures(GAP, OptionalLong.of(47));
        assertThat(figures).containsEntry("frames_lost", 7L).containsEntry("buffers_out", 0L);
        assertThat(ReplacementReport.words(figures)).isEqualTo("gap 12.3 ms, 7 frames lost, all buffers home");
        assertThat(account(40, 0).figures(GAP, OptionalLong.of(2))).as("the counter has begun anew")
                .containsEntry("frames_lost", 0L);
    }

    @Test
    void oneIsNotSeveral() {
        assertThat(ReplacementReport.words(account(0, 1).figures(GAP, OptionalLong.of(1))))
                .isEqualTo("gap 12.3 ms, 1 frame lost, 1 buffer not home");
        assertThat(ReplacementReport.words(account(0, 2).figures(GAP, OptionalLong.of(0))))
                .isEqualTo("gap 12.3 ms, no frames lost, 2 buffers not home");
    }
}
