package io.manafold.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace of a test's own, so that nothing outside is touched, and commands of the machine inside and
 * outside of it.
 */
public final class Namespace implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final String name;
    private final List<Process> running = new ArrayList<>();

    /** @param prefix what its name begins with, a few letters */
    public Namespace(String prefix) throws IOException, InterruptedException {
        name = prefix + ProcessHandle.current().pid();
        run("ip", "netns", "add", name);
    }

    /** Whether this machine makes network namespaces for this user. */
    public static boolean isAllowed() throws IOException, InterruptedException {
        if (!isThere("ip") || !"root".equals(System.getProperty("user.name"))) {
            return false;
        }
        try {
            new Namespace("mt").close();
            return true;
        } catch (IOException refused) {
            // in many containers
            return false;
        }
    }

    /** Whether a command is installed. */
    public static boolean isThere(String command) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, command))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs a command that must work, and answers what it prints.
     *
     * @throws IOException if it ends with another status than 0, with what it has printed
     */
    public static String run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("command", ".out");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " did not end");
            }
            String printed = Files.readString(output);
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + printed);
            }
            return printed;
        } finally {
            Files.delete(output);
        }
    }

    /** Takes an interface in from outside, gives it an address with the length of its network, and sets it up. */
    public void take(String device, String address) throws IOException, InterruptedException {
        run("ip", "link", "set", device, "netns", name);
        inside("ip", "addr", "add", address, "dev", device);
        inside("ip", "link", "set", device, "up");
    }

    public String name() {
        return name;
    }

    /** The same as {@link #run}, inside. */
    public String inside(String... command) throws IOException, InterruptedException {
        return run(within(command));
    }

    /** Begins something inside that ends with this at the latest. */
    public Process begin(String... command) throws IOException {
        Process process = new ProcessBuilder(within(command)).redirectErrorStream(true).start();
        running.add(process);
        return process;
    }

    private String[] within(String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
        all.addAll(List.of(command));
        return all.toArray(String[]::new);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (Process process : running) {
            process.destroyForcibly().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        run("ip", "netns", "del", name);
    }
}
