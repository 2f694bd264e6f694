package io.manafold.commands.shaper.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.shell.UsageError;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class RateTest {
    @ParameterizedTest
    @CsvSource({"10,8", "100,96", "1500,1496", "8bit,8", "1kbit,1000", "1Kibit,1024", "500mbit,500000000",
            "1.5gbit,1500000000",
        "1.5GBIT,1500000000", "1tbit,1000000000000", "1Bps,8", "1kbps,8000", "2MiBps,16777216", "0,0", "0gbit,0",
        "1e9,1000000000", ".5kbit,496", "9000000000gbit,9000000000000000000"})
    void ratesAreRead(String text, long bits) {
        assertThat(Rate.bits("bw-max", text)).isEqualTo(bits);
    }

    @ParameterizedTest
    @CsvSource({"1496,1496bit", "1500000000,1500Mbit", "123456789,123456Kbit", "1048576,1048Kbit",
            "1000000000000,1Tbit",
        "0,0bit", "8,8bit", "1000,1Kbit", "999,992bit", "10000000000,10Gbit", "2500000000,2500Mbit",
        "1000000000000000,1000Tbit", "10,8bit"})
    void ratesAreShown(long bits, String text) {
        assertThat(Rate.shown(bits)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "1bit", "0.001kbit", "7.99"})
    void whatWouldBeNoneIsRefused(String text) {
        assertThatThrownBy(() -> Rate.bits("bw-max", text)).isInstanceOf(UsageError.class)
                .hasMessageContaining("no limit at all").hasMessageContaining("bw-max 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "-1", "1 gbit", "1xbit", "1gib", "1ibit", "10%", "1e999",
            "9999999999999999999999999999999999999999999",
        "99999999tbit", "0x10"})
    void whatIsNoRateIsRefused(String text) {
        assertThatThrownBy(() -> Rate.bits("bw-max", text)).isInstanceOf(UsageError.class);
    }

    @ParameterizedTest
    @CsvSource({"1000,1000", "5kpps,5000", "2mpps,2000000", "1.5kpps,1500", "0,0"})
    void packetsAreCounted(String text, long packets) {
        assertThat(Rate.packets("bw-max", text)).isEqualTo(packets);
        assertThatThrownBy(() -> Rate.packets("bw-max", "1mbit")).isInstanceOf(UsageError.class);
        assertThatThrownBy(() -> Rate.packets("bw-max", "0.5")).isInstanceOf(UsageError.class);
    }
}
