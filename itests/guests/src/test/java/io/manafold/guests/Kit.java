package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the things lie that guests are booted with; {@code itests/guests/prepare} puts them there. */
final class Kit {
    static final Path TOP = Path.of("..", "..").toAbsolutePath().normalize();
    static final Path FOLDER = Path.of("kit").toAbsolutePath();
    /** The full counts instead of the short form. */
    static final boolean LONG = Boolean.getBoolean("guests.long");

    private static final Path GUEST = Path.of("src", "test", "resources", "guest").toAbsolutePath();

    private Kit() {
    }

    static Path cache() {
        String set = System.getenv("MANA_GUEST_CACHE");
        return set != null ? Path.of(set) : Path.of(System.getProperty("user.home"), ".cache", "mana-guest");
    }

    /** The folder with the guests' kernel and its first file system; the variable names another one. */
    static Path linux() {
        String set = System.getenv("MANAFOLD_GUEST_LINUX");
        return set != null ? Path.of(set) : cache().resolve("linux-7.2");
    }

    static Path kernel() {
        return kernel(linux());
    }

    static Path initramfs() {
        return initramfs(linux());
    }

    /** The generic kernel of the same version: Soft-RoCE is not in the other one. */
    static Path kernelWithSoftRoce() {
        return kernel(generic());
    }

    static Path initramfsWithSoftRoce() {
        return initramfs(generic());
    }

    private static Path generic() {
        return linux().resolveSibling(linux().getFileName() + "-generic");
    }

    private static Path kernel(Path linux) {
        return there(linux.resolve("kernel").resolve("vmlinuz"));
    }

    private static Path initramfs(Path linux) {
        return there(linux.resolve("initramfs.cpio"));
    }

    /** The same with the programs of DPDK. */
    static Path initramfsWithDpdk() {
        return there(linux().resolve("initramfs-dpdk.cpio"));
    }

    /** A script of ours for the guest. */
    static Path script(String name) {
        return there(GUEST.resolve(name));
    }

    /** A program of ours for the guest, made from C; it needs nothing of what is in the guest. */
    static synchronized Path program(String name) {
        Path made = made(name);
        make("gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-static", "-o", made.toString(),
                script(name + ".c").toString());
        return made;
    }

    /** A library of ours that a program of the guest is made to load. */
    static synchronized Path library(String name) {
        Path made = made(name + ".so");
        make("gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", made.toString(),
                script(name + ".c").toString());
        return made;
    }

    /** A program of ours that loads the guest's own library of RDMA's verbs. */
    static synchronized Path verbsProgram(String name) {
        Path made = made(name);
        Path headers = there(cache().resolve("verbs/usr/include/infiniband/verbs.h")).getParent().getParent();
        Path library = there(cache().resolve("tools/usr/lib/x86_64-linux-gnu/libibverbs.so.1"));
        // the guest's C library may be newer than the one this machine links with
        make("gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-I" + headers, "-o", made.toString(),
                script(name + ".c").toString(), library.toString(), "-Wl,--allow-shlib-undefined");
        return made;
    }

    /** One of DPDK's examples, unchanged; it is made once, and loads the guest's own libraries. */
    static synchronized Path example(String name) {
        Path made = there(cache().resolve("dpdk").resolve("version")).resolveSibling(name);
        if (!Files.exists(made)) {
            make(cache(), FOLDER.resolve("make-example").toString(), name, made.toString());
        }
        return made;
    }

    /** A module of ours for the guest's kernel, made from C. */
    static synchronized Path module(String name) {
        Path made = made(name + ".ko");
        make(FOLDER.resolve("make-module").toString(), script(name + ".c").toString(), made.toString());
        return made;
    }

    /** A Java runtime for the guest, made once; {@code java} of lib.sh starts it. */
    static synchronized Path runtime() {
        Path made = made("runtime");
        if (!Files.exists(made)) {
            make(cache(), FOLDER.resolve("make-runtime").toString(), made.toString());
        }
        return made;
    }

    /** The whole product as it is built: one JAR. */
    static Path product() {
        return there(TOP.resolve("bndrun").resolve("target").resolve("manafold.jar"));
    }

    private static Path made(String name) {
        try {
            return Files.createDirectories(Path.of("target", "guests").toAbsolutePath()).resolve(name);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void make(String... command) {
        make(linux(), command);
    }

    private static void make(Path cache, String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("MANA_GUEST_CACHE", cache.toString());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("status of %s, which said:%n%s", String.join(" ", command), said).isZero();
        } catch (IOException missing) {
            throw new UncheckedIOException("itests/guests/check has what is needed installed", missing);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** How often: in the short form, in the long one. */
    static int times(int shortForm, int longForm) {
        return LONG ? longForm : shortForm;
    }

    private static Path there(Path file) {
        assertThat(Files.isReadable(file)).as("%s can be read (itests/guests/prepare makes it)", file).isTrue();
        return file;
    }
}
