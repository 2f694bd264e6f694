package io.manafold.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UsageErrorTest {
    @Test
    void whatAParserRefusesIsAWrongWordWithItsSentence() {
        assertThat(UsageError.<Integer>reading("7", Integer::valueOf)).isEqualTo(7);
        assertThatThrownBy(() -> UsageError.reading("x", word -> {
            throw new IllegalArgumentException("'" + word + "' is not an address");
        })).isInstanceOf(UsageError.class).hasMessage("'x' is not an address.");
        assertThatThrownBy(() -> UsageError.reading("x", _ -> {
            throw new IllegalStateException("a mistake");
        })).isInstanceOf(IllegalStateException.class);
    }
}
