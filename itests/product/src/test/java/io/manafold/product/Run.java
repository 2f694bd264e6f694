package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The program as a process: what it is given, what it says, how it ends. Closing it ends it whatever it does. */
final class Run implements AutoCloseable {
    static final Path TOP = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** Most lives are a second long: nothing that the optimizing compiler does in it comes back. */
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";
    private static final AtomicInteger STARTED = new AtomicInteger();

    static {
        // as after any build by the program itself: who starts it dozens of times should not wait for classes each time
        of(TOP.resolve("manafold").toString(), "-c", "exit").with("MANAFOLD_BUILD", "cache")
                .fed("", Duration.ofMinutes(3));
    }

    private final Process process;
    private final Reader out;
    private final Reader err;

    private Run(Process process) {
        this.process = process;
        this.out = new Reader(process.getInputStream());
        this.err = new Reader(process.getErrorStream());
    }

    /** How the program is to be started. */
    static final class Plan {
        private final List<String> command = new ArrayList<>();
        private final Map<String, String> environment = new TreeMap<>();
        private Path folder = TOP;

        Plan in(Path newFolder) {
            folder = newFolder;
            return this;
        }

        Plan with(String variable, String value) {
            environment.put(variable, value);
            return this;
        }

        Run start() {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            // it has been built a moment ago, by the build that runs this test
            builder.environment().put("MANAFOLD_BUILD", "never");
            builder.environment().put("MANAFOLD_OPTS", FIRST_COMPILER + " -Dmanafold.locks=halt");
            // platforms of classes that run side by side each have primaries of the same name
            builder.environment().put("RUNTIME_DIRECTORY", runtime("" + STARTED.incrementAndGet()));
            builder.environment().putAll(environment);
            try {
                return new Run(builder.start());
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        /** Starts it with this on its standard input, and waits for its end. */
        Ended fed(String input) {
            return fed(input, PATIENCE);
        }

        /** The same for what starts the program many times. */
        Ended fed(String input, Duration limit) {
            try (Run run = start()) {
                run.type(input);
                run.endInput();
                return run.ended(limit);
            }
        }

        Ended end() {
            return fed("");
        }
    }

    /** A place for files of what runs, in which those that share it find each other. */
    static String runtime(String name) {
        return TOP.resolve("itests/product/target/r").resolve(name).toString();
    }

    /** How it ended. */
    record Ended(int status, String out, String err) {
        JsonValue json() {
            try (JsonReader reader = Json.createReader(new StringReader(out))) {
                return reader.readValue();
            }
        }

        Ended done() {
            assertThat(status).as("status; out: %s err: %s", out, err).isZero();
            return this;
        }

        /** A sentence for people and no stack trace. */
        Ended refused(int expected, String... words) {
            assertThat(status).as("status; out: %s err: %s", out, err).isEqualTo(expected);
            assertThat(err).contains(words).doesNotContain("\tat ", "Exception", "Error:");
            return this;
        }
    }

    static Plan manafold(String... arguments) {
        Plan plan = new Plan();
        plan.command.add(TOP.resolve("manafold").toString());
        plan.command.addAll(List.of(arguments));
        return plan;
    }

    /** The same without its script: a jar that was built with it, and which folder is for what is temporary. */
    static Plan jar(String name, Path temporary, String... arguments) {
        Plan plan = new Plan();
        plan.command.add(manafold("--java").end().done().out().strip() + "/bin/java");
        plan.command.addAll(List.of(manafold("--vm").end().done().out().strip().split(" ")));
        plan.command.addAll(List.of(FIRST_COMPILER, "-Djava.io.tmpdir=" + temporary, "-jar",
                TOP.resolve("bndrun/target").resolve(name).toString()));
        plan.command.addAll(List.of(arguments));
        return plan;
    }

    /** Some other program. */
    static Plan of(String... command) {
        Plan plan = new Plan();
        plan.command.addAll(List.of(command));
        return plan;
    }

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    /** Sends SIGTERM. {@link Process#destroy} would close what is read of its output as well. */
    void terminate() {
        process.toHandle().destroy();
    }

    void type(String text) {
        try {
            process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            // it ended before it had read everything, which its status tells
        }
    }

    void endInput() {
        try (OutputStream input = process.getOutputStream()) {
            input.flush();
        } catch (IOException gone) {
            // as above
        }
    }

    /** Waits until its output holds the text. */
    String awaitOut(String text) {
        return out.await(text, this);
    }

    /** Waits until its output holds the text behind the first occurrence of another. */
    String awaitOut(String before, String text) {
        return out.await(before, text, this);
    }

    /** Waits until its output holds the text behind what it was before. */
    String awaitOutBehind(int before, String text) {
        return out.await(before, text, this);
    }

    String awaitErr(String text) {
        return err.await(text, this);
    }

    String outSoFar() {
        return out.soFar();
    }

    Ended ended() {
        return ended(PATIENCE);
    }

    Ended ended(Duration limit) {
        try {
            assertThat(process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS))
                    .as("ends within %s; out: %s err: %s", limit, out.soFar(), err.soFar()).isTrue();
            return new Ended(process.exitValue(), out.all(), err.all());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Reads a stream to its end on a thread of its own, so that the process never waits for us. */
    private static final class Reader {
        private final StringBuilder text = new StringBuilder();
        private final Thread thread;

        Reader(InputStream stream) {
            thread = Thread.ofPlatform().daemon().start(() -> read(stream));
        }

        private void read(InputStream stream) {
            char[] buffer = new char[8192];
            // keeps the first bytes of a character until the others come
            try (InputStreamReader decoded = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
                for (int count = decoded.read(buffer); count >= 0; count = decoded.read(buffer)) {
                    synchronized (text) {
                        text.append(buffer, 0, count);
                        text.notifyAll();
                    }
                }
            } catch (IOException closed) {
                // the process is gone
            }
        }

        String soFar() {
            synchronized (text) {
                return text.toString();
            }
        }

        String all() throws InterruptedException {
            thread.join(PATIENCE);
            return soFar();
        }

        String await(String wanted, Run run) {
            return await(0, wanted, run);
        }

        String await(String before, String wanted, Run run) {
            String first = await(0, before, run);
            return await(first.indexOf(before) + before.length(), wanted, run);
        }

        String await(int before, String wanted, Run run) {
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            synchronized (text) {
                while (text.indexOf(wanted, before) < 0) {
                    assertThat(System.nanoTime()).as("waiting for '%s'; so far: %s", wanted, text).isLessThan(giveUp);
                    assertThat(run.process.isAlive() || thread.isAlive())
                            .as("ended without '%s': %s; its errors: %s", wanted, text, run.err.soFar()).isTrue();
                    try {
                        text.wait(100);
                    } catch (InterruptedException interrupted) {
                        throw new AssertionError(interrupted);
                    }
                }
                return text.toString();
            }
        }
    }
}
