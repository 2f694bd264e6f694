package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks as installers make them: xfs and btrfs on volumes of LVM, ext4 beside them; and such as cannot be read. */
@Tag("guest")
class VolumesTest {
    private static final String UUID = "11111111-2222-3333-4444-555555555555";

    @TempDir
    private Path folder;

    @BeforeAll
    static void lookForTools() {
        assumeTrue(Files.exists(Path.of("/usr/sbin/mkfs.xfs")) && Files.exists(Path.of("/usr/sbin/mkfs.btrfs")),
                "the Debian packages xfsprogs and btrfs-progs make the file systems of these disks");
    }

    /** The root on a volume with xfs, /usr in a folder of a btrfs on another one, /boot by its UUID on ext4. */
    @Test
    void volumesWithXfsAndBtrfsAreJudgedAsTheFolder() throws Exception {
        Path top = LinuxTree.make(folder.resolve("root"), Map.of("etc/fstab", "/dev/mapper/vg-root / xfs defaults 0 0\n"
                + "/dev/mapper/vg-usr /usr btrfs subvol=@usr 0 0\nUUID=" + UUID + " /boot ext4 defaults 0 2\n"));
        Map<String, String> whole = JudgedImage.of(top);
        assertThat(whole.toString()).contains("function alone", "has mana", "20 (mana)");
        Path boot = Files.move(top.resolve("boot"), folder.resolve("boot"));
        Path usr = Files.createDirectory(folder.resolve("usr"));
        Files.move(top.resolve("usr"), usr.resolve("@usr"));
        Files.createDirectory(top.resolve("boot"));
        Files.createDirectory(top.resolve("usr"));
        Map<String, Path> volumes = new LinkedHashMap<>();
        volumes.put("root", DiskFiles.xfs(folder.resolve("root.raw"), top));
        volumes.put("usr", DiskFiles.btrfs(folder.resolve("usr.raw"), usr));
        Path disk = DiskFiles.partitioned(folder.resolve("disk.raw"),
                DiskFiles.ext4(folder.resolve("boot.raw"), boot, "-U", UUID),
                VolumeGroup.make(folder.resolve("group.raw"), "vg", volumes));
        assertThat(JudgedImage.of(disk)).isEqualTo(whole);
    }

    @Test
    void whatCannotBeReadIsNamed() throws Exception {
        Path empty = DiskFiles.ext4(folder.resolve("empty.raw"), Files.createDirectory(folder.resolve("empty")));
        Path disk = DiskFiles.partitioned(folder.resolve("disk.raw"), empty,
                marked("luks.raw", 0, "LUKS\u00ba\u00be\0\2"), marked("swap.raw", 4086, "SWAPSPACE2"),
                marked("raid.raw", 4096, "\u00fc\u004e\u002b\u00a9"),
                marked("f2fs.raw", 1024, "\u0010\u0020\u00f5\u00f2"),
                marked("worn.raw", 0, "XFSB"));
        JudgedImage.isRefused(disk, "no root of a Linux was found", "read were: vda1;", "vda2 (LUKS, encrypted)",
                "vda3 (swap)", "vda4 (a member of a RAID of md)", "vda5 (f2fs)", "vda6 (xfs, damaged",
                "open and mount where you trust it, and name the folder instead");
    }

    private Path marked(String name, int position, String mark) throws Exception {
        Path file = folder.resolve(name);
        try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
            disk.setLength(1 << 20);
            disk.seek(position);
            disk.write(mark.getBytes(StandardCharsets.ISO_8859_1));
        }
        return file;
    }
}
