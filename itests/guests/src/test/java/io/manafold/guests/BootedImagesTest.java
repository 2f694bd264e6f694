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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A Debian as its own tools make it, booted on an adapter: what its files say of the function is what is seen, be it
 * yes or no.
 */
@Tag("guest")
@EnabledIfSystemProperty(named = "guests.long", matches = "true",
        disabledReason = "an image is made for minutes, and boots for minutes without KVM")
@EnabledIf(value = "isAble", disabledReason = "mmdebstrap is not installed, or not by root")
class BootedImagesTest {
    private static final String PACKAGES = "linux-image-cloud-amd64,systemd-sysv,udev,initramfs-tools,dbus";

    private static Path folder;
    private static Path root;

    static boolean isAble() {
        return Files.isExecutable(Path.of("/usr/bin/mmdebstrap")) && "root".equals(System.getProperty("user.name"));
    }

    @BeforeAll
    static void make() throws IOException {
        folder = Files.createTempDirectory("booted");
        root = folder.resolve("root");
        String mirror = said("sh", "-c", "MANA_GUEST_CACHE=\"$2\"; cd \"$1\" && . ./lib.sh && debian_mirror", "sh",
                Kit.FOLDER.toString(), Kit.cache().toString()).strip();
        said("mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", "--include=" + PACKAGES, "trixie",
                root.toString(), mirror);
        Files.writeString(root.resolve("etc/fstab"), "/dev/sda / ext4 defaults 0 1\n");
        Files.writeString(root.resolve("etc/systemd/network/50-ether.network"),
                "[Match]\nDriver=mana\n\n[Network]\nDHCP=yes\n");
        said("chroot", root.toString(), "systemctl", "enable", "systemd-networkd");
    }

    /** No link is followed: what is deleted is ours. */
    @AfterAll
    static void remove() throws IOException {
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

    private static Path disk(String name) throws IOException {
        Path disk = folder.resolve(name);
        said("/usr/sbin/mke2fs", "-q", "-t", "ext4", "-d", root.toString(), disk.toString(), "1G");
        return disk;
    }

    /** What the program says of a boot; an image with which something is wrong ends with 1, too. */
    private static JsonObject booted(Path disk) throws IOException {
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

    @Test
    void aDebianThatIsFitWorksAndComesBack() throws IOException {
        Path disk = disk("fit.raw");
        String before = said("sha256sum", disk.toString());
        JsonObject boot = booted(disk);
        assertThat(verdict(boot, "function alone")).as("%s", boot).isEqualTo("yes yes");
        // Debian's kernel of that suite may not know of resets
        assertThat(verdict(boot, "function reset")).as("%s", boot).isIn("not shown yes", "not shown not shown");
        assertThat(boot.getJsonArray("steps").toString()).contains("Linux 6.", "cloud-amd64", "192.0.2.100");
        assertThat(boot.getJsonArray("console")).isNotEmpty();
        assertThat(said("sha256sum", disk.toString())).as("nothing of the disk is written").isEqualTo(before);
    }

    @Test
    void aDebianThatMayNotLoadItsDriverDoesNotWork() throws IOException {
        Path off = root.resolve("etc/modprobe.d/off.conf");
        Files.writeString(off, "blacklist mana\n");
        try {
            // the initial files have rules of their own, copied when they are made
            said("chroot", root.toString(), "update-initramfs", "-u", "-k", "all");
            assertThat(verdict(booted(disk("unfit.raw")), "function alone")).isEqualTo("no no");
        } finally {
            Files.delete(off);
        }
    }
}
