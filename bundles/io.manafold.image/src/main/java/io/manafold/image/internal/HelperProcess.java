package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * QEMU with one disk, which it may read and not write, and a port from which files come. It may open no network, start
 * no program and raise no privileges; closing it ends it.
 */
final class HelperProcess implements AutoCloseable {
    private static final int LONGEST_LINE = 400;
    private static final int MOST_LINES = 500;
    private static final String SAYS = "manafold: ";

    private final Path folder;
    private final Deadline deadline;
    private final Consumer<String> progress;
    private ServerSocketChannel server;
    private SocketChannel port;
    private Process process;
    private volatile String lastWords = "";
    private volatile String complaint = "";

    HelperProcess(Deadline deadline, Consumer<String> progress) throws IOException {
        this.deadline = deadline;
        this.progress = progress;
        folder = Files.createTempDirectory("manafold-disk");
    }

    /** Starts it, and answers what comes from its port; at the end of the time the stream ends. */
    InputStream start(HelperParts parts, Path disk, DiskFormat format) throws IOException {
        Path files = folder.resolve("files");
        HelperFiles.write(parts, folder.resolve("initramfs"));
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(files));
        ProcessBuilder builder = new ProcessBuilder(arguments(parts, disk.toRealPath(), format));
        builder.environment().keySet().retainAll(Set.of("PATH"));
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "'" + parts.qemu() + "' cannot be run as QEMU.", e);
        }
        daemon("manafold-disk-console", () -> listen(process.getInputStream(), this::said));
        daemon("manafold-disk-errors", () -> listen(process.getErrorStream(), line -> complaint = line));
        daemon("manafold-disk-time", this::watch);
        try {
            port = server.accept();
        } catch (ClosedChannelException e) {
            throw ended();
        }
        return Channels.newInputStream(port);
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private List<String> arguments(HelperParts parts, Path disk, DiskFormat format) {
        JsonObjectBuilder file = Json.createObjectBuilder().add("driver", "file").add("node-name", "file")
                .add("filename", disk.toString()).add("read-only", true);
        JsonObjectBuilder blocks = Json.createObjectBuilder().add("driver", format.driver).add("node-name", "disk")
                .add("file", "file").add("read-only", true);
        if (format == DiskFormat.QCOW2 || format == DiskFormat.VMDK) {
            blocks.addNull("backing");
        }
        String port = folder.resolve("files").toString().replace(",", ",,");
        return List.of(parts.qemu().toString(), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
                "-monitor", "none", "-nic", "none", "-sandbox",
                "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny", "-machine", "q35", "-accel",
                "tcg", "-cpu", "max", "-smp", "1", "-m", "512M", "-kernel", parts.kernel().toString(), "-initrd",
                folder.resolve("initramfs").toString(), "-append",
                "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off no_timer_check", "-blockdev",
                file.build().toString(), "-blockdev", blocks.build().toString(), "-device",
                "virtio-blk-pci,drive=disk", "-device", "virtio-serial-pci", "-chardev",
                "socket,id=files,path=" + port, "-device", "virtserialport,chardev=files,name=files", "-chardev",
                "stdio,id=console,signal=off", "-serial", "chardev:console");
    }

    private void said(String line) {
        int at = line.indexOf(SAYS);
        if (at >= 0) {
            lastWords = line.substring(at + SAYS.length());
            progress.accept(lastWords);
        }
    }

    /** Reads lines to the end, so that QEMU never waits; of very many, the first are told. */
    private static void listen(InputStream stream, Consumer<String> told) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            int lines = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next != '\n' && next != '\r') {
                    if (line.length() < LONGEST_LINE) {
                        line.append((char) next);
                    }
                } else if (!line.isEmpty()) {
                    if (lines++ < MOST_LINES) {
                        told.accept(line.toString());
                    }
                    line.setLength(0);
                }
            }
        } catch (IOException e) {
            // the process has ended
        }
    }

    /** Ends QEMU when the time is over, and the wait for its port when it has ended before. */
    private void watch() {
        try {
            while (process.isAlive() && !deadline.isOver()) {
                process.waitFor(1, TimeUnit.SECONDS);
            }
            kill();
            server.close();
        } catch (InterruptedException | IOException e) {
            kill();
        }
    }

    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Why there is nothing more. */
    Refusal ended() throws IOException {
        deadline.check();
        String words = !lastWords.isEmpty() ? lastWords : !complaint.isEmpty() ? complaint
                : "it has said nothing; does its kernel start?";
        return new Refusal(lastWords.startsWith("cannot") ? Errno.ENOENT : Errno.EIO,
                "The helper machine has ended before it had sent the files. Its last words: " + words + ".");
    }

    @Override
    public void close() {
        try {
            if (port != null) {
                port.close();
            }
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            // nothing more is read
        }
        if (process != null) {
            kill();
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
