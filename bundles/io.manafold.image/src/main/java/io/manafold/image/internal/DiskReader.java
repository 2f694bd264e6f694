package io.manafold.image.internal;

import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads disks: a kernel in a helper machine mounts them and sends names and files. What it sends is taken as a
 * stranger's, since a disk may have harmed that kernel.
 */
final class DiskReader {
    private final HelperMachine named;
    private final Consumer<String> progress;

    DiskReader(HelperMachine named, Consumer<String> progress) {
        this.named = named;
        this.progress = progress;
    }

    /** What is asked of the helper machine once its names and files have come. */
    @FunctionalInterface
    interface Question {
        void ask(RawTree tree, InputStream in, OutputStream out, Deadline deadline) throws IOException;
    }

    RawTree read(Path disk, DiskFormat format) throws IOException {
        return read(disk, format, (_, _, _, _) -> { });
    }

    RawTree read(Path disk, DiskFormat format, Question question) throws IOException {
        HelperParts parts = HelperParts.of(named);
        Deadline deadline = new Deadline(Limits.DISK_SECONDS, "The disk was not read within " + Limits.DISK_SECONDS
                + " s; mount it where you trust it, and name the folder instead.");
        progress.accept("a helper machine with Linux " + parts.modules().release() + " reads the disk (" + format.driver
                + ")");
        try (HelperProcess machine = new HelperProcess(deadline, progress)) {
            SocketChannel channel = machine.start(parts, disk, format);
            BufferedInputStream port = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
            try {
                RawTree tree = tree(port, deadline);
                question.ask(tree, port, Channels.newOutputStream(channel), deadline);
                return tree;
            } catch (EOFException e) {
                throw machine.ended();
            }
        }
    }

    /** Names by their kinds up to a line with a dot, and an archive (newc: busybox takes lists for no other). */
    static RawTree tree(InputStream port, Deadline deadline) throws IOException {
        BoundedInput in = new BoundedInput(port, deadline);
        MemoryTree tree = new MemoryTree();
        for (String line = line(in); !line.equals("."); line = line(in)) {
            String path = line.isEmpty() ? null : MemoryTree.canonical(line.substring(1));
            if (path != null && !path.equals("/") && PathFilter.ROOT.name(path)) {
                switch (line.charAt(0)) {
                    case 'f' -> tree.file(path, null);
                    case 'd' -> tree.folder(path);
                    case 'o' -> tree.other(path);
                    default -> throw new IOException("the helper machine has sent a name of no kind");
                }
            }
        }
        BoundedInput archive = new BoundedInput(port, deadline);
        if (!new CpioReader(archive, new Entries(tree, archive, PathFilter.ROOT)).read()) {
            throw new EOFException("the archive is cut off");
        }
        return tree;
    }

    static String line(BoundedInput in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (byte next = in.bytes(1)[0]; next != '\n'; next = in.bytes(1)[0]) {
            if (line.size() > Limits.NAME) {
                throw new Refusal(Errno.EMSGSIZE, "The helper machine has sent a name of more than " + Limits.NAME
                        + " bytes.");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
