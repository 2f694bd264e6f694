package io.manafold.netshaper.internal.family;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads a family's file. What it does not understand is an error, since nothing would go by it. */
final class FamilyReader {
    private static final long U32 = 0xffff_ffffL;

    private final Map<String, List<String>> words = new LinkedHashMap<>();
    private final Map<String, AttributeSet> sets = new LinkedHashMap<>();

    private FamilyReader() {
    }

    static Family read(InputStream text) {
        Map<String, Object> file = map("the file", new Load(LoadSettings.builder().build()).loadFromInputStream(text),
                Set.of("family", "version", "words", "sets", "operations"));
        return new FamilyReader().family(file);
    }

    private Family family(Map<String, Object> file) {
        map("words", file.get("words")).forEach((name, list) -> words.put(name, names(list)));
        map("sets", file.get("sets")).forEach((name, set) -> sets.put(name, set(name, map(name, set))));
        Map<String, Operation> operations = new LinkedHashMap<>();
        map("operations", file.get("operations")).forEach((name, operation) -> operations.put(name,
                operation(name,
                        map(name, operation, Set.of("id", "set", "admin", "do", "dump", "bound", "reply", "about")))));
        return new Family((String) file.get("family"), (int) file.get("version"), sets, operations);
    }

    private AttributeSet set(String set, Map<String, Object> attributes) {
        List<Attribute> list = new ArrayList<>();
        attributes.forEach((name, text) -> list.add(attribute(name, map(set + "." + name, text,
                Set.of("id", "type", "words", "max", "counts", "set", "repeated", "about")))));
        return new AttributeSet(set, list);
    }

    private Attribute attribute(String name, Map<String, Object> text) {
        Type type = Type.valueOf(((String) text.get("type")).toUpperCase(Locale.ROOT));
        List<String> values = text.containsKey("words") ? known("words", words, text.get("words")) : List.of();
        long max = !values.isEmpty() ? values.size() - 1L
                : text.get("max") instanceof Number limit ? limit.longValue() : type == Type.UINT ? -1 : U32;
        AttributeSet nested = type == Type.NEST ? known("set", sets, text.get("set")) : null;
        if (text.containsKey("counts") && !text.get("counts").equals("rate")) {
            throw new IllegalArgumentException(name + " counts what this reader does not know: " + text.get("counts"));
        }
        return new Attribute((int) text.get("id"), name, type, values, max, text.containsKey("counts"), nested,
                Boolean.TRUE.equals(text.get("repeated")), (String) text.get("about"));
    }

    private Operation operation(String name, Map<String, Object> text) {
        AttributeSet set = known("set", sets, text.get("set"));
        return new Operation((int) text.get("id"), name, set, Boolean.TRUE.equals(text.get("admin")),
                request(set, text, "do"), request(set, text, "dump"),
                text.containsKey("reply") ? attributes(set, text.get("reply")) : List.of(), (String) text.get("about"));
    }

    private static Operation.Request request(AttributeSet set, Map<String, Object> text, String kind) {
        if (!text.containsKey(kind)) {
            return null;
        }
        List<Attribute> attributes = attributes(set, text.get(kind));
        int highest = attributes.stream().mapToInt(Attribute::id).max().orElse(0);
        return new Operation.Request(attributes,
                text.get("bound") instanceof Integer bound ? Math.max(bound, highest) : highest);
    }

    private static List<Attribute> attributes(AttributeSet set, Object list) {
        return names(list).stream().map(set::of).toList();
    }

    private static <T> T known(String kind, Map<String, T> all, Object name) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no " + kind + " " + name);
        }
        return found;
    }

    private static List<String> names(Object list) {
        return ((List<?>) list).stream().map(String.class::cast).toList();
    }

    private static Map<String, Object> map(String what, Object value) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (!(value instanceof Map<?, ?> entries)) {
            throw new IllegalArgumentException(what + " is no map");
        }
        entries.forEach((key, entry) -> map.put((String) key, entry));
        return map;
    }

    private static Map<String, Object> map(String what, Object value, Set<String> keys) {
        Map<String, Object> map = map(what, value);
        map.keySet().stream().filter(key -> !keys.contains(key)).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException(what + ": there is no key " + key);
        });
        return map;
    }
}
