package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** QEMU with one disk, which it may read and not write, and a port from which files come; closing it ends it. */
final class HelperProcess implements AutoCloseable {
    private static final int MOST_LINES = 500;
    private static final String SAYS = "manafold: ";

    private final QemuProcess qemu;
    private final Deadline deadline;
    private final Consumer<String> progress;
    private ServerSocketChannel server;
    private SocketChannel port;
    private int lines;
    private volatile String lastWords = "";

    HelperProcess(Deadline deadline, Consumer<String> progress) throws IOException {
        this.deadline = deadline;
        this.progress = progress;
        qemu = new QemuProcess("manafold-disk");
    }

    /** Starts it, and answers its port; at the end of the time that ends. */
    SocketChannel start(HelperParts parts, Path disk, DiskFormat format) throws IOException {
        HelperFiles.write(parts, qemu.file("initramfs"));
        server = qemu.socket("files");
        qemu.start(List.of(), parts.qemu(), arguments(parts, disk.toRealPath(), format), this::said);
        qemu.daemon("time", this::watch);
        try {
            port = server.accept();
        } catch (ClosedChannelException e) {
            throw ended();
        }
        return port;
    }

    /** The disk, which is opened by nothing that stands in it. */
    static JsonObjectBuilder blocks(DiskFormat format) {
        JsonObjectBuilder blocks = Json.createObjectBuilder().add("driver", format.driver).add("read-only", true);
        if (format == DiskFormat.QCOW2 || format == DiskFormat.VMDK) {
            blocks.addNull("backing");
        }
        return blocks;
    }

    static JsonObjectBuilder file(Path disk) {
        return Json.createObjectBuilder().add("driver", "file").add("filename", disk.toString())
                .add("read-only", true);
    }

    private List<String> arguments(HelperParts parts, Path disk, DiskFormat format) {
        return List.of("-machine", "q35", "-smp", "1", "-m", "512M", "-kernel", parts.kernel().toString(), "-initrd",
                qemu.file("initramfs").toString(), "-append",
                "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off no_timer_check", "-blockdev",
                file(disk).add("node-name", "file").build().toString(), "-blockdev",
                blocks(format).add("node-name", "disk").add("file", "file").build().toString(), "-device",
                "virtio-blk-pci,drive=disk", "-device", "virtio-serial-pci", "-chardev",
                "socket,id=files,path=" + QemuProcess.value(qemu.file("files")), "-device",
                "virtserialport,chardev=files,name=files");
    }

    /** Of very many lines, the first are told. */
    private void said(String line) {
        int at = line.indexOf(SAYS);
        if (at >= 0 && lines++ < MOST_LINES) {
            lastWords = line.substring(at + SAYS.length());
            progress.accept(lastWords);
        }
    }

    /** Ends QEMU when the time is over, and the wait for its port when it has ended before. */
    private void watch() {
        try {
            while (qemu.isAlive() && !deadline.isOver()) {
                qemu.waitFor(1);
            }
            qemu.kill();
            server.close();
        } catch (InterruptedException | IOException e) {
            qemu.kill();
        }
    }

    /** Why there is nothing more. */
    Refusal ended() throws IOException {
        deadline.check();
        String words = !lastWords.isEmpty() ? lastWords : !qemu.complaint().isEmpty() ? qemu.complaint()
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
        qemu.close();
    }
}
