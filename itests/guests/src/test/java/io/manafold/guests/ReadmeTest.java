package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the front page says to type for a virtual machine works as it stands, data folder apart. */
@Tag("guest")
class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```console guest\\n(.*?)^```");
    private static final Pattern BACKGROUND = Pattern.compile("(.*--data (\\S+).*)&");

    @TempDir
    Path folder;

    @Test
    void aNewcomersGuestFindsTheAdapter() throws IOException, InterruptedException {
        Matcher block = BLOCK.matcher(Files.readString(Kit.TOP.resolve("README.md")));
        assertThat(block.find()).as("a block marked 'console guest' in README.md").isTrue();
        StringBuilder script = new StringBuilder("set -e\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n");
        block.group(1).lines().filter(line -> line.startsWith("$ ")).forEach(line -> append(script, line.substring(2)));
        Path file = Files.writeString(folder.resolve("block"),
                script.toString().replace("~/manafold-vm", folder + "/vm"));
        Path output = folder.resolve("output");
        Process shell = new ProcessBuilder("bash", file.toString()).directory(Kit.TOP.toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(shell.waitFor()).as("%s%n%s", script, Files.readString(output)).isZero();
        assertThat(Files.readString(output)).contains("driver: mana", "Speed: 200000Mb/s", "00:0d:3a:00:00:01",
                "00:0d:3a:00:00:02", "\"connected\": false");
    }

    private static void append(StringBuilder script, String command) {
        script.append(command).append('\n');
        Matcher background = BACKGROUND.matcher(command);
        if (background.matches()) {
            script.append("for i in $(seq 1200); do [ -S ").append(background.group(2))
                    .append("/attach.sock ] && break; sleep 0.1; done\n");
        }
    }
}
