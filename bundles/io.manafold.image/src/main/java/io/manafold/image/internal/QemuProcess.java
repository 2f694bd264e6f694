package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A QEMU with a folder of its own and its console on its output. Closing it ends it and removes the folder. */
final class QemuProcess implements AutoCloseable {
    private static final int LONGEST_LINE = 400;
    /** How long one that is asked about itself may take, and how many bytes of its answer are read. */
    private static final int ASK_SECONDS = 10;
    private static final int MOST_SAID = 1 << 16;
    private static final String PROMPT = "login: ";
    /**
     * It may open no network, start no program and raise no privileges, and it looks for no file of its own accord. A
     * kernel copies strings byte by byte where its processor is said to be fast at it, which an emulated one is not.
     */
    private static final List<String> ALWAYS = List.of("-nodefaults", "-no-user-config", "-no-reboot", "-display",
            "none", "-monitor", "none", "-nic", "none", "-sandbox",
            "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny", "-accel", "tcg", "-cpu",
            "max,-erms,-fsrm,-la57", "-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console");

    private static final String WITH_PARENT = "exit-with-parent";

    private final Path folder;
    private final String name;
    private Process process;
    private volatile String complaint = "";

    QemuProcess(String name) throws IOException {
        this.name = name;
        folder = Files.createTempDirectory(name);
    }

    /** A file in its folder. */
    Path file(String inside) {
        return folder.resolve(inside);
    }

    /** A socket in its folder that it is to connect to. */
    ServerSocketChannel socket(String inside) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(file(inside)));
    }

    /** A path as a value among options, where a comma ends the value. */
    static String value(Path path) {
        return path.toString().replace(",", ",,");
    }

    /**
     * What a QEMU says when it is asked about itself.
     *
     * @throws InterruptedIOException if the thread is interrupted; nothing of what was asked is left
     */
    static String asked(Path qemu, String... words) throws InterruptedIOException {
        return asked(qemu, ASK_SECONDS, words);
    }

    static String asked(Path qemu, int seconds, String... words) throws InterruptedIOException {
        List<String> command = new ArrayList<>(List.of(qemu.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw cannotRun(qemu, e);
        }
        try {
            // a read from a process heeds no interrupt, and what was named may be no QEMU and never end
            FutureTask<String> said = new FutureTask<>(() -> {
                try (InputStream in = process.getInputStream()) {
                    return new String(in.readNBytes(MOST_SAID), StandardCharsets.UTF_8);
                }
            });
            startDaemon("manafold-qemu-asked", said);
            return said.get(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        } catch (TimeoutException e) {
            throw new Refusal(Errno.ETIMEDOUT, "'" + qemu + "' has not answered '" + String.join(" ", words)
                    + "' within " + seconds + " s, as a QEMU does; name another one with --qemu FILE.", e);
        } catch (ExecutionException e) {
            throw cannotRun(qemu, e.getCause());
        } finally {
            kill(process);
        }
    }

    private static Refusal cannotRun(Path qemu, Throwable why) {
        return new Refusal(Errno.EIO, "'" + qemu + "' cannot be run as QEMU.", why);
    }

    /**
     * Starts it. It ends with the thread that does so, if this QEMU can: where a platform is killed, nothing else would
     * end a machine in which a stranger's disk is read or booted.
     *
     * @param before words in front of it: a program that starts it
     * @param console is told lines of the console, and prompts to log in
     * @throws InterruptedIOException if the thread is interrupted before it is started
     */
    void start(List<String> before, Path qemu, List<String> more, Consumer<String> console)
            throws InterruptedIOException {
        List<String> command = new ArrayList<>(before);
        command.add(qemu.toString());
        command.addAll(ALWAYS);
        command.addAll(more);
        if (asked(qemu, "-run-with", "help").contains(WITH_PARENT)) {
            command.addAll(List.of("-run-with", WITH_PARENT + "=on"));
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        builder.environment().put("TMPDIR", folder.toString());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw cannotRun(qemu, e);
        }
        daemon("console", () -> listen(process.getInputStream(), console));
        daemon("errors", () -> listen(process.getErrorStream(), line -> complaint = line));
    }

    void daemon(String job, Runnable work) {
        startDaemon(name + "-" + job, work);
    }

    private static void startDaemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Reads lines to the end, so that QEMU never waits. */
    private static void listen(InputStream stream, Consumer<String> told) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                boolean end = next == '\n' || next == '\r';
                if (!end && line.length() < LONGEST_LINE) {
                    line.append((char) next);
                }
                boolean prompt = next == ' ' && line.length() >= PROMPT.length()
                        && line.substring(line.length() - PROMPT.length()).equals(PROMPT);
                if ((end || prompt) && !line.isEmpty()) {
                    told.accept(line.toString());
                    line.setLength(0);
                }
            }
        } catch (IOException e) {
            // the process has ended
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void waitFor(long seconds) throws InterruptedException {
        process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /** What it has complained of last, or an empty text. */
    String complaint() {
        return complaint;
    }

    void kill() {
        if (process != null) {
            kill(process);
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        remove(folder);
    }

    /** Removes a temporary folder, if there is one. */
    static void remove(Path folder) {
        if (folder == null) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // a temporary folder that the system will clear
        }
    }
}
