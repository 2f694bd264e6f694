package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.ExportStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A virtual machine that boots an image on a function that is lent to it. What it writes to its disk goes to a file
 * without a name that ends with it; more than so much of that ends it.
 */
final class BootMachine implements BootedSystem, AutoCloseable {
    private static final int MEBIBYTES = 1024;
    /** In blocks of 512 bytes, as shells count. */
    private static final long MOST_WRITTEN = 8L << 30 >> 9;
    private static final int MOST_LINES = 400;
    /** Colours, titles and whatever else is meant for a terminal; then what is left of control characters. */
    private static final Pattern FOR_TERMINALS = Pattern.compile("\u001b\\[[0-?]*[ -/]*[@-~]"
            + "|\u001b[\\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?|\u001b[ -/]*[0-~]|\\p{Cntrl}");
    private static final String DEVICE = "vfio-user-pci";

    private final QemuProcess process;
    private final ExportStatus export;
    private final Deque<String> console = new ArrayDeque<>();
    private boolean prompted;

    /** Makes it ready to start. */
    BootMachine(ExportStatus export) throws IOException {
        this.export = export;
        process = new QemuProcess("manafold-boot");
    }

    /** @throws Refusal {@code ENOENT} if this QEMU cannot have functions of ours */
    static void check(Path qemu) throws IOException {
        if (!QemuProcess.asked(qemu, "-device", DEVICE + ",help").contains("socket=")) {
            throw new Refusal(Errno.ENOENT, "'" + qemu + "' has no " + DEVICE + ", by which a machine has an adapter "
                    + "of this platform; QEMU 11.1 or later has it. Install the Debian package qemu-system-x86 of "
                    + "trixie-backports or later, run 'itests/guests/prepare' where Manafold's sources are, or name "
                    + "one with --qemu FILE.");
        }
    }

    /** Starts it, from the thread that watches it. */
    void start(Path qemu, Path disk, DiskFormat format, BootFiles files) throws IOException {
        Files.write(process.file("seed"), SeedVolume.make());
        List<String> words = new ArrayList<>(export.qemuArguments(MEBIBYTES));
        words.addAll(List.of("-smp", "2", "-kernel", files.kernel().toString(), "-append", files.line(), "-drive",
                "if=none,id=disk,snapshot=on,file=json:" + blocks(disk.toRealPath(), format).replace(",", ",,"),
                "-device", "virtio-blk-pci,drive=disk", "-drive", "if=none,id=seed,format=raw,readonly=on,file="
                + QemuProcess.value(process.file("seed")), "-device", "virtio-blk-pci,drive=seed"));
        if (files.hasInitial()) {
            words.addAll(List.of("-initrd", files.initial().toString()));
        }
        process.start(List.of("/bin/sh", "-c", "ulimit -f " + MOST_WRITTEN + " && exec \"$@\"", "sh"), qemu, words,
                this::said);
    }

    private static String blocks(Path disk, DiskFormat format) {
        return HelperProcess.blocks(format).add("file", HelperProcess.file(disk)).build().toString();
    }

    /** What a line says to a reader. */
    static String plain(String line) {
        return FOR_TERMINALS.matcher(line).replaceAll("").strip();
    }

    private synchronized void said(String line) {
        String plain = plain(line);
        if (!plain.isEmpty()) {
            prompted |= plain.endsWith("login:");
            console.add(plain);
            if (console.size() > MOST_LINES) {
                console.removeFirst();
            }
        }
    }

    @Override
    public synchronized List<String> console(int most) {
        List<String> all = new ArrayList<>(console);
        return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
    }

    @Override
    public synchronized boolean isUp() {
        return prompted;
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public String complaint() {
        return process.complaint();
    }

    @Override
    public void close() {
        process.close();
    }
}
