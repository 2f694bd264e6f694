package io.manafold.netshaper.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.wire.MessageWriter;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages as a kernel takes and gives them, byte for byte. */
@Timeout(300)
class WireExamplesTest {
    private static final String SET = """
            3c 00 00 00 1c 00 05 00 21 00 00 00 00 00 00 00 02 01 00 00 08 00 08 00 02 00 00 00
            0c 00 01 80 08 00 01 00 01 00 00 00 08 00 02 00 00 00 00 00 0c 00 04 00 00 e4 0b 54 02 00 00 00""";
    private static final String QUEUE_99 = """
            3c 00 00 00 1c 00 05 00 24 00 00 00 00 00 00 00 02 01 00 00 08 00 08 00 02 00 00 00
            14 00 01 80 08 00 01 00 02 00 00 00 08 00 02 00 63 00 00 00 0c 00 04 00 00 e4 0b 54 02 00 00 00""";

    private final Rig rig = new Rig(8);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    private List<String> answers(String hex) {
        return rig.server.handle(bytes(hex), Rig.ADMIN).stream().map(HexFormat.of()::formatHex).toList();
    }

    private static String hex(String hex) {
        return hex.replaceAll("\\s", "");
    }

    @Test
    void aSetIsAcknowledgedAndReadBack() {
        assertThat(answers(SET)).containsExactly(hex("""
                24 00 00 00 02 00 00 01 21 00 00 00 77 00 00 00 00 00 00 00
                3c 00 00 00 1c 00 05 00 21 00 00 00 00 00 00 00"""));
        assertThat(answers("""
                28 00 00 00 1c 00 01 00 22 00 00 00 00 00 00 00 01 01 00 00
                08 00 08 00 02 00 00 00 0c 00 01 80 08 00 01 00 01 00 00 00""")).containsExactly(hex("""
                3c 00 00 00 1c 00 00 00 22 00 00 00 77 00 00 00 01 01 00 00
                08 00 08 00 02 00 00 00 0c 00 01 80 08 00 01 00 01 00 00 00
                08 00 02 00 00 00 00 00 0c 00 04 00 00 e4 0b 54 02 00 00 00"""));
    }

    @Test
    void aGroupAnswersItsNode() {
        assertThat(answers("""
                7c 00 00 00 1c 00 05 00 25 00 00 00 00 00 00 00 04 01 00 00 08 00 08 00 02 00 00 00
                0c 00 01 80 08 00 01 00 03 00 00 00 08 00 02 00 00 00 00 00 0c 00 04 00 00 f2 05 2a 01 00 00 00
                20 00 0a 80 14 00 01 80 08 00 01 00 02 00 00 00 08 00 02 00 00 00 00 00 08 00 07 00 03 00 00 00
                20 00 0a 80 14 00 01 80 08 00 01 00 02 00 00 00 08 00 02 00 01 00 00 00 08 00 07 00 02 00 00 00"""))
                .containsExactly(hex("""
                        30 00 00 00 1c 00 00 00 25 00 00 00 77 00 00 00 04 01 00 00 08 00 08 00 02 00 00 00
                        14 00 01 80 08 00 01 00 03 00 00 00 08 00 02 00 00 00 00 00"""), hex("""
                        24 00 00 00 02 00 00 01 25 00 00 00 77 00 00 00 00 00 00 00
                        7c 00 00 00 1c 00 05 00 25 00 00 00 00 00 00 00"""));
    }

    @Test
    void aRefusalRepeatsTheHeaderOrAll() {
        String capped = answers(QUEUE_99).getFirst();
        assertThat(capped.substring(8, 72)).isEqualTo(hex("""
                02 00 00 03 24 00 00 00 77 00 00 00 fe ff ff ff
                3c 00 00 00 1c 00 05 00 24 00 00 00 00 00 00 00"""));
        assertThat(Rig.text(bytes(capped))).contains("queue 99").contains("8 queues");
        String whole = HexFormat.of().formatHex(rig.server.handle(bytes(QUEUE_99), new Caller(0x77, true, false, true))
                .getFirst());
        assertThat(whole.substring(8, 40)).isEqualTo(hex("02 00 00 02 24 00 00 00 77 00 00 00 fe ff ff ff"));
        assertThat(whole).contains(hex(QUEUE_99));
        assertThat(Rig.text(bytes(whole))).isEqualTo(Rig.text(bytes(capped)));
        assertThat(HexFormat.of().formatHex(rig.server.handle(bytes(QUEUE_99), new Caller(0x77, true, true, false))
                .getFirst())).isEqualTo(hex("""
                24 00 00 00 02 00 00 01 24 00 00 00 77 00 00 00 fe ff ff ff
                3c 00 00 00 1c 00 05 00 24 00 00 00 00 00 00 00"""));
    }

    @Test
    void capabilitiesAreFlags() {
        assertThat(answers("""
                24 00 00 00 1c 00 01 00 27 00 00 00 00 00 00 00 05 01 00 00 08 00 01 00 02 00 00 00
                08 00 02 00 02 00 00 00""")).containsExactly(hex("""
                44 00 00 00 1c 00 00 00 27 00 00 00 77 00 00 00 05 01 00 00 08 00 01 00 02 00 00 00 08 00 02 00 02 00 00 00
                04 00 03 00 04 00 04 00 04 00 05 00 04 00 06 00 04 00 07 00 04 00 08 00 04 00 09 00 04 00 0a 00"""));
    }

    @Test
    void wordsBecomeTheSameBytes() {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("ifindex", 2);
        words.put("handle", Rig.handle("netdev"));
        words.put("metric", "bps");
        words.put("bw-max", 10_000_000_000L);
        byte[] message = new MessageWriter().begin(28, 5, 0x21, 0).generic(2, 1)
                .attributes(Family.NET_SHAPER.set("shaper"), words).end().bytes();
        assertThat(message).isEqualTo(bytes(SET));
    }

    @Test
    void sixtyFourQueuesFitIntoOneDatagram() {
        Rig wide = new Rig(64);
        for (int i = 0; i < 64; i++) {
            wide.done("set", Map.of("handle", Rig.handle("queue", i), "metric", "bps", "bw-min", 1000 + i, "bw-max",
                    100_000 + i, "burst", 10 + i, "priority", 1 + i, "weight", 2 + i));
        }
        List<byte[]> dump = wide.server.handle(Rig.request("get", true, Map.of()), Rig.ADMIN);
        assertThat(dump).hasSize(1);
        assertThat(dump.getFirst()).hasSize(6932);
        assertThat(HexFormat.of().formatHex(dump.getFirst()).substring(2 * 6912)).isEqualTo(hex("""
                14 00 00 00 03 00 02 00 21 00 00 00 77 00 00 00 00 00 00 00"""));
        assertThat(wide.dump()).hasSize(64);
    }

    @Test
    void aLongDumpGoesOnInAnotherDatagram() {
        Rig wide = new Rig(1000);
        for (int i = 0; i < 1000; i++) {
            wide.done("set", Map.of("handle", Rig.handle("queue", i), "weight", 1));
        }
        List<byte[]> dump = wide.server.handle(Rig.request("get", true, Map.of()), Rig.ADMIN);
        assertThat(dump).hasSizeGreaterThan(1).allSatisfy(part -> assertThat(part.length).isLessThan(33_000));
        assertThat(wide.dump()).hasSize(1000).isSortedAccordingTo((a, b) -> Long.compare(id(a), id(b)));
    }

    private static long id(Map<String, Object> reply) {
        return (long) ((Map<?, ?>) reply.get("handle")).get("id");
    }

    @Test
    void theControllerKnowsTheFamily() {
        byte[] request = new MessageWriter().begin(0x10, 5, 7, 0).generic(3, 1).text(2, "net-shaper").end().bytes();
        List<byte[]> answers = rig.server.handle(request, Rig.ADMIN);
        assertThat(answers).hasSize(2);
        assertThat(HexFormat.of().formatHex(answers.getFirst()).substring(8)).isEqualTo(hex("""
                10 00 00 00 07 00 00 00 77 00 00 00 01 02 00 00
                0f 00 02 00 6e 65 74 2d 73 68 61 70 65 72 00 00 06 00 01 00 1c 00 00 00
                08 00 03 00 01 00 00 00 08 00 04 00 00 00 00 00 08 00 05 00 00 00 00 00 68 00 06 00
                14 00 01 00 08 00 01 00 01 00 00 00 08 00 02 00 0e 00 00 00
                14 00 02 00 08 00 01 00 02 00 00 00 08 00 02 00 0b 00 00 00
                14 00 03 00 08 00 01 00 03 00 00 00 08 00 02 00 0b 00 00 00
                14 00 04 00 08 00 01 00 04 00 00 00 08 00 02 00 0b 00 00 00
                14 00 05 00 08 00 01 00 05 00 00 00 08 00 02 00 0e 00 00 00"""));
        byte[] unknown = new MessageWriter().begin(0x10, 5, 7, 0).generic(3, 1).text(2, "nothing").end().bytes();
        assertThat(HexFormat.of().formatHex(rig.last(unknown))).contains("feffffff");
    }
}
