package io.manafold.shell;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Named values in order: one JSON object, or lines of a name and a value. A value is null, a string, number or boolean,
 * an enum, an optional, a time, other fields, or an iterable or map of such; anything else stands by its string.
 */
public final class Fields {
    private final Map<String, Object> values = new LinkedHashMap<>();

    public static Fields of(String key, Object value) {
        return new Fields().and(key, value);
    }

    /** Adds a value and returns this. */
    public Fields and(String key, Object value) {
        values.put(Objects.requireNonNull(key), value);
        return this;
    }

    public Map<String, Object> values() {
        return Collections.unmodifiableMap(values);
    }
}
