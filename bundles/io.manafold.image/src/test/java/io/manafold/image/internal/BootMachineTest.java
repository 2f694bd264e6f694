package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BootMachineTest {
    /** ESC is written as {@code ~}, BEL as {@code ^}. */
    @ParameterizedTest
    @CsvSource({"[~[0;32m  OK  ~[0m] Started it., [  OK  ] Started it.",
            "~[!p~]104^~[?7hMANA reset cycle, MANA reset cycle",
            "~]0;a title~\\vm login:, vm login:", "~Pq~\\it, it", "~(Bit, it", "~]no end, ''", "a^b, ab"})
    void aConsoleSaysWhatAReaderSees(String line, String plain) {
        assertThat(BootMachine.plain(line.replace('~', '\u001b').replace('^', '\u0007'))).isEqualTo(plain);
    }
}
