package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Evidence;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code ethtool -S} answers. */
final class Counters {
    private static final Pattern COUNTER = Pattern.compile("\\s*(\\S+):\\s+(\\d{1,18})\\s*");
    private static final int MOST = 20_000;

    private Counters() {
    }

    static Map<String, Long> of(Evidence evidence, String answer) {
        Map<String, Long> counters = new LinkedHashMap<>();
        evidence.answer(answer).ifPresent(text -> text.lines().limit(MOST).forEach(line -> {
            Matcher counter = COUNTER.matcher(line);
            if (counter.matches()) {
                counters.put(counter.group(1), Long.parseLong(counter.group(2)));
            }
        }));
        return counters;
    }
}
