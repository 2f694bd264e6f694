package io.manafold.lab.internal;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A key of an entry.
 *
 * @param many whether the value is a list of such values, an array of text in the configuration
 * @param preset what holds when the key is left out, written as in a file; {@code null} if the configuration then
 *        lacks it
 * @param otherwise what happens when the key is left out and there is no preset, in words
 * @param example a value, written as in a file
 */
record Key(String name, ValueType type, boolean many, boolean required, String preset, String otherwise, String meaning,
        String example) {
    static Key required(String name, ValueType type, String meaning, String example) {
        return new Key(name, type, false, true, null, "", meaning, example);
    }

    static Key preset(String name, ValueType type, String preset, String meaning, String example) {
        return new Key(name, type, false, false, preset, "", meaning, example);
    }

    static Key optional(String name, ValueType type, String otherwise, String meaning, String example) {
        return new Key(name, type, false, false, null, otherwise, meaning, example);
    }

    /** The same key, for a list of values. */
    Key list() {
        return new Key(name, type, true, required, preset, otherwise, meaning, example);
    }

    /** What the configuration holds when the key is left out, or {@code null}. */
    Object presetValue() {
        try {
            return preset == null ? null : type.read(preset);
        } catch (ValueType.Unfit e) {
            throw new IllegalStateException("preset of " + name + ": " + preset + " " + e.getMessage(), e);
        }
    }

    /** A value as a file would say it. */
    String show(Object value) {
        if (value instanceof Object[] values) {
            return Arrays.stream(values).map(type::show).collect(Collectors.joining(", ", "[", "]"));
        }
        return type.show(value);
    }
}
