package io.manafold.guests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The root of a Linux that is fit for the function: modules of the guests' kernel, and rules as distributions have. */
final class LinuxTree {
    private static final List<String> MODULES = List.of("net/ethernet/microsoft/mana/mana.ko",
            "infiniband/hw/mana/mana_ib.ko", "net/hyperv/hv_netvsc.ko");

    private LinuxTree() {
    }

    /** @param more files that it has beside, or instead */
    static Path make(Path top, Map<String, String> more) throws IOException {
        Path release;
        Path modules = Kit.kernel().resolveSibling("usr/lib/modules");
        try (Stream<Path> releases = Files.list(modules)) {
            release = releases.findFirst().orElseThrow().getFileName();
        }
        Map<String, String> files = new TreeMap<>(more);
        files.putIfAbsent("etc/os-release", "ID=debian\n");
        files.putIfAbsent("etc/fstab", "UUID=none / ext4 defaults 0 1\n");
        files.putIfAbsent("etc/udev/rules.d/10-azure.rules", "SUBSYSTEM==\"net\", DRIVERS==\"mana|mlx5_core\", "
                + "ATTR{flags}==\"0x?[89ABCDEF]??\", ENV{NM_UNMANAGED}=\"1\"\n");
        files.putIfAbsent("boot/config-" + release, "CONFIG_MICROSOFT_MANA=m\nCONFIG_MANA_INFINIBAND=m\n"
                + "CONFIG_HYPERV_NET=m\n");
        files.putIfAbsent("home/a name/that is not asked for", "x");
        files.putIfAbsent("usr/lib/systemd/system/NetworkManager.service", "");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = top.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        Path drivers = top.resolve("usr/lib/modules").resolve(release).resolve("kernel/drivers");
        for (String module : MODULES) {
            Path from = Stream.of("", ".xz").map(end -> modules.resolve(release).resolve("kernel/drivers/" + module
                    + end)).filter(Files::exists).findFirst().orElseThrow();
            Path to = drivers.resolve(module).resolveSibling(from.getFileName());
            Files.createDirectories(to.getParent());
            Files.copy(from, to);
        }
        Files.createSymbolicLink(top.resolve("lib"), Path.of("usr/lib"));
        Path initial = top.resolve("boot/initrd.img-" + release);
        DiskFiles.run("sh", "-c", "cd \"$1\" && find usr/lib/modules | cpio -o -H newc --quiet | gzip > \"$2\"", "sh",
                top.toString(), initial.toString());
        return top;
    }
}
