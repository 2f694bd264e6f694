package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a command ended and what it said, in a guest or on the platform. */
record Answer(String command, int status, String output) {
    private static final Pattern RESULT = Pattern.compile("(?m)^RESULT (\\S+) ?(.*)$");
    private static final Pattern COUNTER = Pattern.compile("(?m)^\\s*([A-Za-z0-9_.]+): (\\d+)$");

    Answer done() {
        assertThat(status).as("status of '%s', which said:%n%s", command, output).isZero();
        return this;
    }

    /** It was refused, with these words. */
    Answer refused(String... words) {
        assertThat(status).as("status of '%s', which said:%n%s", command, output).isNotZero();
        assertThat(output).as(command).contains(words);
        return this;
    }

    /** Every line {@code RESULT name value}. */
    Map<String, String> results() {
        Map<String, String> results = new TreeMap<>();
        for (Matcher line = RESULT.matcher(output); line.find();) {
            results.put(line.group(1), line.group(2));
        }
        return results;
    }

    String result(String name) {
        assertThat(results()).as("results of '%s', which said:%n%s", command, output).containsKey(name);
        return results().get(name);
    }

    /** Every line {@code name: number}, as of ethtool -S. */
    Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>();
        for (Matcher line = COUNTER.matcher(output); line.find();) {
            counters.put(line.group(1), Long.valueOf(line.group(2)));
        }
        return counters;
    }

    /** The one group of the pattern where it is found first. */
    String find(String pattern) {
        Matcher found = Pattern.compile(pattern, Pattern.MULTILINE).matcher(output);
        assertThat(found.find()).as("'%s' in what '%s' said:%n%s", pattern, command, output).isTrue();
        return found.group(1);
    }

    JsonValue json() {
        try (JsonReader reader = Json.createReader(new StringReader(output))) {
            return reader.readValue();
        }
    }
}
