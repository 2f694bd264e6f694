package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.RawMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Frames of another stack, each with a line that says what it is. */
class SoftRoceTest {
    private static final Pattern PSN = Pattern.compile("PSN 0x([0-9a-f]{6})");
    private static final Pattern PAIR = Pattern.compile("QPN 0x([0-9a-f]+)");
    private static final Pattern MSN = Pattern.compile("MSN (\\d+)");

    private final long memory = Native.allocate(8192);
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();

    static List<String> lines() throws IOException {
        try (InputStream in = SoftRoceTest.class.getResourceAsStream("softroce.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("##")
                    && !line.isBlank()).toList();
        }
    }

    @Test
    void eachFrameIsReadWithARightCrcAndWrittenAsItWas() throws IOException {
        List<String> lines = lines();
        assertThat(lines).hasSizeGreaterThan(100);
        for (int i = 0; i < lines.size(); i += 2) {
            assertThat(lines.get(i)).startsWith("# ");
            check(lines.get(i), Native.bytes(lines.get(i + 1)));
        }
    }

    private void check(String what, byte[] frame) {
        RawMemory.copy(frame, 0, memory, frame.length);
        assertThat(packet.read(memory, Math.min(frame.length, Packet.HEAD), frame.length)).as(what).isZero();
        icrc.begin(memory, packet.headerBytes);
        icrc.update(memory + packet.headerBytes, packet.icrcOffset() - packet.headerBytes);
        assertThat(icrc.value()).as(what).isEqualTo(RawMemory.get32(memory + packet.icrcOffset()));
        assertThat(packet.frameBytes()).as(what).isEqualTo(frame.length);
        assertNumber(what, PSN, 16, packet.psn);
        assertNumber(what, PAIR, 16, packet.queuePair);
        assertNumber(what, MSN, 10, packet.msn);
        String kind = what.substring(2, what.indexOf(':')).replaceFirst(" \\(.*", "").replace(" with", "")
                .replace(" and", "");
        assertThat(Opcode.label(packet.opcode)).as(what)
                .isEqualTo(kind.startsWith("CM ") ? "ud-send-only" : kind.toLowerCase(Locale.ROOT).replace(' ', '-'));
        if (kind.matches("compare.*|fetch.*|atomic.*")) {
            // what is never sent here
            return;
        }
        byte[] before = Native.at(memory, packet.headerBytes);
        packet.write(memory);
        byte[] after = Native.at(memory, packet.headerBytes);
        for (int at : packet.ipv6 ? new int[] {} : new int[] {18, 19, 24, 25}) {
            after[at] = before[at];
        }
        assertThat(after).as(what).isEqualTo(before);
    }

    private static void assertNumber(String what, Pattern pattern, int radix, int actual) {
        Matcher matcher = pattern.matcher(what);
        if (matcher.find()) {
            assertThat(actual).as(what).isEqualTo(Integer.parseInt(matcher.group(1), radix));
        }
    }
}
