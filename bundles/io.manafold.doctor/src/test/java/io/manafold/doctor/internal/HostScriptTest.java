package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Evidence;
import io.manafold.image.internal.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script on the machine of the test, whatever that is. */
@Timeout(300)
class HostScriptTest {
    @TempDir
    private Path folder;

    private int run(String... words) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("doctor.sh"), HostScript.text());
        List<String> line = new ArrayList<>(List.of("sh", script.toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("TMPDIR", Files.createDirectories(folder.resolve("tmp")).toString());
        return builder.start().waitFor();
    }

    @Test
    void thisLinuxIsLookedAt() throws InterruptedException {
        Evidence evidence = HostScript.run(new Reader());
        assertThat(evidence.target()).isEqualTo("this Linux");
        assertThat(evidence.kind()).isEqualTo(Evidence.Kind.MACHINE);
        assertThat(evidence.answer("uname").orElseThrow().strip()).isEqualTo(System.getProperty("os.version"));
        assertThat(evidence.answer("functions")).isPresent();
        assertThat(evidence.text("/proc/meminfo").orElseThrow()).contains("HugePages_Total");
        List<Diagnosis> diagnoses = new Examination(Duration.ofSeconds(60)).of(evidence, Examination.sorted(Checks.all()), List.of());
        assertThat(diagnoses).hasSize(22).allSatisfy(one -> assertThat(one.finding().summary()).doesNotContain("itself", "could not read"));
    }

    @Test
    void whatItIsToldIsInIt() throws Exception {
        Path log = Files.writeString(folder.resolve("log"), "mana_start_tx_queues(): Failed to create qp queue index 0\nmy password=x\n");
        assertThat(run("-o", "out.tar", "-l", log.toString(), "--", "dpdk-testpmd", "--vdev=7870:00:00.0,mac=00:0d:3a:00:00:02", "--", "-i"))
                .isZero();
        Evidence evidence = new Reader().read(folder.resolve("out.tar"));
        assertThat(evidence.answer("application")).contains("dpdk-testpmd '--vdev=7870:00:00.0,mac=00:0d:3a:00:00:02' '--' '-i'\n");
        assertThat(evidence.answer("application-log").orElseThrow()).contains("queue index 0").doesNotContain("password");
        try (var left = Files.list(folder.resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
        assertThat(Files.readString(folder.resolve("said"))).contains("out.tar is written");
    }

    @Test
    void wordsThatItDoesNotKnowAreASentence() throws Exception {
        assertThat(run("--all")).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("said"))).contains("unknown word '--all'").contains("usage:");
    }
}
