package io.manafold.netshaper.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.netshaper.internal.Rig;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests that are wrong, each with the number, the place and the missing attribute that a kernel answers. They are
 * written in bytes: {@code I} is the device, {@code H}, {@code Q}, {@code N} handles of the netdev, a queue and a node.
 */
@Timeout(300)
class RefusalsTest {
    private static final int EINVAL = 22;
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("I", "08000800 02000000"), Map.entry("C", "08000100 02000000"),
            Map.entry("H", "0c000180 08000100 01000000"), Map.entry("U", "0c000180 08000100 00000000"),
            Map.entry("Q1", "14000180 08000100 02000000 08000200 01000000"),
            Map.entry("Q99", "14000180 08000100 02000000 08000200 63000000"),
            Map.entry("Q", "0c000180 08000100 02000000"), Map.entry("N", "0c000180 08000100 03000000"),
            Map.entry("N0", "14000180 08000100 03000000 08000200 00000000"),
            Map.entry("N7", "14000180 08000100 03000000 08000200 07000000"),
            Map.entry("PN0", "14000980 08000100 03000000 08000200 00000000"),
            Map.entry("PN7", "14000980 08000100 03000000 08000200 07000000"),
            Map.entry("PN", "0c000980 08000100 03000000"), Map.entry("PD", "0c000980 08000100 01000000"),
            Map.entry("PQ", "14000980 08000100 02000000 08000200 01000000"),
            Map.entry("PU", "0c000980 08000100 00000000"),
            Map.entry("L0", "18000a80 14000180 08000100 02000000 08000200 00000000"),
            Map.entry("L1", "18000a80 14000180 08000100 02000000 08000200 01000000"),
            Map.entry("L99", "18000a80 14000180 08000100 02000000 08000200 63000000"),
            Map.entry("L1W", "20000a80 14000180 08000100 02000000 08000200 01000000 08000700 02000000"),
            Map.entry("L1M", "20000a80 14000180 08000100 02000000 08000200 01000000 08000400 02000000"),
            Map.entry("LD", "10000a80 0c000180 08000100 01000000"), Map.entry("LE", "04000a80"),
            Map.entry("LW", "0c000a80 08000700 02000000"), Map.entry("M", "08000400 e8030000"),
            Map.entry("PPS", "08000200 01000000"), Map.entry("W", "08000700 02000000"),
            Map.entry("P", "08000600 02000000"), Map.entry("B", "08000500 02000000"));

    private final Rig rig = new Rig(8);

    private static byte[] message(int command, boolean dumps, String words) {
        StringBuilder hex = new StringBuilder();
        for (String word : words.strip().split(" +")) {
            hex.append(WORDS.getOrDefault(word, word.equals("-") ? "" : word).replace(" ", ""));
        }
        byte[] attributes = HexFormat.of().parseHex(hex);
        byte[] message = new byte[Netlink.GENERIC_HEADER + attributes.length];
        Netlink.put32(message, 0, message.length);
        Netlink.put16(message, 4, Server.FAMILY_ID);
        Netlink.put16(message, 6, Netlink.REQUEST | (dumps ? Netlink.DUMP : Netlink.ACK));
        message[16] = (byte) command;
        message[17] = 1;
        System.arraycopy(attributes, 0, message, Netlink.GENERIC_HEADER, attributes.length);
        return message;
    }

    /**
     * The number, then what there is beyond the sentence: {@code @} place, {@code ?} missing, {@code in} nest,
     * {@code rule}.
     */
    private static String shape(byte[] answer) {
        List<String> shape = new ArrayList<>();
        shape.add("" + -Netlink.get32(answer, Netlink.HEADER));
        for (String part : Rig.attributes(answer)) {
            byte[] value = HexFormat.of().parseHex(part.substring(part.indexOf(' ') + 1));
            switch (part.substring(0, part.indexOf(' '))) {
                case "1" -> { }
                case "2" -> shape.add("@" + Netlink.get32(value, 0));
                case "4" -> shape.add("rule");
                case "5" -> shape.add("?" + Netlink.get32(value, 0));
                case "6" -> shape.add("in" + Netlink.get32(value, 0));
                default -> shape.add(part);
            }
        }
        return String.join(" ", shape);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 do   | H                                | 22 ?8
            1 dump | -                                | 22 ?8
            5 do   | 0800020001000000                 | 22 ?1
            1 do   | 0800080063000000 H               | 2 @20
            2 do   | 0800080063000000 H M             | 2 @20
            1 dump | 0800080063000000                 | 2 @20
            1 do   | 0800080003000000 H               | 95 @20
            1 do   | 060008000200 0000 H              | 22 @20 rule
            2 do   | I H 060004000100 0000            | 22 @40 rule
            2 do   | I H 10000400000000000000000000000000 | 22 @40 rule
            1 do   | I 0c00010008000100 01000000      | 22 @28 rule
            1 do   | I H PD                           | 22 @40
            1 do   | I H W                            | 22 @40
            2 do   | I H 08000b0001000000             | 22 @40
            1 do   | I H 08000900 01000000            | 22 @40
            1 do   | I H 0000                         | 22
            1 do   | I H 040000                       | 22
            1 do   | I 0c000180 08000100 04000000     | 34 @32 rule
            2 do   | I H 0800020002000000 M           | 34 @40 rule
            1 do   | I 14000180 08000100 03000000 08000200 ffffff03 | 34 @40 rule
            1 do   | I                                | 22 ?1
            2 do   | I M                              | 22 ?1
            3 do   | I                                | 22 ?1
            4 do   | I L1                             | 22 ?1
            1 do   | I 0c000180 08000200 01000000     | 22 ?1 in28
            1 do   | I 04000180                       | 22 ?1 in28
            1 do   | I Q                              | 22 ?2 in28
            2 do   | I Q M                            | 22 ?2 in28
            1 do   | I 14000180 08000100 01000000 08000200 01000000 | 22 @40
            2 do   | I U M                            | 22 @28
            4 do   | I U L1                           | 22 @28
            1 do   | I U                              | 2 @28
            3 do   | I U                              | 2
            1 do   | I N                              | 2 @28
            2 do   | I N M                            | 2
            3 do   | I N                              | 2
            1 do   | I Q99                            | 2 @28
            3 do   | I Q99                            | 2
            2 do   | I Q99 M                          | 2
            2 do   | I N7 M                           | 2
            3 do   | I H                              | 2
            4 do   | I N                              | 22 ?10
            4 do   | I Q1 L1                          | 22 @28
            4 do   | I N PQ L1                        | 22 @40
            4 do   | I N PU L1                        | 22 @40
            4 do   | I N LE                           | 22 ?1
            4 do   | I N LW                           | 22 ?1
            4 do   | I N LD                           | 22 @44
            4 do   | I N L1M                          | 22 @64
            4 do   | I N L0 L1 L1                     | 22 @88
            4 do   | I N L99                          | 2
            4 do   | I N7 L1                          | 2
            4 do   | I N PN7 L1                       | 2
            4 do   | I N PN L1                        | 2
            5 do   | C                                | 22 ?2
            5 dump | C 0800020001000000               | 22 @28
            9 do   | I                                | 95
            2 dump | I                                | 95
            """)
    void aWrongRequest(String operation, String words, String expected) {
        rig.done("set", Map.of("handle", Rig.handle("queue", 3), "weight", 5));
        byte[] answer = rig.last(message(operation.charAt(0) - '0', operation.endsWith("dump"), words));
        assertThat(shape(answer)).isEqualTo(expected);
        assertThat(Rig.text(answer)).endsWith(".");
        assertThat(rig.tree()).isEqualTo("queue 3");
    }

    @Test
    void parentsThatDoNotFit() {
        rig.done("group", Map.of("handle", Rig.handle("node"), "leaves", List.of(Rig.leaf(0, 1))));
        rig.done("group", Map.of("handle", Rig.handle("node"), "leaves", List.of(Rig.leaf(1, 1))));
        assertThat(rig.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, node 0, node 1");
        assertThat(shape(rig.last(message(4, false, "I N L0 L1")))).isEqualTo("22");
        assertThat(shape(rig.last(message(4, false, "I N7 L1")))).isEqualTo("2");
        byte[] moved = rig.last(message(4, false, "I 14000180 08000100 03000000 08000200 01000000 PN0 L1"));
        assertThat(shape(moved)).isEqualTo("95");
        assertThat(Rig.text(moved)).contains("3:1");
        rig.ops.capabilities.get(ShaperScope.NODE).remove(ShaperCapability.NESTING);
        assertThat(shape(rig.last(message(4, false, "I N PN0 L1")))).isEqualTo("95");
        assertThat(rig.tree()).isEqualTo("queue 0 in node 0, queue 1 in node 1, node 0, node 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            I Q1 W       | BW_MAX METRIC_BPS          | 95 @48
            I Q1 P W M B | METRIC_BPS                 | 95 @72
            I Q1 B P W   | METRIC_BPS                 | 95 @48
            I Q1 M       | ''                         | 95 @28
            I Q99 W      | METRIC_BPS                 | 95 @48
            I Q99 M      | BW_MAX METRIC_PPS          | 2
            I Q1 M       | BW_MAX METRIC_PPS          | 95
            I Q1 M PPS   | BW_MAX METRIC_BPS          | 95
            """)
    void whatTheDeviceCannotDo(String words, String able, String expected) {
        Set<ShaperCapability> capabilities = EnumSet.noneOf(ShaperCapability.class);
        for (String word : able.split(" ")) {
            if (!word.isEmpty()) {
                capabilities.add(ShaperCapability.valueOf(word));
            }
        }
        rig.ops.capabilities.put(ShaperScope.QUEUE, capabilities);
        assertThat(shape(rig.last(message(2, false, words)))).isEqualTo(expected);
        assertThat(rig.ops.calls).isEmpty();
        assertThat(rig.dump()).isEmpty();
    }

    @Test
    void aMetricAloneIsTakenAndBitesLater() {
        rig.ops.capabilities.put(ShaperScope.QUEUE, EnumSet.of(ShaperCapability.METRIC_BPS, ShaperCapability.BW_MAX));
        assertThat(shape(rig.last(message(2, false, "I Q1 PPS")))).isEqualTo("0");
        byte[] later = rig.last(message(2, false, "I Q1 M"));
        assertThat(shape(later)).isEqualTo("95");
        assertThat(Rig.text(later)).contains("pps").contains("(1)");
    }

    @Test
    void groupsNeedADriverThatCan() {
        rig.ops.groups = false;
        assertThat(shape(rig.last(message(4, false, "I N")))).isEqualTo("22 ?10");
        assertThat(shape(rig.last(message(4, false, "I U L1")))).isEqualTo("95");
        rig.ops.groups = true;
        rig.ops.capabilities.get(ShaperScope.QUEUE).remove(ShaperCapability.NESTING);
        assertThat(shape(rig.last(message(4, false, "I N L1")))).isEqualTo("95");
        assertThat(shape(rig.last(message(4, false, "I H L1")))).isEqualTo("0");
        rig.ops.capabilities.get(ShaperScope.QUEUE).remove(ShaperCapability.WEIGHT);
        assertThat(shape(rig.last(message(4, false, "I H L1W")))).isEqualTo("95 @64");
    }

    @Test
    void onlyAdministratorsChangeAnything() {
        Caller user = new Caller(0x77, false, true, true);
        byte[] empty = message(2, false, "-");
        assertThat(shape(rig.server.handle(empty, user).getLast())).isEqualTo("1");
        assertThat(shape(rig.server.handle(message(5, false, "C 0800020001000000"), user).getLast())).isEqualTo("0");
    }

    @Test
    void capabilitiesOfAScopeThatHasNone() {
        rig.ops.capabilities.put(ShaperScope.NODE, Set.of());
        assertThat(shape(rig.last(message(5, false, "C 0800020003000000")))).isEqualTo("95");
    }

    @Test
    void aBrokenRuleIsDescribed() {
        byte[] answer = rig.last(message(1, false, "I 0c000180 08000100 04000000"));
        assertThat(Rig.attributes(answer)).contains("4 " + "0c00040000000000000000000c0005000300000000000000"
                + "0800010004000000");
        answer = rig.last(message(1, false, "I 0c00010008000100 01000000"));
        assertThat(Rig.attributes(answer)).contains("4 080001000d000000");
        assertThat(-Netlink.get32(answer, Netlink.HEADER)).isEqualTo(EINVAL);
    }
}
