package io.manafold.example.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers as clients write them. */
class NumbersTest {
    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 9, 10, -10, 123456789, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1,
            Long.MIN_VALUE + 1})
    void numbersAreReadAndWritten(long number) {
        String text = Long.toString(number);
        assertThat(Numbers.length(number)).isEqualTo(text.length());
        assertThat(Numbers.isNumber(text(text), 0, text.length())).isTrue();
        assertThat(Numbers.number(text(text), 0, text.length())).isEqualTo(number);
        byte[] written = new byte[text.length()];
        Numbers.write(MemorySegment.ofArray(written), 0, number);
        assertThat(new String(written, StandardCharsets.US_ASCII)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "-0", "00", "01", "1a", " 1", "+1", "9223372036854775808", "-9223372036854775809",
            "99999999999999999999", "111111111111111111111"})
    void othersAreNone(String text) {
        assertThat(Numbers.isNumber(text(text), 0, text.length())).isFalse();
    }

    @Test
    void aNumberIsWithinItsText() {
        assertThat(Numbers.isNumber(text("a12b"), 1, 2)).isTrue();
        assertThat(Numbers.number(text("a12b"), 1, 2)).isEqualTo(12);
    }
}
