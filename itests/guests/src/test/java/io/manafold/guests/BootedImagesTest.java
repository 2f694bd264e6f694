package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Debians as their own tools make them, booted on an adapter: what their files say of the function is what is seen, be
 * it yes or no, and what their drivers cannot do is not held against them.
 */
@Tag("guest")
@EnabledIfSystemProperty(named = "guests.long", matches = "true",
        disabledReason = "an image is made for minutes, and boots for minutes without KVM")
@EnabledIf(value = "isAble", disabledReason = "mmdebstrap is not installed, or not by root")
class BootedImagesTest {
    private static final String KERNEL = "linux-image-cloud-amd64";
    private static final String PACKAGES = "systemd-sysv,udev,initramfs-tools,dbus";

    private Path folder;
    private Path root;

    static boolean isAble() {
        return Files.isExecutable(Path.of("/usr/bin/mmdebstrap")) && "root".equals(System.getProperty("user.name"));
    }

    @BeforeEach
    void prepare() throws IOException {
        folder = Files.createTempDirectory("booted");
        root = folder.resolve("root");
    }

    /** No link is followed: what is deleted is ours. */
    @AfterEach
    void remove() throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path empty, IOException failed) throws IOException {
                Files.delete(empty);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** @param kernels the suite that the kernel is of, which may be another one */
    private void make(String suite, String kernels) throws IOException {
        String mirror = said("sh", "-c", "MANA_GUEST_CACHE=\"$2\"; cd \"$1\" && . ./lib.sh && debian_mirror", "sh",
                Kit.FOLDER.toString(), Kit.cache().toString()).strip();
        List<String> words = new ArrayList<>(List.of("mmdebstrap", "--quiet", "--variant=minbase", "--mode=root",
                "--include=" + PACKAGES + "," + KERNEL + "/" + kernels, suite, root.toString()));
        for (String one : suite.equals(kernels) ? List.of(suite) : List.of(suite, kernels)) {
            words.add("deb " + mirror + " " + one + " main");
        }
        said(words.toArray(String[]::new));
        Files.writeString(root.resolve("etc/fstab"), "/dev/sda / ext4 defaults 0 1\n");
        Files.writeString(root.resolve("etc/systemd/network/50-ether.network"),
                "[Match]\nDriver=mana\n\n[Network]\nDHCP=yes\n");
        said("chroot", root.toString(), "systemctl", "enable", "systemd-networkd");
    }

    private static String said(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return said;
    }

    /** A file system without partitions, as a disk in some format. */
    private Path disk(String format, String name) throws IOException {
        Path raw = folder.resolve("disk.raw");
        said("/usr/sbin/mke2fs", "-q", "-t", "ext4", "-d", root.toString(), raw.toString(), "1G");
        Path disk = folder.resolve(name);
        said("qemu-img", "convert", "-f", "raw", "-O", format, raw.toString(), disk.toString());
        Files.delete(raw);
        return disk;
    }

    /** What the program says of a boot; an image with which something is wrong ends with 1, too. */
    private JsonObject booted(Path disk) throws IOException {
        String command = "doctor image " + disk + " --boot --json";
        ProcessBuilder builder = new ProcessBuilder(Kit.TOP.resolve("manafold").toString(), "--data",
                folder.resolve("data").toString(), "-c", command);
        builder.environment().put("MANAFOLD_BUILD", "cache");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(command, 0, said).json().asJsonObject().getJsonObject("boot");
    }

    private static String verdict(JsonObject boot, String name) {
        return boot.getJsonArray("verdicts").getValuesAs(JsonObject.class).stream()
                .filter(one -> one.getString("name").equals(name))
                .map(one -> one.getString("files") + " " + one.getString("seen")).findFirst().orElseThrow();
    }

    private static JsonObject step(JsonObject boot, String name) {
        return boot.getJsonArray("steps").getValuesAs(JsonObject.class).stream()
                .filter(one -> one.getString("name").equals(name)).findFirst().orElseThrow();
    }

    private static String seen(JsonObject boot, String name) {
        return step(boot, name).getString("seen");
    }

    /**
     * Kernels that have known MANA for years, and do not reset it when they are asked to; and one that does.
     *
     * @param reset whether its driver does
     */
    @ParameterizedTest
    @CsvSource({"bookworm, bookworm, Linux 6.1., vpc, fit.vhd, not shown", "trixie, trixie, Linux 6.12, raw, fit.raw, "
            + "not shown", "trixie, trixie-backports, Linux, qcow2, fit.qcow2, yes"})
    void aDebianThatIsFitWorksAndComesBack(String suite, String kernels, String release, String format, String name,
            String reset) throws IOException {
        make(suite, kernels);
        Path disk = disk(format, name);
        String before = said("sha256sum", disk.toString());
        JsonObject boot = booted(disk);
        System.out.println(boot.getJsonArray("steps"));
        assertThat(verdict(boot, "function alone")).as("%s", boot).isEqualTo("yes yes");
        assertThat(verdict(boot, "function reset")).as("%s", boot).isEqualTo("not shown " + reset);
        assertThat(step(boot, "driver").getString("what")).contains(release, "cloud-amd64");
        assertThat(step(boot, "address").getString("what")).contains("192.0.2.100");
        assertThat(step(boot, "link").getString("what")).contains(reset.equals("yes") ? "is told of,"
                : "is not told of:");
        for (String one : List.of("driver", "port", "address", "ping", "link", "revocation")) {
            assertThat(seen(boot, one)).as("%s of %s", one, boot).isEqualTo("yes");
        }
        assertThat(boot.getJsonArray("console")).isNotEmpty();
        assertThat(said("sha256sum", disk.toString())).as("nothing of the disk is written").isEqualTo(before);
    }

    @Test
    void aDebianThatMayNotLoadItsDriverDoesNotWork() throws IOException {
        make("trixie", "trixie");
        Files.writeString(root.resolve("etc/modprobe.d/off.conf"), "blacklist mana\n");
        // the initial files have rules of their own, copied when they are made
        said("chroot", root.toString(), "update-initramfs", "-u", "-k", "all");
        JsonObject boot = booted(disk("raw", "unfit.raw"));
        assertThat(verdict(boot, "function alone")).as("%s", boot).isEqualTo("no no");
        assertThat(verdict(boot, "function reset")).as("%s", boot).isEqualTo("not shown not shown");
    }
}
