package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ZstdInputTest {
    /** 1800 letters as the program zstd packs them, by codes and copies. */
    private static final byte[] PACKED = Base64.getDecoder().decode("""
            KLUv/WAIBu0KANZRLRWgqwMEy7JsvO8AwH7vLaVMKTd7V/ExACQAIgD5dJDgYBLBmWWHhTMACJQIiRmiwEjMACVGaqKgSQISpMNLRJKa4RmeJTlTExTpCmcIiIoluxu7\
            X1vXdkslU1erc7vK33+e1dGH7tHY1t377TKgPHUL7e6FbF06+yauvq21sf3N2FW1O1G11jcxfbV+9WJzYvvDY/euojK6acyzsXlnd5mnjmdplbis0tm8srPGmkbWvMr2\
            ygJnoCFYs3XZ/wxAJ5KoA2yzZKyL/eZrCGNMLDBemDhWuMfG0lLI0EEWQ98wmBkIflmExwz5DAUnXkVQsbkCkjLWQxZt+TXWOjS9g6DiCDLOq5q5C9h/rnWxWLEPguHX\
            gtHYEIGIUOKxBMqkWV+MGdLx2uerFMYMXp0174H3yNyxzdcF4oJ7GVfRTde+wTUNWWRE+4OgmMGkWLaFUbdvSzj80cMrxCo=\
            """);
    private static final long SUM = 2009449659L;
    private static final int INPUTS = Math.min(Hostile.INPUTS, 200_000);

    @TempDir
    private Path folder;

    private static byte[] unpacked(byte[] packed) throws IOException {
        try (InputStream in = new ZstdInput(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatTheProgramPacksIsUnpacked() throws IOException {
        byte[] text = unpacked(PACKED);
        CRC32 sum = new CRC32();
        sum.update(text);
        assertThat(text).hasSize(1800);
        assertThat(sum.getValue()).isEqualTo(SUM);
        assertThat(unpacked(Zstd.raw(text))).isEqualTo(text);
    }

    @Test
    void framesFollowEachOtherAndWhatIsNoneIsPassedOver() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PACKED);
        all.writeBytes(ByteBuffer.allocate(11).order(ByteOrder.LITTLE_ENDIAN).putInt(0x184d2a57).putInt(3).array());
        all.writeBytes(Zstd.raw("more".getBytes()));
        all.writeBytes(Zstd.raw(new byte[0]));
        assertThat(unpacked(all.toByteArray())).hasSize(1804).endsWith("more".getBytes());
    }

    /** The program itself packs, where it is installed: what repeats, what does not, and more than a window of both. */
    @ParameterizedTest
    @ValueSource(strings = {"-1", "-5", "-19", "--fast=3"})
    void whatItPacksNowIsUnpacked(String level) throws Exception {
        Path program = Path.of("/usr/bin/zstd");
        assumeTrue(Files.isExecutable(program), "zstd is installed");
        Random random = new Random(7);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] noise = new byte[200_000];
        random.nextBytes(noise);
        for (int i = 0; i < 6; i++) {
            for (int line = 0; line < 6000; line++) {
                text.writeBytes(("port %d has %d packets of %x\n".formatted(random.nextInt(9),
                        random.nextInt(1 << random.nextInt(20) + 1), line)).getBytes());
            }
            text.write(noise, i * 1000, 100_000);
            text.writeBytes(new byte[random.nextInt(300_000)]);
        }
        Path file = Files.write(folder.resolve("plain"), text.toByteArray());
        Path packed = folder.resolve("packed");
        assertThat(new ProcessBuilder(program.toString(), "-q", level, file.toString(), "-o", packed.toString())
                .inheritIO().start().waitFor()).isZero();
        assertThat(Arrays.equals(unpacked(Files.readAllBytes(packed)), text.toByteArray())).isTrue();
    }

    @Test
    void whatAsksForTooMuchIsASentence() {
        byte[] wide = Zstd.raw(new byte[10]);
        wide[5] = (byte) (20 << 3);
        assertThatThrownBy(() -> unpacked(wide)).isInstanceOf(IOException.class).hasMessageContaining("window");
        byte[] dictionary = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0x21, 7, 1, 0, 0};
        assertThatThrownBy(() -> unpacked(dictionary)).isInstanceOf(IOException.class)
                .hasMessageContaining("dictionary");
        assertThatThrownBy(() -> unpacked(Arrays.copyOf(PACKED, 200))).isInstanceOf(IOException.class)
                .hasMessageContaining("middle");
        byte[] huge = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, (byte) 0xe0, -1, -1, -1, -1, -1, -1, -1, -1};
        assertThatThrownBy(() -> unpacked(huge)).isInstanceOf(IOException.class).hasMessageContaining("window");
    }

    /** Whatever the bytes are, they are unpacked or refused with a sentence. */
    @Test
    void anyByteMayBeWrong() {
        Random random = new Random(21);
        int refused = 0;
        for (int i = 0; i < INPUTS; i++) {
            byte[] bytes = PACKED.clone();
            Hostile.damage(bytes, random);
            try (InputStream in = new ZstdInput(new ByteArrayInputStream(bytes))) {
                in.skip(1 << 24);
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotBlank();
                refused++;
            }
        }
        assertThat(refused).isBetween(INPUTS / 4, INPUTS - 1);
    }
}
