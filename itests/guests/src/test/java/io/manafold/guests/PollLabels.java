package io.manafold.guests;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What testpmd says to each line of a file, without values: so that what two programs say can be compared. */
final class PollLabels {
    private static final Pattern HEADING = Pattern.compile("(?:testpmd> |\\[[^]]*] )(.+)");
    private static final Pattern ONE_VALUE = Pattern.compile("(.*:)( [^:]*)?");
    /** What libraries below the program log, and sentences. */
    private static final Pattern OTHER = Pattern.compile("(EAL|MANA_DRIVER|ETHDEV|PCI_BUS|Primary): .*|Warning.*|Error "
            + "during .*|testpmd> |Bye.*|Interactive-mode .*|CLI commands .*");

    private final List<Said> all = new ArrayList<>();

    /** A line, and the labels that answer it. */
    record Said(String line, List<String> labels) {
    }

    PollLabels(String output) {
        all.add(new Said("", new ArrayList<>()));
        for (String line : output.lines().toList()) {
            Matcher matcher = HEADING.matcher(line);
            if (matcher.matches()) {
                all.add(new Said(label(matcher.group(1).strip()), new ArrayList<>()));
            } else if (!OTHER.matcher(line).matches() && !line.isBlank()) {
                all.getLast().labels.add(label(line));
            }
        }
    }

    /** Line by line, what comes before the first of them and after the last one aside. */
    List<Said> lines() {
        return all.subList(1, all.size()).stream().filter(said -> !said.line.equals("<End-Of-File>")).toList();
    }

    /** What is said before any line. */
    List<String> opening() {
        return all.getFirst().labels;
    }

    /** From the first line on that begins so. */
    static List<String> from(List<String> labels, String first) {
        return labels.stream().dropWhile(label -> !label.startsWith(first)).toList();
    }

    static String label(String line) {
        String plain = line.replaceAll("[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}", "MAC").replaceAll(
                "[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7](_port\\d+)?(,\\S+)?", "NAME")
                .replaceAll("0x[0-9a-f]+", "N");
        plain = plain.replaceAll("\\b[0-9A-F]{80}\\b", "KEY");
        plain = plain.replaceAll("(?<![A-Za-z])\\d+", "N").replaceAll("N(-N)+", "N").replaceAll("\\s+", " ").strip();
        Matcher value = ONE_VALUE.matcher(plain);
        return value.matches() ? value.group(1) : plain;
    }
}
