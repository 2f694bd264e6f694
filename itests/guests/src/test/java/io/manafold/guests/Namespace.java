package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A network namespace of this machine's own kernel, and what runs in it; nothing outside of it is touched. */
final class Namespace implements AutoCloseable {
    private final String name;
    private final List<Process> running = new ArrayList<>();

    private Namespace(String name) {
        this.name = name;
    }

    /** A new one, or {@code null} where this machine lets us make none, with taps that reach into it. */
    static Namespace make() {
        String name = "mg" + ProcessHandle.current().pid();
        boolean possible = "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/net/tun"))
                && there("ip") && there("iperf3");
        return possible && ended(List.of("ip", "netns", "add", name)).status() == 0 ? new Namespace(name) : null;
    }

    private static boolean there(String program) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** Takes an interface in from outside. */
    void take(String device) {
        ended(List.of("ip", "link", "set", device, "netns", name)).done();
    }

    /** Runs a command to its end. */
    Answer run(String... command) {
        return ended(inside(command));
    }

    /** Begins what goes on until this is closed. */
    Output begin(String... command) {
        try {
            Process process = new ProcessBuilder(inside(command)).redirectErrorStream(true).start();
            running.add(process);
            return new Output(process.getInputStream());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private List<String> inside(String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
        all.addAll(List.of(command));
        return all;
    }

    private static Answer ended(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            Output said = new Output(process.getInputStream());
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " does not end; so far: " + said.soFar());
            }
            return new Answer(String.join(" ", command), process.exitValue(), said.all());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        for (Process process : running) {
            process.destroyForcibly();
            try {
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
        ended(List.of("ip", "netns", "del", name)).done();
    }
}
