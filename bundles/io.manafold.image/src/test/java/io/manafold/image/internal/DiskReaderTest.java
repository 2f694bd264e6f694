package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a helper machine sends, and what it is given; itests/guests boots it. */
@Timeout(120)
class DiskReaderTest {
    private static final String NAMES = "d/etc\nf/etc/fstab\nf/lib/modules/6.1/other.ko\nd/home\no/etc/pipe\n.\n";

    @TempDir
    private Path folder;

    private static Evidence of(byte[] sent) throws IOException {
        return new TreeEvidence("disk", DiskReader.tree(new ByteArrayInputStream(sent), new Deadline()));
    }

    private static byte[] sent(String names) {
        byte[] archive = new ArchiveBytes().cpio("etc/fstab", 0100644, "tab").cpio("etc/link", 0120777, "fstab")
                .cpio("TRAILER!!!", 0, "").bytes();
        return new ArchiveBytes().raw(names.getBytes(StandardCharsets.UTF_8)).raw(archive).bytes();
    }

    @Test
    void namesAndFilesAreATree() throws IOException {
        Evidence evidence = of(sent(NAMES));
        assertThat(evidence.text("/etc/link")).contains("tab");
        assertThat(evidence.names("/etc")).containsExactly("fstab", "link", "pipe");
        assertThat(evidence.names("/lib/modules/6.1")).containsExactly("other.ko");
        assertThatThrownBy(() -> evidence.text("/lib/modules/6.1/other.ko")).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> of("d/etc\n".getBytes(StandardCharsets.UTF_8))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> of(NAMES.getBytes(StandardCharsets.UTF_8))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> of(sent("x/etc/a\n.\n"))).hasMessageContaining("no kind");
        assertThatThrownBy(() -> of(sent("f/etc/" + "a".repeat(Limits.NAME) + "\n"))).isInstanceOf(Refusal.class);
    }

    @Test
    @Timeout(1800)
    void anyByteMayBeWrong() {
        Random random = new Random(40);
        int read = 0;
        for (int i = 0; i < Hostile.INPUTS; i++) {
            byte[] bytes = sent(NAMES);
            Hostile.damage(bytes, random);
            try {
                Evidence evidence = of(bytes);
                evidence.names("/etc").forEach(name -> evidence.has("/etc/" + name));
                read++;
            } catch (IOException | Refusal e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(read).isBetween(1, Hostile.INPUTS - 1);
    }

    /** The helper machine chooses by grep what is chosen here by the same expressions. */
    @Test
    void grepWantsTheSame() throws Exception {
        List<String> paths = List.of("/etc", "/etc/fstab", "/home", "/home/user/.profile",
                "/usr/lib/udev/rules.d/60.rules", "/lib/modules/6.1/kernel/other.ko",
                "/lib/modules/6.1/kernel/net/mana.ko.xz", "/usr/lib/libc.so.6",
                "/usr/lib/x86_64-linux-gnu/libibverbs/libmana-rdmav34.so", "/boot/initrd.img-6.1", "/boot/config-6.1",
                "/usr/lib/x86_64-linux-gnu/dpdk/pmds-25/librte_net_mana.so.25", "/boot/vmlinuz-6.1", "/usr/share/man",
                "/usr/lib/systemd/network/a.link", "/usr/lib/systemd/system/a.service",
                "/usr/lib/systemd/system/a.service.d/b.conf", "/boot/loader/entries/a.conf",
                "/usr/lib/udev/hwdb.bin", "/usr/sbin/NetworkManager", "/var/lib/dpkg/status", "/var/log/messages",
                "/boot/grub/grub.cfg", "/usr/local/bin/start", "/lib/modules/6.1/modules.dep",
                "/usr/lib/netplan/generate", "/usr/lib/netplan/00-all.yaml", "/etcetera/a");
        assertThat(grep(paths, PathFilter.names())).isEqualTo(paths.stream().filter(PathFilter.ROOT::name).toList())
                .hasSizeBetween(10, paths.size() - 5);
        assertThat(grep(paths, PathFilter.contents())).isEqualTo(paths.stream()
                .filter(path -> PathFilter.ROOT.contents(path) || PathFilter.ROOT.archive(path)).toList())
                .hasSizeGreaterThan(8);
    }

    private List<String> grep(List<String> paths, List<String> expressions) throws Exception {
        Path file = Files.write(folder.resolve("expressions"), expressions);
        Process grep = new ProcessBuilder("grep", "-E", "-f", file.toString()).start();
        try (var in = grep.getOutputStream()) {
            in.write((String.join("\n", paths) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String found = new String(grep.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(grep.waitFor()).isZero();
        return found.lines().toList();
    }

    @Test
    void modulesComeAfterWhatTheyNeed() throws IOException {
        Path modules = Files.createDirectories(folder.resolve("usr/lib/modules/6.1-test"));
        Files.write(modules.resolve("modules.dep"), List.of(
                "kernel/fs/ext4.ko.xz: kernel/fs/jbd2.ko.xz kernel/crc-16.ko",
                "kernel/fs/jbd2.ko.xz: kernel/crc-16.ko", "kernel/crc-16.ko:"));
        byte[] kernel = new byte[0x400];
        System.arraycopy("HdrS".getBytes(StandardCharsets.US_ASCII), 0, kernel, 0x202, 4);
        kernel[0x20f] = 1;
        System.arraycopy("6.1-test (builder) #1".getBytes(StandardCharsets.US_ASCII), 0, kernel, 0x300, 21);
        KernelModules found = KernelModules.of(Files.write(folder.resolve("vmlinuz"), kernel)).orElseThrow();
        assertThat(found.release()).isEqualTo("6.1-test");
        List<Path> files = found.files(List.of("none", "ext4", "crc_16"));
        assertThat(files.stream().map(modules::relativize).map(Path::toString))
                .containsExactly("kernel/crc-16.ko", "kernel/fs/jbd2.ko.xz", "kernel/fs/ext4.ko.xz");
        kernel[0x202] = 0;
        assertThat(KernelModules.of(Files.write(folder.resolve("vmlinuz"), kernel))).isEmpty();
    }

    /** What is written for the helper machine is what our own reader reads. */
    @Test
    void initialFilesAreWritten() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CpioWriter files = new CpioWriter(out)) {
            files.folder("etc");
            files.file("etc/a", "text".getBytes(StandardCharsets.UTF_8));
            files.link("etc/b", "a");
        }
        Evidence evidence = new TreeEvidence("files", Reader.archive(new ByteArrayInputStream(out.toByteArray()),
                new Deadline(), PathFilter.ROOT));
        assertThat(evidence.text("/etc/b")).contains("text");
    }
}
