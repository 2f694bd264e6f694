package io.manafold.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngWriterTest {
    private static final long TIME = 1_780_000_000_123_456_789L;

    private static void write(WritableByteChannel channel, int frames) throws IOException {
        try (PcapngWriter writer = new PcapngWriter(channel, "Manafold", 4096)) {
            assertThat(writer.addInterface("lab", 0)).isZero();
            assertThat(writer.addInterface("other", 96)).isEqualTo(1);
            for (int i = 0; i < frames; i++) {
                byte[] payload = TestFrames.random(i * 37 % 9000, i);
                byte[] frame = TestFrames.join(TestFrames.ethernet(EtherType.IPV4),
                        TestFrames.ipv4(17, 0, 0, 8 + payload.length), TestFrames.udp(payload.length), payload);
                int kept = i % 2 == 0 ? frame.length : Math.min(96, frame.length);
                writer.frame(i % 2, TIME + i * 1000L, frame, 0, kept, frame.length);
            }
        }
    }

    @Test
    void blocksFollowEachOther() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(Channels.newChannel(out), 300);
        ByteBuffer file = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        int[] types = new int[303];
        int count = 0;
        while (file.hasRemaining()) {
            int start = file.position();
            int type = file.getInt();
            int size = file.getInt();
            assertThat(size % 4).isZero();
            if (type == 6) {
                int i = count - 3;
                assertThat(file.getInt()).isEqualTo(i % 2);
                long time = (file.getInt() & 0xffff_ffffL) << 32 | file.getInt() & 0xffff_ffffL;
                assertThat(time).isEqualTo(TIME + i * 1000L);
                assertThat(file.getInt()).isLessThanOrEqualTo(file.getInt());
            }
            file.position(start + size - 4);
            assertThat(file.getInt()).isEqualTo(size);
            types[count++] = type;
        }
        assertThat(count).isEqualTo(303);
        assertThat(types).startsWith(0x0a0d0d0a, 1, 1, 6);
    }

    @Test
    void wiresharkReadsIt(@TempDir Path folder) throws Exception {
        assumeThat(Path.of("/usr/bin/tshark")).exists();
        Path file = folder.resolve("capture.pcapng");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel, 300);
        }
        Path answer = folder.resolve("answer");
        Process tshark = new ProcessBuilder("/usr/bin/tshark", "-r", file.toString(), "-T", "fields", "-e",
                "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len", "-e", "udp.dstport", "-e",
                "frame.interface_name").redirectOutput(answer.toFile())
                .redirectError(folder.resolve("errors").toFile()).start();
        assertThat(tshark.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(folder.resolve("errors"))).doesNotContain("damaged");
        String[] lines = Files.readString(answer, StandardCharsets.UTF_8).split("\n");
        assertThat(lines).hasSize(300);
        assertThat(lines[0]).isEqualTo("1780000000.123456789\t42\t42\t2000\tlab");
        assertThat(lines[201]).isEqualTo("1780000000.123657789\t" + (42 + 201 * 37 % 9000) + "\t96\t2000\tother");
    }
}
