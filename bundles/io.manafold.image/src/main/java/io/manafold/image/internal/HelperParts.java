package io.manafold.image.internal;

import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a helper machine is made of: named by a user, prepared for the tests with guests, or installed.
 *
 * @param busybox one that needs no library
 * @param lvm what knows volumes of LVM, or {@code null}: few disks have them
 */
record HelperParts(Path qemu, Path kernel, KernelModules modules, Path busybox, Path lvm) {
    private static final String INSTALL = "install the Debian packages qemu-system-x86, linux-image-cloud-amd64 and "
            + "busybox-static, or run 'itests/guests/prepare' where Manafold's sources are";
    private static final String CACHE = "MANA_GUEST_CACHE";

    static HelperParts of(HelperMachine named) throws IOException {
        Path cache = System.getenv(CACHE) != null ? Path.of(System.getenv(CACHE))
                : Path.of(System.getProperty("user.home"), ".cache", "mana-guest");
        List<Path> kernels = new ArrayList<>(List.of(cache.resolve("linux-7.2-generic/kernel/vmlinuz"),
                cache.resolve("linux-7.2/kernel/vmlinuz"), cache.resolve("kernel/vmlinuz")));
        kernels.addAll(installed());
        Path qemu = part("QEMU", "--qemu FILE", named.qemu(), List.of(cache.resolve("bin/qemu"),
                Path.of("/usr/bin/qemu-system-x86_64")), Files::isExecutable);
        Path kernel = part("kernel with its modules", "--kernel FILE", named.kernel(), kernels, HelperParts::isKernel);
        Path busybox = part("busybox that needs no library", "", null, List.of(cache.resolve("tools/usr/bin/busybox"),
                Path.of("/usr/bin/busybox"), Path.of("/bin/busybox")), HelperParts::isStatic);
        Path lvm = Stream.of(cache.resolve("disks/usr/sbin/lvm"), Path.of("/usr/sbin/lvm"), Path.of("/sbin/lvm"))
                .filter(Files::isReadable).findFirst().orElse(null);
        return new HelperParts(qemu, kernel, KernelModules.of(kernel).orElseThrow(), busybox, lvm);
    }

    @FunctionalInterface
    private interface Test {
        boolean of(Path file) throws IOException;
    }

    private static Path part(String what, String option, Path named, List<Path> places, Test test) throws IOException {
        for (Path file : named == null ? places : List.of(named)) {
            if (Files.isRegularFile(file) && Files.isReadable(file) && test.of(file)) {
                return file.toAbsolutePath();
            }
        }
        if (named != null) {
            throw new Refusal(Errno.ENOENT, "'" + named + "', named with " + option.split(" ")[0] + ", is no " + what
                    + " that can be used.");
        }
        throw new Refusal(Errno.ENOENT, "A disk is read by a kernel in a helper machine, and there is no " + what
                + ": " + INSTALL + (option.isEmpty() ? "" : ", or name one with " + option) + ".");
    }

    private static List<Path> installed() throws IOException {
        if (!Files.isDirectory(Path.of("/boot"))) {
            return List.of();
        }
        try (var files = Files.newDirectoryStream(Path.of("/boot"), "vmlinuz-*")) {
            List<Path> kernels = new ArrayList<>();
            files.forEach(kernels::add);
            return kernels.stream().sorted().toList().reversed();
        }
    }

    private static boolean isKernel(Path file) throws IOException {
        Optional<KernelModules> modules = KernelModules.of(file);
        return modules.isPresent();
    }

    /** Whether it is a program for x86-64 that no loader has to load. */
    private static boolean isStatic(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(4096)).order(ByteOrder.LITTLE_ENDIAN);
            if (head.limit() < 64 || head.getInt(0) != 0x464c457f || head.getShort(18) != 62) {
                return false;
            }
            int first = (int) head.getLong(32);
            int size = head.getShort(54);
            for (int i = 0; i < head.getShort(56); i++) {
                int at = first + i * size;
                if (at < 0 || at + 4 > head.limit() || head.getInt(at) == 3) {
                    return false;
                }
            }
            return true;
        }
    }
}
