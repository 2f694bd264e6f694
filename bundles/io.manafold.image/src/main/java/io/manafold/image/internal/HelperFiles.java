package io.manafold.image.internal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The files that the helper machine begins with, and has no others: busybox, modules, and what is to be done. */
final class HelperFiles {
    private static final List<String> FOLDERS = List.of("bin", "dev", "proc", "sys", "run", "modules", "disk", "tmp",
            "lib", "lib64");
    private static final List<String> NEEDED = List.of("virtio_pci", "virtio_blk", "virtio_console");
    /** Some kernels ask for sums by their name only, and there is no modprobe to answer. */
    private static final List<String> USEFUL = List.of("crc32c_generic", "crc32c_cryptoapi", "libcrc32c",
            "xxhash_generic", "blake2b_generic", "sha256_generic", "ext4", "xfs", "btrfs", "dm_mod");

    private HelperFiles() {
    }

    /** Writes them. */
    static void write(HelperParts parts, Path file) throws IOException {
        try (CpioWriter out = new CpioWriter(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            for (String folder : FOLDERS) {
                out.folder(folder);
            }
            out.file("bin/busybox", Files.readAllBytes(parts.busybox()));
            out.file("init", script());
            out.file("names", text(PathFilter.names()));
            out.file("contents", text(PathFilter.contents()));
            out.file("folders", text(PathFilter.folders()));
            out.file("limits", text(List.of(String.valueOf(Limits.BINARY), String.valueOf(Limits.INITIAL_FILES),
                    String.valueOf(Limits.DISK_SECONDS))));
            if (parts.lvm() != null) {
                for (Map.Entry<String, byte[]> one : ProgramFiles.of(parts.lvm()).entrySet()) {
                    out.file(one.getKey(), one.getValue());
                }
            }
            List<Path> modules = parts.modules().files(NEEDED);
            int number = 100;
            for (Path module : modules) {
                out.file("modules/" + number++ + ".ko", unpacked(module));
            }
            for (Path module : parts.modules().files(USEFUL)) {
                if (!modules.contains(module)) {
                    out.file("modules/" + number++ + ".ko", unpacked(module));
                }
            }
        }
    }

    private static byte[] unpacked(Path module) throws IOException {
        return Packed.unpacked(Files.readAllBytes(module), Limits.BINARY);
    }

    private static byte[] script() throws IOException {
        try (InputStream in = HelperFiles.class.getResourceAsStream("disk-init.sh")) {
            return in.readAllBytes();
        }
    }

    private static byte[] text(List<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
