package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No way of touching memory that a guest takes away may end the virtual machine, whatever compiled it. */
class ShrinkingFileTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-Xbatch -XX:-TieredCompilation"})
    void everyTouchOfATakenAwayPageIsAnErrorThatCanBeCaught(String options) throws Exception {
        List<String> told = run(options);

        assertThat(told).last().asString().startsWith("alive ");
        assertThat(told.subList(0, told.size() - 1)).hasSizeGreaterThan(60).allMatch(line -> line.endsWith(" 10"));
    }

    private List<String> run(String options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), ShrinkingFile.class.getName()));
        Path output = folder.resolve("output");
        Process child = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        try {
            assertThat(child.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            child.destroyForcibly();
        }
        return java.nio.file.Files.readAllLines(output);
    }
}
