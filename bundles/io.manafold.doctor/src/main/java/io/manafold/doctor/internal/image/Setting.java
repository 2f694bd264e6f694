package io.manafold.doctor.internal.image;

import java.util.Locale;
import java.util.Optional;

/**
 * A line of a key and its value, as YAML and files of sections have it, read in one pass.
 *
 * @param key in small letters
 * @param value without quotes and remark
 */
record Setting(String key, String value) {
    static Optional<Setting> of(String line) {
        int end = 0;
        while (end < line.length() && !separates(line.charAt(end))) {
            end++;
        }
        int from = end;
        while (from < line.length() && separates(line.charAt(from))) {
            from++;
        }
        if (from == end) {
            return Optional.empty();
        }
        String value = line.substring(from).strip();
        if (value.startsWith("\"") || value.startsWith("'")) {
            value = value.substring(1);
        }
        int to = 0;
        while (to < value.length() && "\"'#".indexOf(value.charAt(to)) < 0) {
            to++;
        }
        value = value.substring(0, to).strip();
        return value.isEmpty() ? Optional.empty()
                : Optional.of(new Setting(line.substring(0, end).strip().toLowerCase(Locale.ROOT), value));
    }

    private static boolean separates(char c) {
        return c == ':' || c == '=';
    }
}
