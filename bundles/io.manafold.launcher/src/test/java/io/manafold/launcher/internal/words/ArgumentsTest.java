package io.manafold.launcher.internal.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.launcher.internal.words.Arguments.Mode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {
    @Test
    void nothingMeansTheInput() throws UsageException {
        assertThat(Arguments.parse()).isEqualTo(new Arguments(Mode.INPUT, null, null, null, null, ScriptOptions.USUAL));
    }

    @Test
    void optionsComeInAnyOrder() throws UsageException {
        Arguments arguments = Arguments.parse("--lab", "two", "-c", "devices; drivers", "--data=/d/../e");
        assertThat(arguments).isEqualTo(new Arguments(Mode.LINE, "devices; drivers", null, Path.of("/e"), "two",
                ScriptOptions.USUAL));
    }

    @Test
    void theWordAfterDashCIsNeverAnOption() throws UsageException {
        assertThat(Arguments.parse("-c", "--headless").line()).isEqualTo("--headless");
        assertThat(Arguments.parse("-c", "").line()).isEmpty();
    }

    @Test
    void aScriptIsNamedFromWhereOneIs() throws UsageException {
        assertThat(Arguments.parse("run", "x.mf").script()).isEqualTo(Path.of("x.mf").toAbsolutePath());
    }

    @Test
    void attachTakesALineAndAFolder() throws UsageException {
        Arguments arguments = Arguments.parse("attach", "--data", "/d", "-c", "log");
        assertThat(arguments).isEqualTo(new Arguments(Mode.ATTACH, "log", null, Path.of("/d"), null,
                ScriptOptions.USUAL));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-c                       | -c needs the commands to carry out",
        "run                      | run needs a file",
        "--data                   | --data needs a folder",
        "--data=                  | not an empty word",
        "--lab                    | --lab needs",
        "--headles                | There is no option --headles.",
        "devices                  | There is no word devices here",
        "--headless -c x          | --headless and -c do not go together.",
        "--headless=yes           | --headless takes no value.",
        "-c x -c y                | -c is there twice.",
        "attach -c x -c y         | -c is there twice.",
        "attach --lab x           | --lab is for starting",
        "attach --headless        | attach and --headless do not go together.",
        "--data a --data b        | --data is there twice.",
        "run a run b              | run is there twice.",
        "-c x attach              | There is no word attach here",
    })
    void refusesTheRestInASentence(String line, String sentence) {
        assertThatThrownBy(() -> Arguments.parse(line.split(" "))).isInstanceOf(UsageException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void aFileNameThatCannotBeIsRefused() {
        assertThatThrownBy(() -> Arguments.parse("--data", "a\0b")).isInstanceOf(UsageException.class);
    }
}
