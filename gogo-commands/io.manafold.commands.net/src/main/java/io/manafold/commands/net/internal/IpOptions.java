package io.manafold.commands.net.internal;

import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Map;

/**
 * What stands before the object of an {@code ip} call.
 *
 * @param family 4 or 6, 0 for both
 * @param errors whether counters of errors are wanted one by one: statistics were asked for twice
 * @param stamps how lines of {@code ip monitor} tell the time
 */
record IpOptions(int family, boolean statistics, boolean errors, boolean details, boolean brief, boolean oneLine,
        Stamps stamps) {
    /** How the time of a change is told. */
    enum Stamps {
        NONE, LINE, SHORT
    }

    /** By the shortest spelling, each with the longest one. */
    static final Map<String, String> SPELLINGS = Map.of("-4", "-4", "-6", "-6", "-s", "-statistics", "-d", "-details",
            "-br", "-brief", "-o", "-oneline", "-p", "-pretty", "-t", "-timestamp", "-ts", "-tshort");

    static IpOptions read(IpWords words) {
        int family = 0;
        int statistics = 0;
        boolean details = false;
        boolean brief = false;
        boolean oneLine = false;
        Stamps stamps = Stamps.NONE;
        while (!words.isEmpty() && words.peek().startsWith("-")) {
            String word = words.take();
            switch (shortest(word.startsWith("--") ? word.substring(1) : word)) {
                case "-4" -> family = 4;
                case "-6" -> family = 6;
                case "-s" -> statistics++;
                case "-d" -> details = true;
                case "-br" -> brief = true;
                case "-o" -> oneLine = true;
                case "-t" -> stamps = Stamps.LINE;
                case "-ts" -> stamps = Stamps.SHORT;
                case "-p" -> { }
                case "-f" -> family = family(words.valueOf(word));
                default -> throw UsageError.unknown("option of ip", word,
                        List.of("-4", "-6", "-s", "-d", "-br", "-o", "-t", "-ts", "-j", "--json", "--help"));
            }
        }
        return new IpOptions(family, statistics > 0, statistics > 1, details, brief, oneLine, stamps);
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
        if (word.equals("-t")) {
            return "-t";
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
