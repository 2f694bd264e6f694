package io.manafold.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Changes kept inputs for a while and goes on with those that come further. What fails is written into the corpus,
 * where the next replay finds it: {@code -Dmanafold.hostile.seconds=60}.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisabledIfSystemProperty(named = "manafold.hostile.seconds", matches = "0")
class MutationTest {
    private static final int SECONDS = Integer.getInteger("manafold.hostile.seconds", 0);
    private static final int GRACE = 120;
    /** One kind alone, by its name; all of them without. */
    private static final String ONLY = System.getProperty("manafold.hostile.only", "");

    @ParameterizedTest
    @EnumSource
    void nothingFails(Kind kind) throws Exception {
        assumeTrue(ONLY.isEmpty() || ONLY.equals(kind.name()));
        Path corpus = Corpus.of(kind).folder();
        Path work = Files.createDirectories(Path.of("target", "mutations", kind.name()).toAbsolutePath());
        Path further = Files.createDirectories(work.resolve("further"));
        Path log = work.resolve("log");
        Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+EnableDynamicAgentLoading", "-XX:+UseSerialGC", "-Xmx512m",
                "-cp", System.getProperty("java.class.path"), "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + Mutations.class.getName(), "--target_args=" + kind.name(),
                "--instrumentation_includes=" + kind.watched().replace(":", File.pathSeparator),
                "--reproducer_path=" + work, "-artifact_prefix=" + corpus + "/", "-max_total_time=" + SECONDS,
                "-timeout=20", "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1", further.toString(),
                corpus.toString()))
                .directory(work.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(process.waitFor(SECONDS + GRACE, TimeUnit.SECONDS)).as("ends in time; %s", log).isTrue();
            assertThat(process.exitValue()).as("%s: what failed is in %s; the rest in %s", kind, corpus, log).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
