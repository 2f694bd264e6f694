package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordingTest {
    @Test
    void foreignTextBecomesOneLineWithoutControlCharacters() {
        assertThat(Wording.plain("  two\r\n lines\u001b[31m and \u202e more ")).isEqualTo("two lines?[31m and ? more");
    }

    @Test
    void foreignTextIsCut() {
        assertThat(Wording.plain("x".repeat(100_000))).hasSize(241).endsWith("…");
    }

    @Test
    void nothingIsSaidAsSuch() {
        assertThat(Wording.plain(null)).isEqualTo("no reason given");
        assertThat(Wording.plain(" \n")).isEqualTo("no reason given");
    }

    @Test
    void theInnermostReasonIsTold() {
        assertThat(Wording.reason(new IllegalStateException("outer", new IllegalArgumentException("inner\nline"))))
                .isEqualTo("IllegalArgumentException: inner line");
    }
}
