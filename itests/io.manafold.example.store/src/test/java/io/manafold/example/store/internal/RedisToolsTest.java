package io.manafold.example.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store, as the programs of Debian's package redis-tools see it. */
@Timeout(240)
class RedisToolsTest {
    @TempDir
    Path folder;

    /** What a program writes, which is to succeed. */
    private String run(String input, List<String> command) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", command.getFirst())), command.getFirst()
                + " is not installed (redis-tools)");
        Path in = Files.writeString(folder.resolve("in"), input);
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(command).redirectInput(in.toFile()).redirectErrorStream(true)
                .redirectOutput(out.toFile()).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String written = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(written).isZero();
        return written;
    }

    private static List<String> command(String program, int port, String... more) {
        List<String> command = new ArrayList<>(List.of(program, "-h", "127.0.0.1", "-p", Integer.toString(port)));
        command.addAll(List.of(more));
        return command;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void redisCli(String transport) throws Exception {
        try (RunningStore store = new RunningStore(transport, 16, 128)) {
            String said = run("""
                    PING
                    SET greeting "good day" EX 100
                    GET greeting
                    SET greeting other NX
                    INCR visits
                    INCR visits
                    MGET greeting none visits
                    EXISTS greeting none
                    DBSIZE
                    CONFIG GET maxclients
                    DEL greeting visits
                    FLY
                    """, command("redis-cli", store.port()));
            assertThat(said.lines()).containsExactly("PONG", "OK", "good day", "", "1", "2", "good day", "", "2", "1",
                    "2", "maxclients", "128", "2", "ERR unknown command 'FLY'; COMMAND lists those that there are", "");
            assertThat(run("", command("redis-cli", store.port(), "INFO")))
                    .contains("transport:" + transport, "maxclients:128");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void redisBenchmark(String transport) throws Exception {
        try (RunningStore store = new RunningStore(transport, 16, 128)) {
            String said = run("", command("redis-benchmark", store.port(), "-t", "set,get", "-P", "16", "-n", "20000",
                    "-d", "1000", "-r", "1000", "--csv"));
            assertThat(said.lines().filter(line -> line.matches("\"(SET|GET)\",\"[0-9.]+\".*"))).as(said).hasSize(2);
            assertThat(said).doesNotContain("Error", "ERR");
            assertThat(run("", command("redis-cli", store.port(), "INFO"))).contains("connected_clients:1\r");
        }
    }
}
