package io.manafold.guests;

import static java.util.stream.Collectors.toSet;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a program says without its values: labels line by line, or keys of JSON. Two programs that say the same are held
 * against each other.
 */
final class Labels {
    private static final String VALUE = "#";
    /** Where the clock of an emulated machine has gone back, the real program says that a deviation is no number. */
    private static final String NO_NUMBER = "-?\\b(?:nan|inf)\\b";
    private static final Pattern NUMBERS = Pattern.compile("\\b(?:ON|OFF)\\b|0x[0-9a-f]+|\\b[0-9a-f]{16}\\b|"
            + NO_NUMBER + "|(?:(?<=\\s)-)?\\d+(?:[.:]\\d+)*");
    private static final Pattern AROUND = Pattern.compile("[ \t]*#[ \t]*");
    /** A MAC address or a key. */
    private static final Pattern BYTES = Pattern.compile("(?:[0-9a-f]{2}:)+[0-9a-f]{2}");
    /** A number that is no part of a name. */
    private static final Pattern ALONE = Pattern.compile("(?<![\\w-])\\d+(?![\\w-])");
    /** A value ends at a mark or at the next label, or with its line. */
    private static final Pattern SETTING = Pattern.compile(":(?:[ \t]+(?:(?! \\[[fnr]|  ).)+|(?=[ \t]*$))");
    /** {@code hca_id: mana_0}, with tabs before and after. */
    private static final Pattern LABELLED = Pattern.compile("(\t*[^\t:]+:)(?:\\s.*)?");
    /** {@code 0: mana_0: node_type ca}, {@code link mana_0/1 state ACTIVE} and lines of counters. */
    private static final Pattern PAIRS = Pattern.compile("(?:\\d+: \\S+: |(?=link |dev ))(?:\\S+ \\S+ )+");
    private static final Pattern TITLE = Pattern.compile("(?m)^-+\n +\\S+ .*Test$");
    /** What the real program thinks of its processor's clock, wherever it says so, and how far ours is. */
    private static final Pattern ASIDE = Pattern.compile("Correlation coefficient.*|(?m)^\\d+ of \\d+ s: .*$");

    private Labels() {
    }

    /** One entry for each line, or for each key if it is JSON. */
    static List<String> of(String said) {
        String text = said.strip();
        if (text.startsWith("[") || text.startsWith("{")) {
            List<String> keys = new ArrayList<>();
            add("", json(text.replaceAll("(?<=: )" + NO_NUMBER, "0")), keys);
            return keys;
        }
        return said.lines().filter(line -> !line.isBlank()).map(Labels::line).toList();
    }

    /** Of lines as ethtool prints them, {@code LABEL: VALUE}, also two in a line; marks in brackets stay. */
    static List<String> ofSettings(String said) {
        return said.lines().filter(line -> !line.isBlank()).map(line -> SETTING.matcher(
                ALONE.matcher(BYTES.matcher(line).replaceAll(VALUE)).replaceAll(VALUE)
                        .replaceAll("(?<=#)\\s+#.*", "")).replaceAll(":" + VALUE).stripTrailing()).toList();
    }

    private static JsonValue json(String text) {
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            return reader.readValue();
        }
    }

    private static void add(String before, JsonValue value, List<String> keys) {
        switch (value.getValueType()) {
            case OBJECT -> value.asJsonObject().forEach((key, one) -> {
                keys.add(before + key + " " + kind(one));
                add(before + key + "/", one, keys);
            });
            case ARRAY -> value.asJsonArray().forEach(one -> add(before, one, keys));
            default -> { }
        }
    }

    /** What kind of value it is; the two that are true or false are one. */
    private static String kind(JsonValue value) {
        return switch (value.getValueType()) {
            case TRUE, FALSE -> "BOOLEAN";
            default -> value.getValueType().name();
        };
    }

    private static String line(String line) {
        if (PAIRS.matcher(line).matches()) {
            String[] words = line.replaceFirst("^\\d+: \\S+: ", "").split(" ");
            return String.join(" ", Stream.iterate(0, i -> i < words.length, i -> i + 2).map(i -> words[i]).toList());
        }
        var labelled = LABELLED.matcher(line);
        return labelled.matches() && line.startsWith("\t") ? labelled.group(1)
                : AROUND.matcher(NUMBERS.matcher(line).replaceAll(VALUE)).replaceAll(VALUE);
    }

    /**
     * Of a header and a table of perftest: from its title on. What the real one thinks of its machine before that is
     * its own affair.
     */
    static List<String> ofTable(String said) {
        String text = ASIDE.matcher(said).replaceAll("");
        var title = TITLE.matcher(text);
        if (!title.find()) {
            throw new AssertionError("a header and a table are not this: " + said);
        }
        return of(text.substring(title.start()));
    }

    /**
     * The keys of each of the listed objects, without repetitions.
     *
     * @param which of the objects
     * @param without keys that only one of the two programs has, for a reason
     */
    static Set<List<String>> shapes(String said, Predicate<JsonObject> which, Set<String> without) {
        return json(said).asJsonArray().stream().map(JsonValue::asJsonObject).filter(which)
                .map(object -> object.entrySet().stream().filter(entry -> !without.contains(entry.getKey()))
                        .map(entry -> entry.getKey() + " " + kind(entry.getValue())).toList())
                .collect(toSet());
    }

    /** The same of lines for people, by their first words and names. */
    static Set<List<String>> shapes(String said, String with, Set<String> without) {
        return said.lines().filter(line -> line.contains(with)).map(Labels::line)
                .map(line -> Arrays.stream(line.split(" ")).filter(word -> !without.contains(word)).toList())
                .collect(toSet());
    }

    /** Answers of several commands, each after a line with this word alone. */
    static List<String> parts(String said, String word) {
        return Arrays.asList(Pattern.compile("(?m)^" + Pattern.quote(word) + "\\s*$\n?").split(said));
    }
}
