package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
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
    private static final int SECTOR = 512;
    private static final int FIRST = 2048;
    private static final List<String> MODULES = List.of("net/ethernet/microsoft/mana/mana.ko",
            "infiniband/hw/mana/mana_ib.ko", "net/hyperv/hv_netvsc.ko");

    @TempDir
    static Path folder;
    private static Path root;
    private static Path plain;
    private static Map<String, String> expected;

    @BeforeAll
    static void make() throws Exception {
        root = tree(folder.resolve("root"), Map.of());
        plain = fileSystem("plain.raw", root);
        expected = judged(root.toString());
        assertThat(expected.toString()).contains("function alone", "yes", "has mana", "20 (mana)");
    }

    /** The root of a Linux with the kernel of the guests. */
    private static Path tree(Path top, Map<String, String> more) throws IOException {
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
        files.putIfAbsent("usr/lib/NetworkManager/conf.d/none.conf", "");
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
        run("sh", "-c", "cd \"$1\" && find usr/lib/modules | cpio -o -H newc --quiet | gzip > \"$2\"", "sh",
                top.toString(), initial.toString());
        return top;
    }

    private static void run(String... command) throws IOException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static Path fileSystem(String name, Path from) throws IOException {
        Path file = folder.resolve(name);
        run("/usr/sbin/mke2fs", "-q", "-t", "ext4", "-d", from.toString(), file.toString(), "64M");
        return file;
    }

    /** Verdicts, kernels and states of checks; paths to the disk are left out. */
    private static Map<String, String> judged(String path) {
        JsonObject said = answered("doctor image " + path + " --json");
        Map<String, String> all = new TreeMap<>();
        all.put("verdicts", said.getJsonArray("verdicts").toString());
        all.put("kernels", said.getJsonArray("kernels").toString());
        said.getJsonArray("checks").getValuesAs(JsonObject.class).forEach(check -> all.put(check.getString("id"),
                check.getString("state") + " " + check.getString("summary") + " " + check.getJsonArray("evidence")));
        return all;
    }

    /** What the program says; an image in which a check fails ends with 1, too. */
    private static JsonObject answered(String command) {
        return new Answer(command, 0, said(command, ProcessBuilder.Redirect.INHERIT)).json().asJsonObject();
    }

    private static void isRefused(Path disk, String words) {
        assertThat(said("doctor image " + disk, null)).contains(words);
    }

    /** @param errors where they go, or {@code null} for the same place */
    private static String said(String command, ProcessBuilder.Redirect errors) {
        ProcessBuilder builder = new ProcessBuilder(Kit.TOP.resolve("manafold").toString(), "-c", command);
        builder.environment().put("MANAFOLD_BUILD", "cache");
        if (errors == null) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(errors);
        }
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @ParameterizedTest
    @CsvSource({"raw, disk.raw", "qcow2, disk.qcow2", "vpc, disk.vhd", "vhdx, disk.vhdx", "vmdk, disk.vmdk"})
    void eachFormatIsJudgedAsTheFolder(String format, String name) throws IOException {
        Path disk = folder.resolve(name);
        run("qemu-img", "convert", "-f", "raw", "-O", format, plain.toString(), disk.toString());
        assertThat(judged(disk.toString())).isEqualTo(expected);
    }

    /** The disks of clouds: fixed vhd, whose footer stands at the end. */
    @Test
    void aDiskWithPartitionsIsJudgedAsTheFolder() throws IOException {
        Path top = tree(folder.resolve("split"), Map.of("etc/fstab",
                "/dev/sda2 / ext4 defaults 0 1\n/dev/sda1 /boot ext4 defaults 0 2\n"));
        Map<String, String> whole = judged(top.toString());
        Path boot = folder.resolve("boot");
        Files.move(top.resolve("boot"), boot);
        Files.createDirectory(top.resolve("boot"));
        Path disk = partitioned("split.raw", fileSystem("boot.raw", boot), fileSystem("root.raw", top));
        Path fixed = folder.resolve("split.vhd");
        run("qemu-img", "convert", "-f", "raw", "-O", "vpc", "-o", "subformat=fixed,force_size", disk.toString(),
                fixed.toString());
        assertThat(judged(fixed.toString())).isEqualTo(whole);
    }

    /** Writes a GPT with these file systems one after the other. */
    private static Path partitioned(String name, Path... parts) throws IOException {
        Path file = folder.resolve(name);
        ByteBuffer entries = ByteBuffer.allocate(32 * SECTOR).order(ByteOrder.LITTLE_ENDIAN);
        long at = FIRST;
        try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
            for (int i = 0; i < parts.length; i++) {
                try (FileChannel part = FileChannel.open(parts[i], StandardOpenOption.READ)) {
                    long sectors = part.size() / SECTOR;
                    part.transferTo(0, part.size(), disk.getChannel().position(at * SECTOR));
                    entries.position(i * 128).putLong(0x477284830fc63dafL).putLong(0xe47d47d8693d798eL)
                            .putLong(i + 1).putLong(1).putLong(at).putLong(at + sectors - 1);
                    at += sectors;
                }
            }
            long last = at + FIRST - 1;
            disk.setLength((last + 1) * SECTOR);
            CRC32 sum = new CRC32();
            sum.update(entries.array());
            ByteBuffer header = ByteBuffer.allocate(SECTOR).order(ByteOrder.LITTLE_ENDIAN);
            header.put("EFI PART".getBytes(StandardCharsets.US_ASCII)).putInt(0x10000).putInt(92).putInt(0).putInt(0)
                    .putLong(1).putLong(last).putLong(34).putLong(last - 33).putLong(7).putLong(7).putLong(2)
                    .putInt(128).putInt(128).putInt((int) sum.getValue());
            CRC32 whole = new CRC32();
            whole.update(header.array(), 0, 92);
            header.putInt(16, (int) whole.getValue());
            ByteBuffer protective = ByteBuffer.allocate(SECTOR).order(ByteOrder.LITTLE_ENDIAN);
            protective.putInt(446, 0x00020000).putInt(450, 0xffffffee).putInt(454, 1)
                    .putInt(458, (int) last).putShort(510, (short) 0xaa55);
            disk.seek(0);
            disk.write(protective.array());
            disk.write(header.array());
            disk.write(entries.array());
        }
        return file;
    }

    /** A bad image: what keeps it from working is found on its disk, too. */
    @Test
    void aDiskThatIsNotFitIsFound() throws IOException {
        Path top = tree(folder.resolve("bad"), Map.of("etc/modprobe.d/off.conf", "blacklist mana\n"));
        Path disk = fileSystem("bad.raw", top);
        assertThat(judged(disk.toString())).isEqualTo(judged(top.toString())).isNotEqualTo(expected);
    }

    @Test
    void aDiskWithoutALinuxIsASentence() throws IOException {
        Path empty = fileSystem("empty.raw", Files.createDirectory(folder.resolve("empty")));
        isRefused(empty, "no root of a Linux was found");
    }

    /** A disk that says it stands on another file is refused, and the other file is not opened. */
    @Test
    void aDiskThatNamesAnotherFileIsRefused() throws IOException {
        Path disk = folder.resolve("overlay.qcow2");
        run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", plain.toString(), disk.toString());
        isRefused(disk, "has a backing file");
        Path raw = folder.resolve("raw-that-says-qcow2.raw");
        Files.copy(disk, raw);
        isRefused(raw, "has a backing file");
    }
}
