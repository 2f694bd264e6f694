package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

@Timeout(120)
class ReaderTest {
    @TempDir
    private Path folder;

    private final Reader reader = new Reader();

    private static Evidence of(ArchiveBytes archive) throws IOException {
        return of(archive.bytes());
    }

    private static Evidence of(byte[] bytes) throws IOException {
        return new TreeEvidence("test", archive(new ByteArrayInputStream(bytes)));
    }

    private static RawTree archive(InputStream in) throws IOException {
        return Reader.archive(in, new Deadline(), PathFilter.ROOT);
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void aFolderIsATree() throws Exception {
        write("root/etc/hostname", "one\n");
        Files.createSymbolicLink(folder.resolve("root/etc/name"), Path.of("/etc/hostname"));
        Evidence evidence = reader.read(folder.resolve("root"));
        assertThat(evidence.kind()).isEqualTo(Evidence.Kind.IMAGE);
        assertThat(evidence.text("/etc/name")).contains("one\n");
        assertThat(evidence.link("/etc/name")).contains("/etc/hostname");
        assertThat(evidence.real("/etc/./../etc/name")).contains("/etc/hostname");
        assertThat(evidence.names("/etc")).containsExactly("hostname", "name");
        assertThat(evidence.text("/etc")).isEmpty();
        assertThat(evidence.answer("uname")).isEmpty();
    }

    @Test
    void linksOfAFolderLeadNowhereOutside() throws Exception {
        write("secret", "key");
        write("root/etc/plain", "plain");
        Path root = folder.resolve("root");
        Files.createSymbolicLink(root.resolve("etc/up"), Path.of("../../secret"));
        Files.createSymbolicLink(root.resolve("etc/out"), folder.resolve("secret"));
        Files.createSymbolicLink(root.resolve("etc/loop"), Path.of("loop"));
        Files.createSymbolicLink(root.resolve("away"), folder);
        Evidence evidence = reader.read(root);
        assertThat(List.of("/etc/up", "/etc/out", "/etc/loop", "/away/secret", "/../secret", "/etc/../../secret"))
                .allSatisfy(path -> assertThat(evidence.text(path)).isEmpty());
    }

    @Test
    void specialAndSparseFilesOfAFolderAreNotWaitedFor() throws Exception {
        write("root/etc/plain", "plain");
        Path root = folder.resolve("root");
        assertThat(new ProcessBuilder("mkfifo", root.resolve("etc/pipe").toString()).start().waitFor()).isZero();
        try (RandomAccessFile sparse = new RandomAccessFile(root.resolve("etc/sparse").toFile(), "rw")) {
            sparse.setLength(1L << 42);
        }
        Evidence evidence = reader.read(root);
        assertThat(evidence.text("/etc/pipe")).isEmpty();
        assertThat(evidence.text("/etc/sparse").orElseThrow()).hasSize(Limits.TEXT);
        assertThatThrownBy(() -> evidence.binary("/etc/sparse")).isInstanceOf(Refusal.class)
                .hasMessageContaining("no ELF file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ustar", "gnu", "pax", "v7"})
    void tarAsTarWritesIt(String format) throws Exception {
        String deep = "etc/" + "a-folder-with-a-name-of-thirty-five/".repeat(format.equals("v7") ? 1 : 5) + "file";
        write("root/" + deep, "deep\n");
        Files.createSymbolicLink(folder.resolve("root/etc/link"), Path.of(deep.split("/")[1]));
        Path tar = folder.resolve("root.tar");
        assertThat(new ProcessBuilder("tar", "-C", folder.resolve("root").toString(), "--format", format, "-cf",
                tar.toString(), ".")
                .inheritIO().start().waitFor()).isZero();
        if (format.equals("v7")) {
            assertThatThrownBy(() -> reader.read(tar)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("neither a tar archive");
            return;
        }
        Evidence evidence = reader.read(tar);
        assertThat(evidence.text("/" + deep)).contains("deep\n");
        assertThat(evidence.text("/etc/link" + deep.substring(deep.indexOf('/', 4)))).contains("deep\n");
        assertThat(evidence.target()).isEqualTo("root.tar");
    }

    @Test
    void packedArchives() throws IOException {
        byte[] plain = new ArchiveBytes().tar("./etc/one", "1").raw(new byte[1024]).bytes();
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gz)) {
            out.write(plain);
        }
        ByteArrayOutputStream xz = new ByteArrayOutputStream();
        try (OutputStream out = new XZOutputStream(xz, new LZMA2Options(0))) {
            out.write(plain);
        }
        byte[] zstd = Zstd.raw(plain);
        for (byte[] packed : List.of(plain, gz.toByteArray(), xz.toByteArray(), zstd)) {
            assertThat(of(packed).text("/etc/one")).contains("1");
        }
    }

    @Test
    void initialFilesStandOneAfterTheOther() throws IOException {
        ArchiveBytes all = new ArchiveBytes().cpio("etc", 040755, "").cpio("etc/microcode", 0100644, "early")
                .cpio("TRAILER!!!", 0, "")
                .raw(new byte[512]);
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gz)) {
            out.write(new ArchiveBytes().cpio("etc/late", 0100644, "late").cpio("etc/link", 0120777, "late")
                    .cpio("TRAILER!!!", 0, "").bytes());
        }
        Evidence evidence = of(all.raw(gz.toByteArray()));
        assertThat(evidence.text("/etc/microcode")).contains("early");
        assertThat(evidence.text("/etc/link")).contains("late");
    }

    /** The files that a kernel begins with are looked into: of them, MANA's modules are known. */
    @Test
    void initialFilesInAnImageAreKnown() throws Exception {
        byte[] files = new ArchiveBytes()
                .cpio("usr/lib/modules/6.1/kernel/drivers/net/ethernet/microsoft/mana/mana.ko.zst", 0100644, "x")
                .cpio("usr/lib/modules/6.1/kernel/other.ko", 0100644, "x").cpio("TRAILER!!!", 0, "").bytes();
        Evidence image = of(new ArchiveBytes().tar("boot/initrd.img-6.1", '0', "", Zstd.raw(files).length,
                Zstd.raw(files))
                .tar("boot/initrd.img-6.2", "no archive").tar("etc/after", "it"));
        Evidence inside = image.archive("/boot/initrd.img-6.1").orElseThrow();
        assertThat(inside.names("/usr/lib/modules/6.1/kernel")).containsExactly("drivers");
        assertThat(inside.names("/usr/lib/modules/6.1/kernel/drivers/net/ethernet/microsoft/mana"))
                .containsExactly("mana.ko.zst");
        assertThatThrownBy(() -> image.archive("/boot/initrd.img-6.2")).isInstanceOf(Refusal.class)
                .hasMessageContaining("neither a tar");
        assertThat(image.text("/etc/after")).contains("it");
        Files.createDirectories(folder.resolve("root/boot"));
        Files.write(folder.resolve("root/boot/initrd.img-6.1"), files);
        assertThat(reader.read(folder.resolve("root")).archive("/boot/initrd.img-6.1").orElseThrow()
                .has("/usr/lib/modules/6.1/kernel/drivers"))
                .isTrue();
    }

    /** An image may have many kernels: what they begin with has the time of one archive, all together. */
    @Test
    void archivesOfAFolderHaveOneTimeForAll() throws Exception {
        byte[] files = new ArchiveBytes().cpio("usr/lib/modules/6.1/mana.ko", 0100644, "x".repeat(1 << 20))
                .cpio("TRAILER!!!", 0, "").bytes();
        for (int i = 0; i < 4; i++) {
            Files.write(folder.resolve("initrd" + i), files);
        }
        FolderTree tree = new FolderTree(folder, Duration.ofMillis(200));
        assertThatThrownBy(() -> {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            for (int i = 0; System.nanoTime() < end; i++) {
                tree.archive("/initrd" + i % 4);
            }
        }).isInstanceOf(Refusal.class).hasMessageContaining("in all");
        assertThatThrownBy(() -> tree.archive("/initrd0")).isInstanceOf(Refusal.class);
    }

    @Test
    void whatTheScriptWritesIsEvidenceOfAMachine() throws IOException {
        Evidence evidence = of(new ArchiveBytes().tar("manafold-evidence", "1\n").tar("answers/uname", "6.12\n")
                .tar("files/etc/hostname", "one").link("files/etc/name", "/etc/hostname"));
        assertThat(evidence.kind()).isEqualTo(Evidence.Kind.MACHINE);
        assertThat(evidence.answer("uname")).contains("6.12\n");
        assertThat(evidence.answer("../files/etc/hostname")).isEmpty();
        assertThat(evidence.text("/etc/name")).contains("one");
        assertThat(evidence.text("/answers/uname")).isEmpty();
        assertThat(evidence.answers()).containsExactly("uname");
    }

    @Test
    void namesOfAnArchiveThatLeaveItAreNotThere() throws IOException {
        Evidence evidence = of(new ArchiveBytes().tar("../etc/out", "x").tar("/etc/absolute", "inside")
                .tar("etc/a/../../b", "x")
                .link("etc/self", "self").link("etc/up", "../../../etc/absolute").tar("etc/self/below", "x")
                .link("etc/hard", "etc/none"));
        assertThat(evidence.names("/etc")).containsExactly("absolute", "hard", "self", "up");
        assertThat(evidence.text("/etc/up")).contains("inside");
        assertThat(evidence.text("/etc/self")).isEmpty();
        assertThat(evidence.has("/etc/self/below")).isFalse();
    }

    @Test
    void whatIsNotAskedForIsPassedOver() throws IOException {
        Evidence evidence = of(new ArchiveBytes().tar("home/somebody/.bash_history", "x").tar("usr/bin/vim", "x")
                .tar("etc/fstab", "tab"));
        assertThat(evidence.names("/")).containsExactly("etc");
    }

    /** As Fedora and Red Hat have them: the words of the kernel stand in a file of each entry. */
    @Test
    void entriesOfBootLoadersAreRead() throws IOException {
        Evidence evidence = of(new ArchiveBytes().tar("boot/loader/entries/one.conf", "options ro\n"));
        assertThat(evidence.text("/boot/loader/entries/one.conf")).contains("options ro\n");
    }

    @Test
    void rulesThatADistributionBringsForNetplanAreRead() throws IOException {
        Evidence evidence = of(new ArchiveBytes().tar("usr/lib/netplan/00-all.yaml", "network: {}\n")
                .tar("usr/lib/netplan/generate", "\177ELF"));
        assertThat(evidence.names("/usr/lib/netplan")).containsExactly("00-all.yaml");
        assertThat(evidence.text("/usr/lib/netplan/00-all.yaml")).contains("network: {}\n");
    }

    /** What fills the room, and no check reads: rules that come later are read all the same. */
    @Test
    void whatNoCheckReadsTakesNoRoom() throws IOException {
        String big = "x".repeat(Limits.TEXT);
        ArchiveBytes archive = new ArchiveBytes();
        for (int i = 0; i < 30; i++) {
            archive.tar("usr/lib/systemd/" + i, big).tar("usr/lib/systemd/system/" + i + ".service.d/a", big)
                    .tar("usr/lib/udev/hwdb.d/" + i, big).tar("lib/modules/" + i + "/modules.alias", big)
                    .tar("lib/modules/" + i + "/modules.dep", big)
                    .tar("usr/local/bin/" + i, "\177ELF" + big.substring(4));
        }
        Evidence evidence = of(archive.tar("usr/lib/udev/rules.d/68.rules", "rule")
                .tar("usr/lib/systemd/system/a.service", "unit").tar("usr/lib/systemd/network/a.network", "network")
                .tar("usr/local/bin/script", "#!/bin/sh"));
        assertThat(Map.of("/usr/lib/udev/rules.d/68.rules", "rule", "/usr/lib/systemd/system/a.service", "unit",
                "/usr/lib/systemd/network/a.network", "network", "/usr/local/bin/script", "#!/bin/sh",
                "/usr/local/bin/29", "\177ELF")).allSatisfy((path, text) -> assertThat(evidence.text(path)).as(path)
                .contains(text));
        assertThat(evidence.has("/lib/modules/29/modules.dep")).isTrue();
    }

    /** By these, NetworkManager is known to be installed. */
    @ParameterizedTest
    @ValueSource(strings = {"usr/sbin/NetworkManager", "lib/systemd/system/NetworkManager.service"})
    void namesOfProgramsThatAreAskedForAreKept(String name) throws IOException {
        assertThat(of(new ArchiveBytes().tar(name, "x")).has("/" + name)).isTrue();
    }

    @Test
    void aBombIsASentence() throws IOException {
        // a tebibyte is announced, and zeros come as long as they are read
        byte[] header = Arrays.copyOf(new ArchiveBytes().tar("usr/big", '0', "", 0, new byte[0]).bytes(), 512);
        header[124] = (byte) 0x80;
        Arrays.fill(header, 125, 136, (byte) 0);
        header[130] = 1;
        long sum = 8 * ' ';
        for (int i = 0; i < 512; i++) {
            sum += i >= 148 && i < 156 ? 0 : header[i] & 0xff;
        }
        System.arraycopy("%06o\0 ".formatted(sum).getBytes(), 0, header, 148, 8);
        InputStream endless = new InputStream() {
            private int at;

            @Override
            public int read() {
                return at < header.length ? header[at++] & 0xff : 0;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                if (at >= header.length) {
                    Arrays.fill(bytes, offset, offset + length, (byte) 0);
                    return length;
                }
                bytes[offset] = (byte) read();
                return 1;
            }
        };
        assertThatThrownBy(() -> archive(endless)).isInstanceOf(Refusal.class)
                .hasMessageContaining("unpacks to more than 64 GiB");
    }

    /** Each says ever new things of the one entry that follows all of them. */
    @Test
    void whatHeadersSayAndNothingUsesIsNotKept() throws IOException {
        ArchiveBytes archive = new ArchiveBytes();
        int keys = 0;
        for (int header = 0; header < 200; header++) {
            StringBuilder records = new StringBuilder();
            for (int i = 0; i < 4000; i++) {
                records.append("13 k%07d=\n".formatted(keys++));
            }
            byte[] bytes = records.toString().getBytes(StandardCharsets.US_ASCII);
            archive.tar("more", 'x', "", bytes.length, bytes);
        }
        byte[] bytes = archive.tar("etc", '5', "", 0, new byte[0]).raw(new byte[1024]).bytes();
        Deadline deadline = new Deadline();
        BoundedInput in = new BoundedInput(new ByteArrayInputStream(bytes), deadline);
        byte[] first = new byte[TarReader.BLOCK];
        in.fill(first);
        List<Long> kept = new ArrayList<>();
        long before = used();
        new TarReader(in, new EntryVisitor() {
            @Override
            public void file(String name, long size) {
                throw new AssertionError(name);
            }

            @Override
            public void folder(String name) {
                kept.add(used() - before);
            }

            @Override
            public void link(String name, String target) {
                throw new AssertionError(name);
            }

            @Override
            public void other(String name) {
                throw new AssertionError(name);
            }
        }).read(first);
        assertThat(kept).singleElement().satisfies(bytesKept -> assertThat(bytesKept).isLessThan(8L << 20));
    }

    /** Bytes of the heap that something holds. */
    static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void tooManyEntriesAreASentence() {
        ArchiveBytes archive = new ArchiveBytes();
        for (int i = 0; i <= Limits.ENTRIES; i++) {
            archive.tar("etc/" + i, '5', "", 0, new byte[0]);
        }
        byte[] bytes = archive.bytes();
        assertThatThrownBy(() -> of(bytes)).isInstanceOf(Refusal.class).hasMessageContaining("entries");
    }

    /** A name that is there already takes as many bytes more as its new link says. */
    @Test
    void linksInThePlaceOfFilesAreCounted() {
        MemoryTree tree = new MemoryTree();
        String target = "x".repeat(Limits.NAME);
        int enough = Limits.ALL_NAMES / Limits.NAME + 1;
        for (int i = 0; i < enough; i++) {
            tree.file("/etc/" + i, null);
        }
        assertThatThrownBy(() -> {
            for (int i = 0; i < enough; i++) {
                tree.link("/etc/" + i, target);
            }
        }).isInstanceOf(Refusal.class).hasMessageContaining("names of more than");
        MemoryTree other = new MemoryTree();
        for (int i = 0; i < enough; i++) {
            other.link("/etc/one", target);
        }
        assertThat(other.link("/etc/one")).isEqualTo(target);
    }

    /** Each initial file system is below every limit, and all of them together are not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void archivesInAnArchiveAreCountedTogether(boolean inLayers) {
        ArchiveBytes names = new ArchiveBytes();
        for (int i = 0; i < Limits.LAYER_ENTRIES / 4; i++) {
            names.cpio("lib/" + i + "/mana.ko", 0100644, "");
        }
        byte[] files = gz(names.cpio("TRAILER!!!", 0, "").bytes());
        ArchiveBytes image = new ArchiveBytes().tar("etc", '5', "", 0, new byte[0]);
        for (int i = 0; i < Limits.INSIDE; i++) {
            image.tar("boot/initrd-" + i, '0', "", files.length, files);
        }
        byte[] bytes = inLayers ? ImageBytes.tar(new ImageBytes().layer(image).layout()).bytes() : image.bytes();
        assertThatThrownBy(() -> reader.read(Files.write(folder.resolve("image.tar"), bytes)))
                .isInstanceOf(Refusal.class).hasMessageContaining("entries of interest");
    }

    private static byte[] gz(byte[] plain) {
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gz)) {
            out.write(plain);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return gz.toByteArray();
    }

    @Test
    void moreThanIsRememberedIsLeftOut() throws IOException {
        String big = "x".repeat(Limits.TEXT);
        ArchiveBytes archive = new ArchiveBytes();
        for (int i = 0; i < 40; i++) {
            archive.tar("etc/" + (100 + i), big);
        }
        Evidence evidence = of(archive);
        assertThat(evidence.text("/etc/100")).contains(big);
        assertThat(evidence.names("/etc")).hasSize(40);
        assertThatThrownBy(() -> evidence.text("/etc/139")).isInstanceOf(Refusal.class)
                .hasMessageContaining("left out");
    }

    @Test
    void whatIsNoneIsASentence() throws Exception {
        assertThatThrownBy(() -> reader.read(folder.resolve("none"))).isInstanceOf(Refusal.class)
                .hasMessageContaining("no file or folder");
        write("text", "no archive at all");
        assertThatThrownBy(() -> reader.read(folder.resolve("text"))).isInstanceOf(Refusal.class)
                .hasMessageContaining("neither a tar");
        byte[] broken = new ArchiveBytes().tar("etc/one", "1").tar("etc/two", "2").bytes();
        broken[1030] ^= 1;
        assertThatThrownBy(() -> of(broken)).hasMessageContaining("byte 1024").hasMessageContaining("checksum");
        assertThatThrownBy(() -> of(Arrays.copyOf(broken, 700))).hasMessageContaining("middle of an entry");
    }

    /** Whatever the bytes are, they are read or refused with a sentence. */
    @Test
    @Timeout(1800)
    void anyByteMayBeWrong() {
        Random random = new Random(20);
        byte[] tar = new ArchiveBytes().tar("manafold-evidence", "1").tar("p", 'x', "", 20,
                "20 path=etc/long...\n".getBytes())
                .tar("etc/one", "1").link("etc/two", "one").tar("etc/three", 'S', "", 0, new byte[0]).tar("etc", '5',
                "", 0, new byte[0])
                .tar("etc/four", '1', "etc/one", 0, new byte[0]).raw(new byte[1024]).bytes();
        byte[] cpio = new ArchiveBytes().cpio("etc", 040755, "").cpio("etc/one", 0100644, "one").cpio("etc/link",
                0120777, "one")
                .cpio("TRAILER!!!", 0, "").raw(new byte[600]).bytes();
        int read = 0;
        for (int i = 0; i < Hostile.INPUTS; i++) {
            boolean first = random.nextBoolean();
            byte[] bytes = (first ? tar : cpio).clone();
            Hostile.damage(bytes, random);
            if (first) {
                mend(bytes);
            }
            try {
                Evidence evidence = of(bytes);
                evidence.names("/etc").forEach(name -> evidence.text("/etc/" + name));
                read++;
            } catch (IOException | Refusal e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(read).isBetween(1, Hostile.INPUTS - 1);
    }

    /** Makes checksums right again, so that what they guard is looked at. */
    static void mend(byte[] tar) {
        for (int at = 0; at + 512 <= tar.length; at += 512) {
            if (tar[at + 257] == 'u' && tar[at + 258] == 's') {
                long sum = 8 * ' ';
                for (int i = 0; i < 512; i++) {
                    sum += i >= 148 && i < 156 ? 0 : tar[at + i] & 0xff;
                }
                System.arraycopy("%06o\0 ".formatted(sum).getBytes(), 0, tar, at + 148, 8);
            }
        }
    }
}
