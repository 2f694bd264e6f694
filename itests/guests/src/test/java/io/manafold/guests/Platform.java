package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The program with a lab, as a process of its own; commands go to it as a second window would send them. */
final class Platform implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path folder;
    private final String lab;
    private Process process;
    private Output out;
    private Output err;

    private Platform(Path folder, String lab) {
        this.folder = folder;
        this.lab = lab;
    }

    /** Starts it in this folder; {@code %s} of the lab becomes the folder. */
    static Platform with(Path folder, String lab) {
        Platform platform = new Platform(folder, folder.resolve("lab.yaml").toString());
        try {
            Files.writeString(folder.resolve("lab.yaml"), lab.replace("%s", folder.toString()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        platform.start();
        return platform;
    }

    /** Starts it in this folder with a lab that comes with it. */
    static Platform in(Path folder, String lab) {
        Platform platform = new Platform(folder, lab);
        platform.start();
        return platform;
    }

    /** Starts it, for the first time or again, and waits until it is ready. */
    void start() {
        try {
            ProcessBuilder starting = manafold("--headless", "--data", data(), "--lab", lab);
            // platforms of classes that run side by side each have primaries of the same name
            starting.environment().put("RUNTIME_DIRECTORY", folder.toString());
            process = starting.start();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        out = new Output(process.getInputStream());
        err = new Output(process.getErrorStream());
        try {
            out.await("ready\n", PATIENCE, process::isAlive);
        } catch (AssertionError notReady) {
            throw new AssertionError("not ready; it complained:\n" + err.soFar() + "its log:\n" + log(), notReady);
        }
    }

    private static ProcessBuilder manafold(String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(Kit.TOP.resolve("manafold").toString());
        builder.command().addAll(java.util.List.of(arguments));
        // the first of many starts prepares those that follow
        builder.environment().put("MANAFOLD_BUILD", "cache");
        return builder;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("data").resolve("log").resolve("manafold.log"));
        } catch (IOException none) {
            return "none";
        }
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /** Where a guest finds the export of this name. */
    Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    /** The same, wherever the platform says that it is. */
    Path exported(String name) {
        return Path.of(one("vfio list --json", name).getString("socket"));
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    Answer run(String command) {
        try {
            Process attached = manafold("attach", "--data", data(), "-c", command).redirectErrorStream(true).start();
            Output said = new Output(attached.getInputStream());
            attached.getOutputStream().close();
            assertThat(attached.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .as("'%s' ends; so far: %s", command, said.soFar()).isTrue();
            return new Answer(command, attached.exitValue(), said.all());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Begins a command that reads what is typed, in a window of its own. */
    Window begin(String command) {
        try {
            return new Window(manafold("attach", "--data", data(), "-c", command).redirectErrorStream(true).start());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The one object of this name in what a command with --json lists. */
    JsonObject one(String command, String name) {
        JsonValue all = run(command).done().json();
        if (all.getValueType() == JsonValue.ValueType.OBJECT) {
            return all.asJsonObject();
        }
        return all.asJsonArray().stream().map(JsonValue::asJsonObject)
                .filter(entry -> entry.getString("name", "").equals(name)).findFirst()
                .orElseThrow(() -> new AssertionError(command + " has no " + name + ": " + all));
    }

    /** Asks until the answer is as wanted. */
    JsonObject until(String command, String name, Predicate<JsonObject> wanted) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        JsonObject last = one(command, name);
        while (!wanted.test(last)) {
            assertThat(System.nanoTime()).as("%s of %s; the last answer: %s", command, name, last).isLessThan(giveUp);
            // each question is a process: the guests need the processors as well
            LockSupport.parkNanos(200_000_000);
            last = one(command, name);
        }
        return last;
    }

    /** Asks until the answer has all of these words. */
    void untilSays(String command, String... words) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        String last = run(command).done().output();
        while (!Arrays.stream(words).allMatch(last::contains)) {
            assertThat(System.nanoTime()).as("%s says %s; the last answer:%n%s", command, Arrays.toString(words), last)
                    .isLessThan(giveUp);
            LockSupport.parkNanos(200_000_000);
            last = run(command).done().output();
        }
    }

    /** Ends it as a crash does. */
    void kill() {
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the platform is gone").isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    String complained() {
        return err.soFar();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the platform did not stop in order; it complained:\n" + err.soFar());
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
