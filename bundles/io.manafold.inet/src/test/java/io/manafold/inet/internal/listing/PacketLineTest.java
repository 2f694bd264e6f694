package io.manafold.inet.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.packet.PcapngWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketLineTest {
    private static final String MACS = "0200000000020200000000 01";
    private static final String V4 = "0a4d00010a4d0002";
    private static final String V6 = "fd770000000000000000000000000001fd770000000000000000000000000002";

    @TempDir
    Path folder;

    private static byte[] hex(String... parts) {
        return HexFormat.of().parseHex(String.join("", parts).replace(" ", ""));
    }

    private static byte[] ipv4(String ethernet, String place, int protocol, String behind) {
        int total = 20 + hex(behind).length;
        return hex(MACS, ethernet, "0800", "4500", "%04x".formatted(total), "1234", place, "40",
                "%02x".formatted(protocol), "0000", V4, behind);
    }

    private static byte[] ipv6(int next, String behind) {
        return hex(MACS, "86dd", "60000000", "%04x".formatted(hex(behind).length), "%02x".formatted(next), "40", V6,
                behind);
    }

    private static byte[] tcp(String flags, String options, String payload) {
        int words = 5 + hex(options).length / 4;
        return ipv4("", "4000", 6, "9c40 1389 fffffffe 00000b0c %x%s 7210 0000 0007".formatted(words, flags) + options
                + payload);
    }

    /** What has a line here that others print the same way. */
    static List<byte[]> frames() {
        String ping = "0000 0007 0003".replace(" ", "") + "00".repeat(56);
        List<byte[]> frames = new ArrayList<>(List.of(
                ipv4("", "4000", 1, "0800" + ping), ipv4("", "0000", 1, "0000" + ping),
                ipv4("", "0000", 1, "0303 0000 00000000 4500001c 00000000 40110000" + V4 + "1000 0fa0 0008 0000"),
                ipv4("", "0000", 1, "0303 0000 00000000 4500001c 00000000 40060000" + V4 + "1000 0fa0 0008 0000"),
                ipv4("", "0000", 1, "0301 0000 00000000 4500001c 00000000 40110000" + V4 + "1000 0fa0 0008 0000"),
                ipv4("", "0000", 1, "0300 0000 00000000 4500001c 00000000 40110000" + V4 + "1000 0fa0 0008 0000"),
                ipv4("", "0000", 1, "0302 0000 00000000 4500001c 00000000 40630000" + V4 + "1000 0fa0 0008 0000"),
                ipv4("", "0000", 1, "0304 0000 00000500 4500001c 00000000 40110000" + V4 + "1000 0fa0 0008 0000"),
                ipv4("", "0000", 1, "0b00 0000 00000000 4500001c 00000000 40110000" + V4 + "1000 0fa0 0008 0000"),
                tcp("002", "020405b4 0402 080a 00000001 00000002 01 030307", ""), tcp("018", "", "0102030405"),
                tcp("010", "0101 080a ffffffff 00000002", ""), tcp("011", "", ""), tcp("004", "", ""),
                tcp("014", "", ""), tcp("030", "", "01"), tcp("0d0", "", ""), tcp("000", "", ""),
                tcp("010", "0101 050a 00000001 00000009", ""),
                tcp("010", "0101 0512 00000001 00000009 00000011 00000019", ""), tcp("010", "00000000", ""),
                tcp("010", "63 06 0102 0304 0101", ""), ipv4("", "4000", 17, "03e8 0fa0 000c 0000 01020304"),
                ipv4("8100 6005", "4000", 17, "03e8 0fa0 0008 0000"), ipv4("88a8 0007 8100 3005", "4000", 17,
                "03e8 0fa0 0008 0000"), ipv4("", "4000", 200, "0102030405"),
                hex("ffffffffffff 020000000001 0806 0001 0800 06 04 0001 020000000001 0a4d0001 000000000000 0a4d0002"),
                hex("ffffffffffff 020000000001 0806 0001 0800 06 04 0001 020000000001 0a4d0001 020000000002 0a4d0002",
                "00".repeat(18)), hex(MACS, "0806 0001 0800 06 04 0002 020000000001 0a4d0001 020000000002 0a4d0002"),
                ipv6(58, "8000" + ping), ipv6(58, "8100" + ping), ipv6(17, "03e8 0fa0 000c 0000 01020304"),
                ipv6(6, "9c40 1389 00000001 00000002 5012 0100 0000 0000"),
                ipv6(58, "8700 0000 00000000 fe800000000000000000000000000002 0101 020000000001"),
                ipv6(58, "8800 0000 60000000 fe800000000000000000000000000002 0201 020000000001"),
                ipv6(58, "8500 0000 00000000")));
        return frames;
    }

    private static String line(boolean link, byte[] frame) {
        return new PacketLine(link).of(new PacketBytes(frame, 0, frame.length), frame.length);
    }

    @Test
    void linesAreThoseThatReadersKnow() {
        assertThat(line(false, frames().getFirst()))
                .isEqualTo("IP 10.77.0.1 > 10.77.0.2: ICMP echo request, id 7, seq 3, length 64");
        assertThat(line(true, hex(MACS, "88b5", "00".repeat(46)))).isEqualTo(
                "02:00:00:00:00:01 > 02:00:00:00:00:02, ethertype Unknown (0x88b5), length 60:");
        assertThat(line(false, hex(MACS, "88b5", "00".repeat(46)))).startsWith("02:00:00:00:00:01 >");
        assertThat(line(false, new byte[9])).isEqualTo("[|ether]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherProgramPrintsTheSame(boolean link) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tcpdump")), "tcpdump is not installed");
        Path file = folder.resolve("frames.pcapng");
        List<byte[]> frames = frames();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                PcapngWriter writer = new PcapngWriter(channel, "test", 4096)) {
            int place = writer.addInterface("mana0", 0);
            for (byte[] frame : frames) {
                writer.frame(place, 0, frame, 0, frame.length, frame.length);
            }
        }
        List<String> command = new ArrayList<>(List.of("/usr/bin/tcpdump", "-n", "-t", "-S", "-r", file.toString()));
        if (link) {
            command.add("-e");
        }
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(frames.stream().map(frame -> line(link, frame))).containsExactlyElementsOf(
                Arrays.asList(out.split("\n")).stream().map(String::stripTrailing).toList());
    }

    @Test
    void anyBytesAreALineOfNumbers() {
        SplittableRandom random = new SplittableRandom(7);
        List<byte[]> frames = frames();
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = frames.get(random.nextInt(frames.size())).clone();
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int kept = random.nextInt(bytes.length + 1);
            int length = random.nextBoolean() ? bytes.length : kept + random.nextInt(70_000);
            String line = new PacketLine(random.nextBoolean()).of(new PacketBytes(bytes, 0, kept), length);
            assertThat(line).hasSizeLessThan(1000);
            assertThat(line.chars().allMatch(c -> c >= ' ' && c < 0x7f)).isTrue();
        }
    }
}
