package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;

/**
 * The same on a function that is borrowed from another platform: the adapter in one process, its drivers in another.
 */
@OneFramework
class BesideFarTest extends BesideEthernetTest {
    private static final Path PROGRAM = Path.of(System.getProperty("manafold.program")).normalize();
    private static final long PATIENCE_SECONDS = 60;
    private static final Pattern NUMBER = Pattern.compile("\"(\\w+)\"\\s*:\\s*(\\d+)");

    private Process lender;

    /** Starts the platform that lends. */
    @Override
    String lab() throws Exception {
        Path socket = folder.resolve("beside.sock");
        Path lending = Files.writeString(folder.resolve("lending.yaml"), adapterAt("7870:00:10.0") + """
                exports:
                  - adapter: beside
                    socket: %s
                """.formatted(socket));
        lender = program("--headless", "--data", folder.resolve("lender").toString(), "--lab", lending.toString())
                .redirectOutput(folder.resolve("lender.out").toFile()).start();
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.readString(folder.resolve("lender.out")).contains("ready\n")) {
            assertThat(lender.isAlive()).as("the platform that lends is there").isTrue();
            assertThat(System.nanoTime()).as("until the platform that lends is ready").isLessThan(giveUp);
            Thread.sleep(20);
        }
        return """
                borrow:
                  - name: far
                    socket: %s
                    address: %s
                """.formatted(socket, ADDRESS);
    }

    private ProcessBuilder program(String... arguments) {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // it has been built a moment ago, by the build that runs this test
        builder.environment().put("MANAFOLD_BUILD", "never");
        return builder;
    }

    private record Said(int status, String words) {
    }

    private Said ask(String line) throws IOException, InterruptedException {
        Process asked = program("attach", "--data", folder.resolve("lender").toString(), "-c", line).start();
        asked.getOutputStream().close();
        String out = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("'%s' ends", line).isTrue();
        return new Said(asked.exitValue(), out);
    }

    /** After the drivers have gone, so that the end of what is lent is no surprise to them. */
    @AfterEach
    @Override
    void end() throws Exception {
        try {
            super.end();
        } finally {
            lender.destroy();
            assertThat(lender.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("the platform that lends ends").isTrue();
        }
    }

    @Override
    void requestReset() throws Exception {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Said said = ask("servicing reset beside");
        // frames return before the driver over there is told of a reset, so the next one may find the function in the
        // last
        while (said.status != 0 && said.words.contains("ENODEV")) {
            assertThat(System.nanoTime()).as("until the adapter can be reset: %s", said).isLessThan(giveUp);
            said = ask("servicing reset beside");
        }
        assertThat(said.status).as("status of a reset, which says %s", said.words).isZero();
    }

    @Override
    int rejections() throws Exception {
        return Math.toIntExact(numbers("adapter show beside --json").get("rejections"));
    }

    @Override
    Map<String, Long> usage() throws Exception {
        return numbers("adapter show beside --json");
    }

    private Map<String, Long> numbers(String line) throws Exception {
        Map<String, Long> numbers = new TreeMap<>();
        Said said = ask(line);
        assertThat(said.status).as("status of '%s', which says %s", line, said.words).isZero();
        Matcher found = NUMBER.matcher(said.words);
        while (found.find()) {
            numbers.put(found.group(1), Long.parseLong(found.group(2)));
        }
        return numbers;
    }
}
