package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A virtual machine with unmodified Linux in it. An agent inside carries out commands one at a time; {@link #close}
 * ends the machine whatever it does.
 */
final class Guest implements AutoCloseable {
    private static final Duration BOOT = Duration.ofSeconds(120);
    /** A kernel that boots says something every few seconds, however busy this machine is. */
    private static final Duration SILENCE = Duration.ofSeconds(40);
    private static final int BOOTS = 3;
    /** What a kernel says that runs into an instruction which it is patching: one processor is shown it half done. */
    private static final String PATCHED = "Oops: int3";
    /** What the agent says when it listens. */
    private static final String UP = "AGENT";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Path LOGS = Path.of("target", "guests").toAbsolutePath();

    private String name;
    private final Process process;
    private final Output console;
    private final Path folder;
    private SocketChannel port;
    private BufferedReader answers;

    private Guest(String name, Process process, Path folder) {
        this.name = name;
        this.process = process;
        this.console = new Output(process.getInputStream());
        this.folder = folder;
    }

    /** A machine to be. */
    static final class Plan {
        private final String name;
        private final List<Path> sockets = new ArrayList<>();
        private int cpus = 2;
        private int mebibytes = 512;
        private int limitSeconds = 600;
        private final List<Path> files = new ArrayList<>();
        private boolean relay;
        private Standby standby;
        private Path kernel = Kit.kernel();
        private Path initramfs = Kit.initramfs();

        private Plan(String name) {
            this.name = name;
        }

        /** A function behind this socket. */
        Plan on(Path socket) {
            sockets.add(socket);
            return this;
        }

        Plan cpus(int count) {
            cpus = count;
            return this;
        }

        Plan memory(int newMebibytes) {
            mebibytes = newMebibytes;
            return this;
        }

        /** A device of virtio and the function behind a socket, which Linux makes one of. */
        Plan with(Standby pair) {
            standby = pair;
            return this;
        }

        /** With the programs of DPDK. */
        Plan withDpdk() {
            initramfs = Kit.initramfsWithDpdk();
            return this;
        }

        /** On the generic kernel, which has Soft-RoCE. */
        Plan withSoftRoce() {
            kernel = Kit.kernelWithSoftRoce();
            initramfs = Kit.initramfsWithSoftRoce();
            return this;
        }

        /** Lays a file beside the scripts. */
        Plan with(Path file) {
            files.add(file);
            return this;
        }

        /** A client that connects to {@link Guest#netlink} speaks with its kernel. */
        Plan relay() {
            relay = true;
            return with(Kit.program("netlink-relay"));
        }

        Plan limit(int seconds) {
            limitSeconds = seconds;
            return this;
        }

        /**
         * Boots it and waits until its agent listens. No driver is at work before, so that a machine that stands still,
         * or meets a breakpoint of its kernel's own, is the emulator's affair: it is told, with what its console said
         * last, and the machine booted anew.
         */
        Guest boot() {
            Guest guest = machine();
            for (int boots = 1; boots < BOOTS && !guest.isUp() && guest.mayComeUp(); boots++) {
                guest.name = name + "-given-up-" + boots;
                System.err.println("guest " + name + " does not come up, and is booted anew; it said last:\n"
                        + guest.console.end());
                guest.close();
                guest = machine();
            }
            try {
                guest.console.await(UP, BOOT, guest.process::isAlive);
                guest.connect();
                if (relay) {
                    guest.relay("0");
                }
                return guest;
            } catch (IOException impossible) {
                guest.close();
                throw new UncheckedIOException(impossible);
            } catch (RuntimeException | Error failed) {
                guest.close();
                throw failed;
            }
        }

        private Guest machine() {
            try {
                Path folder = Files.createTempDirectory("guest");
                return new Guest(name, start(folder), folder);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        private Process start(Path folder) throws IOException {
            List<String> command = new ArrayList<>(List.of(Kit.FOLDER.resolve("boot-guest").toString(), "-N", name,
                    "-k", kernel.toString(), "-i", initramfs.toString(), "-c", Integer.toString(cpus),
                    "-m", Integer.toString(mebibytes), "-t", Integer.toString(limitSeconds),
                    // no person drives these machines by hand: a kernel that hangs is to say so
                    "-a", "loglevel=7",
                    "-q", port(folder, "port") + (relay ? port(folder, "netlink") : "")
                    + (standby == null ? "" : standby.words())));
            for (Path socket : sockets) {
                command.addAll(List.of("-s", socket.toString()));
            }
            for (Path file : files) {
                command.addAll(List.of("-f", file.toString()));
            }
            for (String script : List.of("lib.sh", "flap.sh", "reload.sh", "spray.sh")) {
                command.addAll(List.of("-f", Kit.script(script).toString()));
            }
            command.add(Kit.script("agent.sh").toString());
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("MANA_GUEST_CACHE", Kit.cache().toString());
            builder.environment().put("TMPDIR", folder.toString());
            return builder.start();
        }
    }

    /** One more serial port of the machine, behind a socket of that name. */
    private static String port(Path folder, String name) {
        return " -chardev socket,id=" + name + ",path=" + folder.resolve(name)
                + ",server=on,wait=off -device isa-serial,chardev=" + name;
    }

    /** Boots them side by side, since each waits half of its time; where one does not come up, all end. */
    static List<Guest> boot(Plan... plans) {
        List<CompletableFuture<Guest>> booting = Stream.of(plans).map(plan -> CompletableFuture.supplyAsync(plan::boot,
                work -> Thread.ofPlatform().daemon().start(work))).toList();
        try {
            return booting.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException failed) {
            booting.forEach(one -> one.thenAccept(Guest::close).exceptionally(_ -> null).join());
            throw failed;
        }
    }

    static Plan named(String name) {
        return new Plan(name);
    }

    /** Waits until its agent listens; false if it does not. */
    private boolean isUp() {
        return console.comes(UP, BOOT, SILENCE, process::isAlive);
    }

    /** Whether a machine that is not up may be another time. */
    private boolean mayComeUp() {
        return alive() || console.soFar().contains(PATCHED);
    }

    private void connect() throws IOException {
        port = SocketChannel.open(StandardProtocolFamily.UNIX);
        port.connect(UnixDomainSocketAddress.of(folder.resolve("port")));
        answers = new BufferedReader(new InputStreamReader(Channels.newInputStream(port), StandardCharsets.UTF_8));
    }

    /** The socket behind which its kernel answers netlink, if it was booted with a relay. */
    Path netlink() {
        return folder.resolve("netlink");
    }

    /**
     * Clients that connect to {@link #netlink} ask as another user from now on, those already connected too.
     *
     * @param user a number, and {@code plain} for a socket without options
     */
    void relayAs(String user) {
        run("kill $(pidof netlink-relay) && until_true 100 ended netlink-relay").done();
        relay(user);
    }

    private void relay(String user) {
        run("(netlink-relay /dev/ttyS3 " + user + " </dev/null >/tmp/relay.log 2>&1 &) && until_true 100 grep -q 'at "
                + "work' /tmp/relay.log").done();
    }

    /** Has the guest's shell carry this out, with the functions of lib.sh at hand. */
    Answer run(String command) {
        return run(command, PATIENCE);
    }

    Answer run(String command, Duration limit) {
        CompletableFuture<Answer> answer = begin(command);
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception failed) {
            throw new AssertionError("guest " + name + " gave no answer to '" + command + "'; its console:\n"
                    + console.soFar(), failed);
        }
    }

    /** The same without waiting; the next command must wait for the answer. */
    CompletableFuture<Answer> begin(String command) {
        assertThat(command).doesNotContain("\n");
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                port.write(ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8)));
                answer.complete(readAnswer(command));
            } catch (IOException | RuntimeException gone) {
                answer.completeExceptionally(gone);
            }
        });
        return answer;
    }

    private Answer readAnswer(String command) throws IOException {
        StringBuilder output = new StringBuilder();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith("=")) {
                return new Answer(command, Integer.parseInt(line.substring(1).trim()), output.toString());
            }
            output.append(line.startsWith("|") ? line.substring(1) : line).append('\n');
        }
        throw new IOException("the machine ended");
    }

    /** What the kernel has complained about since the last {@code begin}: warnings and worse, and splats. */
    List<String> complaints() {
        return run("complaints").done().output().lines().toList();
    }

    /** Lets the guest end by itself, and gives back its status. */
    int leave(int status) {
        try {
            port.write(ByteBuffer.wrap(("leave " + status + "\n").getBytes(StandardCharsets.UTF_8)));
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("guest %s ends:%n%s", name, console.soFar()).isTrue();
            return process.exitValue();
        } catch (IOException gone) {
            throw new AssertionError(console.soFar(), gone);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Ends the machine as a power cut does. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the machine is gone").isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    String console() {
        return console.soFar();
    }

    boolean alive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        // its shell first, which would clear up behind the emulator while we do
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        try {
            if (port != null) {
                port.close();
            }
            Files.createDirectories(LOGS);
            Files.writeString(LOGS.resolve(name + ".log"), console.all());
            try (var files = Files.walk(folder)) {
                files.sorted((one, other) -> other.compareTo(one)).forEach(file -> file.toFile().delete());
            }
        } catch (IOException | InterruptedException ending) {
            // what is left lies in a temporary folder
        }
    }
}
