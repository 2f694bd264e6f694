package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a helper machine sends of a disk's boot is taken as a stranger's. */
class BootFilesTest {
    private static final String GOOD = "\0\0!/dev/vda1 UUID=ab-cd \n!3\nabc!2\nde";

    @TempDir
    Path folder;

    private BootFiles take(String sent, ByteArrayOutputStream asked) throws IOException {
        MemoryTree tree = new MemoryTree();
        tree.file("/boot/vmlinuz-6", new byte[0]);
        tree.file("/boot/initrd.img-6", new byte[0]);
        BootFiles files = new BootFiles(new TreeEvidence("disk", tree), folder);
        files.take(new ByteArrayInputStream(sent.getBytes(StandardCharsets.ISO_8859_1)), asked, new Deadline());
        return files;
    }

    @Test
    void filesAreTaken() throws IOException {
        ByteArrayOutputStream asked = new ByteArrayOutputStream();
        BootFiles files = take(GOOD, asked);
        assertThat(asked.toString(StandardCharsets.US_ASCII)).isEqualTo("?\n/boot/vmlinuz-6\n/boot/initrd.img-6\n");
        assertThat(files.kernel()).hasContent("abc");
        assertThat(files.initial()).hasContent("de");
        assertThat(files.line()).startsWith("root=UUID=ab-cd ro ");
        assertThat(take("!/dev/mapper/a-b UUID=ab /@\n!3\nabc!2\nde", asked).line())
                .startsWith("root=/dev/mapper/a-b rootflags=subvol=@ ");
    }

    @Test
    void whatIsTooLargeOrNotThereIsASentence() {
        for (String size : new String[] {"none", "0", "99999999", "12345678901", "-1"}) {
            assertThatThrownBy(() -> take("!/dev/vda \n!" + size + "\nabc", new ByteArrayOutputStream()))
                    .isInstanceOf(Refusal.class).hasMessageContaining("/boot/vmlinuz-6");
        }
        assertThatThrownBy(() -> take("!/dev/vda1 x=y init=/bin/sh \n", new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void garbledAnswersDoNoHarm() throws IOException {
        Random random = new Random(20261127);
        for (int i = 0; i < Integer.getInteger("manafold.image.inputs", 10_000); i++) {
            StringBuilder sent = new StringBuilder(GOOD);
            for (int c = random.nextInt(3); c >= 0; c--) {
                sent.setCharAt(random.nextInt(sent.length()), (char) random.nextInt(256));
            }
            sent.setLength(random.nextInt(3) == 0 ? random.nextInt(sent.length()) : sent.length());
            try {
                BootFiles files = take(sent.toString(), new ByteArrayOutputStream());
                assertThat(Files.size(files.kernel())).isLessThan(100);
                assertThat(files.line()).matches("[ -~]+");
            } catch (IOException | Refusal refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
    }
}
