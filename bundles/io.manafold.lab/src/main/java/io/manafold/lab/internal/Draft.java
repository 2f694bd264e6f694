package io.manafold.lab.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An entry on the way from the file to something understood: what was given, and where. */
final class Draft {
    private final Section section;
    private final SourcePosition spot;
    private final Map<String, Given> given = new LinkedHashMap<>();
    private String name;

    Draft(Section section, SourcePosition spot) {
        this.section = section;
        this.spot = spot;
    }

    /**
     * A value that a file or the numbering gave.
     *
     * @param spots where it stands; for a list, where each of its members does
     */
    record Given(Object value, List<SourcePosition> spots) {
    }

    Section section() {
        return section;
    }

    SourcePosition spot() {
        return spot;
    }

    String name() {
        return name;
    }

    void name(String value) {
        name = value;
    }

    void give(String key, Object value, List<SourcePosition> spots) {
        given.put(key, new Given(value, spots));
    }

    boolean has(String key) {
        return given.containsKey(key);
    }

    /** Where the key's value stands, or the entry if the file does not give it. */
    SourcePosition spot(String key) {
        return spots(key).isEmpty() ? spot : spots(key).getFirst();
    }

    List<SourcePosition> spots(String key) {
        return given.containsKey(key) ? given.get(key).spots() : List.of();
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
        return new Entry(section, name, spot.line(), values);
    }
}
