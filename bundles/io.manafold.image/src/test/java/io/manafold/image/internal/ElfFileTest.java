package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.manafold.api.refusal.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class ElfFileTest {
    @Test
    void anObjectIsFoundByItsSymbol() throws IOException {
        ByteBuffer object = new ElfFile(ElfBytes.module(19)).object("mana_ib_dev_ops").orElseThrow();
        assertThat(object.getInt(8)).isEqualTo(19);
        assertThat(object.getInt(12)).isEqualTo(1);
        assertThat(object.limit()).isEqualTo(64);
        assertThat(new ElfFile(ElfBytes.module(19)).object("mana_ib_dev")).isEmpty();
    }

    @Test
    void sectionsAreFoundByTheirNames() throws IOException {
        ElfFile file = new ElfFile(ElfBytes.provider(20));
        assertThat(file.section(".rodata").orElseThrow().limit()).isEqualTo(96);
        assertThat(file.section(".roda")).isEmpty();
        assertThat(file.data()).hasSize(1);
    }

    @Test
    void packedModulesAreUnpacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (XZOutputStream out = new XZOutputStream(packed, new LZMA2Options(0))) {
            out.write(ElfBytes.module(20));
        }
        assertThat(Packed.unpacked(packed.toByteArray(), 10_000)).isEqualTo(ElfBytes.module(20));
        assertThatThrownBy(() -> Packed.unpacked(packed.toByteArray(), 100)).hasMessageContaining("more than");
        assertThatThrownBy(() -> Packed.unpacked(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0, 0}, 100))
                .hasMessageContaining("zstd");
    }

    @Test
    void whatIsNoneIsASentence() {
        assertThatThrownBy(() -> new ElfFile(new byte[10])).isInstanceOf(IOException.class)
                .hasMessage("it is no ELF file");
        byte[] small = ElfBytes.module(20);
        small[4] = 1;
        assertThatThrownBy(() -> new ElfFile(small)).hasMessageContaining("32 bits");
        byte[] behind = ElfBytes.module(20);
        behind[42] = 0x7f;
        assertThatThrownBy(() -> new ElfFile(behind)).hasMessageContaining("behind its end");
    }

    /** As many sections as there may be, each of which is the whole file. */
    private static byte[] sectionsOverEachOther(int type) {
        int count = 0xffff;
        ByteBuffer file = ByteBuffer.allocate(Limits.BINARY).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).putLong(40, 64).putShort(58, (short) 64)
                .putShort(60, (short) count);
        for (int i = 0; i < count; i++) {
            file.putInt(64 + i * 64 + 4, type).putLong(64 + i * 64 + 8, 2).putLong(64 + i * 64 + 32, file.limit());
        }
        return file.array();
    }

    @Test
    void tablesOfSymbolsOverEachOtherAreLookedAtOnce() throws IOException {
        for (int type : new int[] {2, 11}) {
            ElfFile file = new ElfFile(sectionsOverEachOther(type));
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertThat(file.object("mana_ib_dev_ops"))
                    .isEmpty());
        }
    }

    @Test
    void dataOverEachOtherIsNoMoreThanTheFileHas() throws IOException {
        ElfFile file = new ElfFile(sectionsOverEachOther(1));
        assertThat(file.data().stream().mapToLong(ByteBuffer::limit).sum()).isEqualTo(Limits.BINARY);
    }

    @Test
    void aSearchEndsWhenItIsInterrupted() throws IOException {
        ElfFile file = new ElfFile(ElfBytes.module(20));
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> file.object("mana_ib_dev_ops")).isInstanceOf(Refusal.class)
                    .hasMessageContaining("interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** Whatever its numbers are, it is read, empty or refused with a sentence. */
    @Test
    @Timeout(1800)
    void anyNumberMayBeWrong() {
        Random random = new Random(20);
        int read = 0;
        for (int i = 0; i < Hostile.INPUTS; i++) {
            byte[] bytes = random.nextBoolean() ? ElfBytes.module(20) : ElfBytes.provider(20);
            Hostile.damage(bytes, random);
            try {
                ElfFile file = new ElfFile(bytes);
                file.object("mana_ib_dev_ops").ifPresent(object -> assertThat(object.limit()).isPositive());
                file.section(".rodata");
                file.data();
                read++;
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(read).isBetween(1, Hostile.INPUTS - 1);
    }
}
