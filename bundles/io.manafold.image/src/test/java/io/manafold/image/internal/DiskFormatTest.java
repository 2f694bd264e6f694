package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks are known by what stands in them; one that names another file is refused before any program opens it. */
@Timeout(120)
class DiskFormatTest {
    @TempDir
    private Path folder;

    private Path disk(int size, Consumer<ByteBuffer> written) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(size);
        written.accept(bytes);
        return Files.write(folder.resolve("disk"), bytes.array());
    }

    private static void put(ByteBuffer bytes, int at, String magic) {
        bytes.put(at, magic.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void qcow2(ByteBuffer bytes) {
        put(bytes, 0, "QFI\u00fb");
        bytes.putInt(4, 3);
    }

    private void isRefused(String words, Consumer<ByteBuffer> written) throws IOException {
        Path file = disk(8192, written);
        assertThatThrownBy(() -> new Reader().read(file)).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EPERM)).hasMessageContaining(words);
    }

    @Test
    void formatsAreKnown() throws IOException {
        assertThat(DiskFormat.of(disk(8192, DiskFormatTest::qcow2))).contains(DiskFormat.QCOW2);
        assertThat(DiskFormat.of(disk(8192, bytes -> put(bytes, 0, "vhdxfile")))).contains(DiskFormat.VHDX);
        assertThat(DiskFormat.of(disk(8192, bytes -> put(bytes, 8192 - 512, "conectix")))).contains(DiskFormat.VHD);
        assertThat(DiskFormat.of(disk(8192, bytes -> {
            put(bytes, 0, "KDMV");
            bytes.putLong(12, Long.reverseBytes(16));
        }))).contains(DiskFormat.VMDK);
        assertThat(DiskFormat.of(disk(8192, bytes -> put(bytes, 510, "\u0055\u00aa")))).contains(DiskFormat.RAW);
        assertThat(DiskFormat.of(disk(8192, bytes -> put(bytes, 1080, "\u0053\u00ef")))).contains(DiskFormat.RAW);
        assertThat(DiskFormat.of(disk(1 << 17, bytes -> put(bytes, 0x10040, "_BHRfS_M")))).contains(DiskFormat.RAW);
        assertThat(DiskFormat.of(disk(8192, bytes -> put(bytes, 512, "LABELONE")))).contains(DiskFormat.RAW);
        assertThat(DiskFormat.of(disk(10, _ -> { }))).isEmpty();
        assertThat(DiskFormat.of(Files.write(folder.resolve("tar"), new ArchiveBytes().tar("etc/a", "1")
                .raw("conectix".repeat(64).getBytes(StandardCharsets.US_ASCII)).bytes()))).isEmpty();
    }

    @Test
    void aDiskThatNamesAnotherFileIsRefused() throws IOException {
        isRefused("has a backing file", bytes -> {
            qcow2(bytes);
            bytes.putLong(8, 4096).putInt(16, 11);
            put(bytes, 4096, "/etc/passwd");
        });
        isRefused("has its data in another file", bytes -> {
            qcow2(bytes);
            bytes.putLong(72, 4);
        });
        isRefused("is a differencing disk", bytes -> {
            put(bytes, 8192 - 512, "conectix");
            bytes.putInt(8192 - 512 + 60, 4);
        });
        isRefused("is a descriptor", bytes -> put(bytes, 0, "# Disk DescriptorFile\nRW 2048 FLAT \"/etc/passwd\" 0\n"));
        isRefused("is a descriptor", bytes -> put(bytes, 0, "KDMV"));
        isRefused("has a parent", bytes -> {
            put(bytes, 0, "KDMV");
            bytes.putLong(12, Long.reverseBytes(16)).putLong(28, Long.reverseBytes(2));
            put(bytes, 1024, "# Disk DescriptorFile\nparentFileNameHint=\"/etc/passwd\"\n");
        });
    }

    @Test
    @Timeout(1800)
    void anyByteMayBeWrong() throws IOException {
        Random random = new Random(39);
        Path file = folder.resolve("any");
        for (int i = 0; i < Hostile.INPUTS; i++) {
            ByteBuffer bytes = ByteBuffer.allocate(2048);
            put(bytes, random.nextBoolean() ? 0 : 2048 - 512, new String[] {"QFI\u00fb", "KDMV", "conectix"}[i % 3]);
            bytes.putLong(12, 1).putLong(28, random.nextLong());
            Hostile.damage(bytes.array(), random);
            Files.write(file, Arrays.copyOf(bytes.array(), random.nextInt(2048)));
            try {
                assertThat(DiskFormat.of(file)).isNotNull();
            } catch (Refusal e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void whatTheMachineIsMadeOfIsNamed() throws IOException {
        Path disk = disk(8192, bytes -> put(bytes, 510, "\u0055\u00aa"));
        assertThatThrownBy(() -> new Reader().read(disk, new HelperMachine(folder.resolve("none"), null), _ -> { }))
                .isInstanceOf(Refusal.class).hasMessageContaining("--qemu").hasMessageContaining("no QEMU");
        Path program = Files.writeString(folder.resolve("qemu"), "no program");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(() -> new Reader().read(disk, new HelperMachine(program, program), _ -> { }))
                .isInstanceOf(Refusal.class).hasMessageContaining("--kernel").hasMessageContaining("no kernel");
    }
}
