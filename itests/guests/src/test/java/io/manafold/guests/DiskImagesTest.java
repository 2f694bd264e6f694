package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Disks made by Debian's tools without root: read in a helper machine, each is judged as the folder that it was made
 * from. What is in them are the modules of the guests' kernel, and rules as distributions have them.
 */
@Tag("guest")
@EnabledIfSystemProperty(named = "guests.long", matches = "true",
        disabledReason = "a machine without KVM reads a disk for minutes")
class DiskImagesTest {
    @TempDir
    static Path folder;
    private static Path root;
    private static Path plain;
    private static Map<String, String> expected;

    @BeforeAll
    static void make() throws Exception {
        root = LinuxTree.make(folder.resolve("root"), Map.of());
        plain = DiskFiles.ext4(folder.resolve("plain.raw"), root);
        expected = JudgedImage.of(root);
        assertThat(expected.toString()).contains("function alone", "yes", "has mana", "20 (mana)");
    }

    @ParameterizedTest
    @CsvSource({"raw, disk.raw", "qcow2, disk.qcow2", "vpc, disk.vhd", "vhdx, disk.vhdx", "vmdk, disk.vmdk"})
    void eachFormatIsJudgedAsTheFolder(String format, String name) throws IOException {
        Path disk = folder.resolve(name);
        DiskFiles.run("qemu-img", "convert", "-f", "raw", "-O", format, plain.toString(), disk.toString());
        assertThat(JudgedImage.of(disk)).isEqualTo(expected);
    }

    /** The disks of clouds: fixed vhd, whose footer stands at the end. */
    @Test
    void aDiskWithPartitionsIsJudgedAsTheFolder() throws IOException {
        Path top = LinuxTree.make(folder.resolve("split"), Map.of("etc/fstab",
                "/dev/sda2 / ext4 defaults 0 1\n/dev/sda1 /boot ext4 defaults 0 2\n"));
        Map<String, String> whole = JudgedImage.of(top);
        Path boot = folder.resolve("boot");
        Files.move(top.resolve("boot"), boot);
        Files.createDirectory(top.resolve("boot"));
        Path disk = DiskFiles.partitioned(folder.resolve("split.raw"),
                DiskFiles.ext4(folder.resolve("boot.raw"), boot), DiskFiles.ext4(folder.resolve("root.raw"), top));
        Path fixed = folder.resolve("split.vhd");
        DiskFiles.run("qemu-img", "convert", "-f", "raw", "-O", "vpc", "-o", "subformat=fixed,force_size",
                disk.toString(), fixed.toString());
        assertThat(JudgedImage.of(fixed)).isEqualTo(whole);
    }

    /** A bad image: what keeps it from working is found on its disk, too. */
    @Test
    void aDiskThatIsNotFitIsFound() throws IOException {
        Path top = LinuxTree.make(folder.resolve("bad"), Map.of("etc/modprobe.d/off.conf", "blacklist mana\n"));
        Path disk = DiskFiles.ext4(folder.resolve("bad.raw"), top);
        assertThat(JudgedImage.of(disk)).isEqualTo(JudgedImage.of(top)).isNotEqualTo(expected);
    }

    /** A disk that says it stands on another file is refused, and the other file is not opened. */
    @Test
    void aDiskThatNamesAnotherFileIsRefused() throws IOException {
        Path disk = folder.resolve("overlay.qcow2");
        DiskFiles.run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", plain.toString(), disk.toString());
        JudgedImage.isRefused(disk, "has a backing file");
        Path raw = folder.resolve("raw-that-says-qcow2.raw");
        Files.copy(disk, raw);
        JudgedImage.isRefused(raw, "has a backing file");
    }
}
