package io.manafold.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(1);

    @ParameterizedTest
    @CsvSource({"5, 5", "05, 5", "1000, 1000", "-3, -3"})
    void wholeNumbers(String text, int number) {
        assertThat(Numbers.whole("-n", text, -3, 1000)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "-4", "1001", "+5", "5 ", "5.0", "0x5", "five", "\u0665", "99999999999",
        "9223372036854775808", "18446744073709551616", "999999999999999999999999"})
    void whatIsNoWholeNumberOrOutOfRangeIsRefused(String text) {
        assertThatThrownBy(() -> Numbers.whole("-n", text, -3, 1000)).isInstanceOf(UsageError.class)
                .hasMessage("-n takes a whole number from -3 to 1000, not '" + text + "'.");
    }

    @Test
    void wholeNumbersOfAllBits() {
        assertThat(Numbers.whole("seed", "9223372036854775807", 0, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(Numbers.whole("seed", "-9223372036854775808", Long.MIN_VALUE, 0)).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> Numbers.whole("seed", "9223372036854775808", 0, Long.MAX_VALUE))
                .isInstanceOf(UsageError.class);
        assertThat(Numbers.unsigned("id", "18446744073709551615", -1)).isEqualTo(-1);
        assertThat(Numbers.unsigned("id", "7", 7)).isEqualTo(7);
        assertThatThrownBy(() -> Numbers.unsigned("id", "18446744073709551616", -1)).isInstanceOf(UsageError.class)
                .hasMessage("id takes a whole number from 0 to 18446744073709551615, not '18446744073709551616'.");
        assertThatThrownBy(() -> Numbers.unsigned("id", "8", 7)).hasMessageContaining("from 0 to 7");
        assertThatThrownBy(() -> Numbers.unsigned("id", "-1", -1)).isInstanceOf(UsageError.class);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4096, 4096", "64k, 65536", "64K, 65536", "1m, 1048576", "1M, 1048576", "1g, 1073741824",
        "2G, 2147483648", "1048576k, 1073741824"})
    void bytes(String text, long number) {
        assertThat(Numbers.bytes("-s", text, 1, 1L << 31)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "0", "0k", "1kk", "1.5k", "-1", "1 k", "1t", "1x", "1kb", "1KiB", "3g", "2049m",
        "\u0661k", "17179869185g", "999999999999999999g", "9999999999999999999",
        "18446744073709551616", "99999999999999999999g", "100000000000000000001"})
    void whatAreNoBytesOrOutOfRangeIsRefused(String text) {
        assertThatThrownBy(() -> Numbers.bytes("-s", text, 1, 1L << 31)).isInstanceOf(UsageError.class)
                .hasMessage("-s takes a number of bytes from 1 to 2147483648, as in 4096, 64k, 1m or 1g, not '" + text
                + "'.");
    }

    @Test
    void bytesUpToTheLargestNumber() {
        assertThat(Numbers.bytes("-s", "0", 0, Long.MAX_VALUE)).isZero();
        assertThat(Numbers.bytes("-s", "1152921504606846976", 0, 1L << 60)).isEqualTo(1L << 60);
        assertThat(Numbers.bytes("-s", "9223372036854775807", 0, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Numbers.bytes("-s", "9223372036854775808", 0, Long.MAX_VALUE))
                .isInstanceOf(UsageError.class);
        assertThat(Numbers.bytes("-s", "8589934591g", 0, Long.MAX_VALUE)).isEqualTo(8589934591L << 30);
        assertThatThrownBy(() -> Numbers.bytes("-s", "8589934592g", 0, Long.MAX_VALUE)).isInstanceOf(UsageError.class);
    }

    @ParameterizedTest
    @CsvSource({"1, PT1S", "0.2, PT0.2S", ".25, PT0.25S", "86400, PT24H", "0.001, PT0.001S",
        "1.000000001, PT1.000000001S"})
    void seconds(String text, Duration time) {
        assertThat(Numbers.seconds("-i", text, LEAST, MOST)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "1.", "-1", "0", "0.0009", "86400.000000001", "1e3", "1e99", "NaN", "Infinity",
        "1s", "often", "999999999999999"})
    void whatAreNoSecondsOrOutOfRangeIsRefused(String text) {
        assertThatThrownBy(() -> Numbers.seconds("-i", text, LEAST, MOST)).isInstanceOf(UsageError.class)
                .hasMessage("-i takes seconds from 0.001 to 86400, as in 0.2, not '" + text + "'.");
    }

    @Test
    void aRefusalIsOneLineThatEnds() {
        assertThatThrownBy(() -> Numbers.whole("-n", "1\n\u001b[2J", 0, 9))
                .hasMessageEndingWith("not '1\\n\\u001b[2J'.");
        assertThatThrownBy(() -> Numbers.bytes("-n", "9".repeat(100_000), 0, 9)).message().hasSizeLessThan(200);
    }

    @Test
    void whatIsCountedIsOneOrMany() {
        assertThat(Numbers.counted(0, "port")).isEqualTo("0 ports");
        assertThat(Numbers.counted(1, "port")).isEqualTo("1 port");
        assertThat(Numbers.counted(2, "queue pair")).isEqualTo("2 queue pairs");
    }
}
