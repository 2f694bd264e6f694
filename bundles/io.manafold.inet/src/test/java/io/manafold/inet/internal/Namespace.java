package io.manafold.inet.internal;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A network namespace of the test's own, so that nothing outside is touched. */
final class Namespace implements AutoCloseable {
    final String namespace;

    Namespace(String name) throws Exception {
        namespace = "mi" + name + ProcessHandle.current().pid();
        assumeTrue(isThere("ip"), "the command ip is not installed");
        assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
        assumeTrue(exit("ip", "netns", "add", namespace) == 0, "this kernel or container makes no network namespaces");
    }

    static boolean isThere(String command) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, command))) {
                return true;
            }
        }
        return false;
    }

    private static int exit(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " did not end");
        }
        return process.exitValue();
    }

    /** Runs a command that must work, and answers what it prints. */
    static String run(String... command) throws Exception {
        Path output = Files.createTempFile("inet", ".out");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
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

    String inside(String... command) throws Exception {
        String[] all = new String[command.length + 4];
        System.arraycopy(new String[] {"ip", "netns", "exec", namespace}, 0, all, 0, 4);
        System.arraycopy(command, 0, all, 4, command.length);
        return run(all);
    }

    @Override
    public void close() throws Exception {
        run("ip", "netns", "del", namespace);
    }
}
