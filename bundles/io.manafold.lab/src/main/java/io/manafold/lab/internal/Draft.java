package io.manafold.lab.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An entry on the way from the file to something understood: what was given, and where. */
final class Draft {
    private final Section section;
    private final SourcePosition position;
    private final Map<String, Given> given = new LinkedHashMap<>();
    private String name;

    Draft(Section section, SourcePosition position) {
        this.section = section;
        this.position = position;
    }

    /**
     * A value that a file or the numbering gave.
     *
     * @param positions where it stands; for a list, where each of its members does
     */
    record Given(Object value, List<SourcePosition> positions) {
    }

    Section section() {
        return section;
    }

    SourcePosition position() {
        return position;
    }

    String name() {
        return name;
    }

    void name(String value) {
        name = value;
    }

    void give(String key, Object value, List<SourcePosition> positions) {
        given.put(key, new Given(value, positions));
    }

    boolean has(String key) {
        return given.containsKey(key);
    }

    /** Where the key's value stands, or the entry if the file does not give it. */
    SourcePosition position(String key) {
        return positions(key).isEmpty() ? position : positions(key).getFirst();
    }

    List<SourcePosition> positions(String key) {
        return given.containsKey(key) ? given.get(key).positions() : List.of();
    }

    /** The value, or what holds without one; {@code null} if neither is there. */
    <T> T value(String key, Class<T> type) {
        Object value = given.containsKey(key) ? given.get(key).value() : section.key(key).orElseThrow().presetValue();
        return type.cast(value);
    }

    String text(String key) {
        return value(key, String.class);
    }

    /** The members of a list, none if it is left out. */
    List<String> texts(String key) {
        String[] texts = value(key, String[].class);
        return texts == null ? List.of() : List.of(texts);
    }

    Entry entry() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Key key : section.keys()) {
            Object value = value(key.name(), Object.class);
            if (value != null) {
                values.put(key.name(), value);
            }
        }
        values.put("name", name);
        return new Entry(section, name, position.line(), values);
    }
}
