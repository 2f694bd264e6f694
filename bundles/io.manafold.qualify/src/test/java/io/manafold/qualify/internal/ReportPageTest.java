package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReportPageTest {
    @Test
    void aPageNeedsNothingElse() {
        String page = ReportPage.of(Reports.usual());
        assertThat(page).contains("default-src 'none'", "1.00 Mpps", "298 Mpps", "2 of 2", "needs an MTU of 9000")
                .doesNotContain("http:", "https:", "<script", "<link", "<img", "@import", "url(", "Unfinished");
        // what is opened is closed
        for (String tag : List.of("table", "tr", "td", "th", "svg", "h2", "p")) {
            assertThat(count(page, "<" + tag + "[ >]")).as(tag).isEqualTo(count(page, "</" + tag + ">"));
        }
    }

    private static long count(String page, String pattern) {
        return Pattern.compile(pattern).matcher(page).results().count();
    }

    @Test
    void textIsText() {
        String hostile = "<script>alert('a')</script>&\"\u001b[2J\u202e\ud800";
        String page = ReportPage.of(new QualificationReport(Instant.EPOCH, false, Map.of(hostile, hostile),
                Map.of(hostile, hostile), List.of(), List.of(new LeftOut(hostile, hostile))));
        assertThat(page).contains("&#60;script&#62;alert(&#39;a&#39;)&#60;/script&#62;&#38;&#34;U+001B[2JU+202EU+D800")
                .contains("Unfinished").doesNotContain("<script", "\u001b", "\u202e");
    }
}
