package io.manafold.commands.lab.internal;

import io.manafold.api.fabric.PacketRule;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which RoCEv2 packets are meant: {@code qpn=0x101,opcode=send-only}. */
final class PacketWords {
    static final String ANY = "any";
    private static final List<String> KEYS = List.of("qpn", "psn", "opcode", "ecn");
    private static final List<String> ECN = List.of("not-ect", "ect1", "ect0", "ce");
    private static final Pattern NUMBER = Pattern.compile("0[xX]([0-9a-fA-F]{1,8})|([0-9]{1,9})");
    private static final Map<String, Integer> OPCODES = opcodes();

    /** The values of the four keys, {@link PacketRule#ANY} for those that are left out. */
    record Match(int queuePair, int sequence, int opcode, int ecn) {
    }

    private PacketWords() {
    }

    private static Map<String, Integer> opcodes() {
        Map<String, Integer> all = new LinkedHashMap<>();
        List<String> connected = List.of("send-first", "send-middle", "send-last", "send-last-imm", "send-only",
                "send-only-imm", "write-first", "write-middle", "write-last", "write-last-imm", "write-only",
                "write-only-imm", "read-request", "read-response-first", "read-response-middle", "read-response-last",
                "read-response-only", "ack", "atomic-ack", "compare-swap", "fetch-add");
        for (int code = 0; code < connected.size(); code++) {
            all.put(connected.get(code), code);
        }
        all.put("send-last-inv", 0x16);
        all.put("send-only-inv", 0x17);
        all.put("ud-send", 0x64);
        all.put("ud-send-imm", 0x65);
        all.put("cnp", 0x81);
        return all;
    }

    /** All names of opcodes, for help. */
    static String opcodeNames() {
        return String.join(", ", OPCODES.keySet());
    }

    static Match read(String option, String text) {
        Map<String, Integer> values = new LinkedHashMap<>();
        for (String part : text.equals(ANY) ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part : part.substring(0, equals);
            if (!KEYS.contains(key) || equals < 0) {
                throw new UsageError(option + " takes what packets have in common, as in qpn=0x101,opcode=send-only, "
                        + "or " + ANY + "; the keys are " + String.join(", ", KEYS) + ", not '" + part + "'.");
            }
            if (values.put(key, value(key, part.substring(equals + 1))) != null) {
                throw new UsageError(option + " has " + key + " twice.");
            }
        }
        return new Match(of(values, "qpn"), of(values, "psn"), of(values, "opcode"), of(values, "ecn"));
    }

    private static int of(Map<String, Integer> values, String key) {
        return values.getOrDefault(key, PacketRule.ANY);
    }

    private static int value(String key, String text) {
        return switch (key) {
            case "opcode" -> OPCODES.containsKey(text) ? OPCODES.get(text) : number(key, text, 0xff,
                    "; its names are " + opcodeNames());
            case "ecn" -> ECN.contains(text) ? ECN.indexOf(text) : number(key, text, 3,
                    "; its names are " + String.join(", ", ECN));
            default -> number(key, text, 0xff_ffff, "");
        };
    }

    private static int number(String key, String text, int most, String names) {
        Matcher parts = NUMBER.matcher(text);
        if (parts.matches()) {
            long number = parts.group(1) == null ? Long.parseLong(parts.group(2)) : Long.parseLong(parts.group(1), 16);
            if (number <= most) {
                return (int) number;
            }
        }
        throw new UsageError(key + " is a number from 0 to 0x" + Integer.toHexString(most) + ", not '" + text + "'"
                + names + ".");
    }

    /** As it can be typed. */
    static String show(PacketRule rule) {
        List<String> parts = new ArrayList<>();
        add(parts, "qpn", rule.queuePair(), "0x" + Integer.toHexString(rule.queuePair()));
        add(parts, "psn", rule.sequence(), "0x" + Integer.toHexString(rule.sequence()));
        add(parts, "opcode", rule.opcode(), opcode(rule.opcode()));
        add(parts, "ecn", rule.ecn(), rule.ecn() < 0 ? "" : ECN.get(rule.ecn()));
        return parts.isEmpty() ? ANY : String.join(",", parts);
    }

    private static void add(List<String> parts, String key, int value, String shown) {
        if (value != PacketRule.ANY) {
            parts.add(key + "=" + shown);
        }
    }

    private static String opcode(int code) {
        return OPCODES.entrySet().stream().filter(one -> one.getValue() == code).map(Map.Entry::getKey).findFirst()
                .orElse("0x" + Integer.toHexString(code));
    }
}
