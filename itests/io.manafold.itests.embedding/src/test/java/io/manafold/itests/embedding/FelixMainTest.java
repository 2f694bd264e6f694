package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bundles of a feature in the folder of Apache Felix's own launcher, a process that knows nothing of us. */
@Timeout(180)
class FelixMainTest {
    private static final Path REPOSITORY = Features.ROOT.resolve("release/target/repository").normalize();

    @TempDir
    Path temporary;

    @Test
    void aDeviceIsDrivenThere() throws Exception {
        Jars jars = new Jars();
        Path bundles = Files.createDirectory(temporary.resolve("bundle"));
        for (String id : Features.bundles(Features.read("core"))) {
            copy(released(id), bundles);
        }
        copy(jars.only("io.manafold", "io.manafold.example.embedder"), bundles);
        String device = "io.manafold.itests.embedding.device.";
        new TestBundle("test.device", "1").header("Import-Package", "io.manafold.api.device")
                .activator(device + "EduActivator", device + "EduFunction").write(bundles.resolve("device.jar"));
        // started first, as the launcher goes by names
        new TestBundle("test.witness", "1").activator("io.manafold.itests.embedding.launched.Witness")
                .write(bundles.resolve("a-witness.jar"));
        Path settings = Files.createDirectory(temporary.resolve("conf"));
        Files.writeString(settings.resolve("config.properties"), "felix.auto.deploy.action=install,start\n");
        Process felix = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-jar",
                jars.only("org.apache.felix", "org.apache.felix.main").toString()).directory(temporary.toFile())
                .redirectErrorStream(true).start();
        try (BufferedReader out = felix.inputReader()) {
            StringBuilder said = new StringBuilder();
            String line;
            do {
                line = out.readLine();
                said.append(line).append('\n');
            } while (line != null && !line.startsWith("factorial of 5: "));
            assertThat(line).as("%s", said).isEqualTo("factorial of 5: 120");
            assertThat(said).doesNotContain("Exception", "ERROR");
            felix.destroy();
            assertThat(felix.waitFor(60, TimeUnit.SECONDS)).as("it ends when it is asked to").isTrue();
        } finally {
            felix.destroyForcibly();
        }
    }

    /** Where the release folder has it. */
    private static Path released(String id) {
        String[] part = id.split(":");
        Path file = Path.of(part[1] + "-" + part[2] + ".jar");
        return REPOSITORY.resolve(part[0].replace('.', '/')).resolve(part[1]).resolve(part[2]).resolve(file);
    }

    private static void copy(Path file, Path into) throws IOException {
        Files.copy(file, into.resolve(file.getFileName()));
    }
}
