package io.manafold.commands.net.internal;

import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Map;

/**
 * What stands before the object of an {@code ip} call.
 *
 * @param family 4 or 6, 0 for both
 */
record IpOptions(int family, boolean statistics, boolean details, boolean brief, boolean oneLine) {
    /** By the shortest spelling, each with the longest one. */
    static final Map<String, String> SPELLINGS = Map.of("-4", "-4", "-6", "-6", "-s", "-statistics", "-d", "-details",
            "-br", "-brief", "-o", "-oneline", "-p", "-pretty");

    static IpOptions read(IpWords words) {
        int family = 0;
        boolean statistics = false;
        boolean details = false;
        boolean brief = false;
        boolean oneLine = false;
        while (!words.isEmpty() && words.peek().startsWith("-")) {
            String word = words.take();
            switch (shortest(word.startsWith("--") ? word.substring(1) : word)) {
                case "-4" -> family = 4;
                case "-6" -> family = 6;
                case "-s" -> statistics = true;
                case "-d" -> details = true;
                case "-br" -> brief = true;
                case "-o" -> oneLine = true;
                case "-p" -> { }
                case "-f" -> family = family(words.valueOf(word));
                default -> throw UsageError.unknown("option of ip", word,
                        List.of("-4", "-6", "-s", "-d", "-br", "-o", "-j", "--json", "--help"));
            }
        }
        return new IpOptions(family, statistics, details, brief, oneLine);
    }

    private static int family(String text) {
        return switch (text) {
            case "inet" -> 4;
            case "inet6" -> 6;
            default -> throw UsageError.unknown("family", text, List.of("inet", "inet6"));
        };
    }

    private static String shortest(String word) {
        if (word.equals("-stats")) {
            return "-s";
        }
        if ("-family".startsWith(word) && word.length() > 1) {
            return "-f";
        }
        return SPELLINGS.entrySet().stream()
                .filter(one -> word.startsWith(one.getKey()) && one.getValue().startsWith(word)).findFirst()
                .map(Map.Entry::getKey).orElse(word);
    }

    boolean wants(int version) {
        return family == 0 || family == version;
    }
}
