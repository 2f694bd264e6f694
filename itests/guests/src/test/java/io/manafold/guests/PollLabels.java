package io.manafold.guests;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What testpmd says to each line of a file, without values: so that what two programs say can be compared. */
final class PollLabels {
    private static final Pattern HEADING = Pattern.compile("(?:testpmd> |\\[[^]]*] )(.+)");
    private static final Pattern ONE_VALUE = Pattern.compile("(.*:)( [^:]*)?");
    /** What libraries below the program log, and sentences. */
    private static final Pattern OTHER = Pattern.compile("(EAL|MANA_DRIVER|ETHDEV|PCI_BUS|Primary): .*|Warning.*|Error "
            + "during .*|testpmd> |Bye.*|Interactive-mode .*|CLI commands .*");

    private final Map<String, List<String>> blocks = new LinkedHashMap<>();

    PollLabels(String output) {
        String heading = "";
        for (String line : output.lines().toList()) {
            Matcher matcher = HEADING.matcher(line);
            if (matcher.matches()) {
                heading = matcher.group(1).strip();
                blocks.remove(heading);
            } else if (!OTHER.matcher(line).matches() && !line.isBlank()) {
                blocks.computeIfAbsent(heading, _ -> new ArrayList<>()).add(label(line));
            }
        }
    }

    /** What was said the last time that the line was given. */
    List<String> after(String line) {
        return blocks.getOrDefault(line, List.of());
    }

    /** From the first line on that begins so. */
    static List<String> from(List<String> labels, String first) {
        return labels.stream().dropWhile(label -> !label.startsWith(first)).toList();
    }

    static String label(String line) {
        String plain = line.replaceAll("[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}", "MAC").replaceAll(
                "[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7](_port\\d+)?(,\\S+)?",
                "NAME").replaceAll("0x[0-9a-f]+", "N");
        plain = plain.replaceAll("(?<![A-Za-z])\\d+", "N").replaceAll("N(-N)+", "N").replaceAll("\\s+", " ").strip();
        Matcher value = ONE_VALUE.matcher(plain);
        return value.matches() ? value.group(1) : plain;
    }
}
