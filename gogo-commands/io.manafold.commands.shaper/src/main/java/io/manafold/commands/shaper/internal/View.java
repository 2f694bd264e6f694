package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.ShaperAttribute;
import io.manafold.api.shaper.ShaperAttribute.Kind;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shapers in words, as iproute2 shows one and as the ynl tool shows all in JSON. */
final class View {
    private View() {
    }

    static Fields fields(Map<String, Object> attributes) {
        Fields fields = new Fields();
        attributes.forEach(fields::and);
        return fields;
    }

    static Collection<Fields> fields(List<Map<String, Object>> replies) {
        return replies.stream().map(View::fields).toList();
    }

    /** One line, with a space at its end. */
    static String line(String device, Map<String, Object> shaper) {
        boolean packets = "pps".equals(shaper.get("metric"));
        StringBuilder line = new StringBuilder("dev: ").append(device).append(' ');
        place(line, "", shaper.get("handle"));
        place(line, "parent ", shaper.get("parent"));
        for (String name : List.of("bw-max", "bw-min")) {
            if (shaper.get(name) instanceof Long rate) {
                line.append(name).append(' ').append(Rate.shown(rate, packets)).append(' ');
            }
        }
        if (shaper.get("weight") instanceof Long weight) {
            line.append("weight ").append(weight).append(' ');
        }
        return line.toString();
    }

    private static void place(StringBuilder line, String before, Object handle) {
        if (handle instanceof Map<?, ?> map) {
            line.append(before).append("scope ").append(map.get("scope")).append(' ');
            if (map.get("id") != null) {
                line.append("id ").append(map.get("id")).append(' ');
            }
        }
    }

    /** {@code queue 3}. */
    static String name(Object handle) {
        return handle instanceof Map<?, ?> map
                ? map.get("scope") + (map.get("id") == null ? "" : " " + map.get("id")) : null;
    }

    /** @param values that shapers have, in the order to show them */
    static void dump(Call call, List<ShaperAttribute> values, List<Map<String, Object>> shapers) {
        if (call.json()) {
            call.print(fields(shapers));
            return;
        }
        // what rates count shows in their units
        List<ShaperAttribute> columns = values.stream().filter(value -> value.kind() != Kind.WORD).toList();
        Table table = new Table().column("SHAPER", "handle").column("BELOW", "parent");
        columns.forEach(value -> table.column(value.name().toUpperCase(Locale.ROOT), value.name()));
        for (Map<String, Object> shaper : shapers) {
            boolean packets = "pps".equals(shaper.get("metric"));
            List<Object> row = new ArrayList<>();
            row.add(name(shaper.get("handle")));
            row.add(name(shaper.get("parent")));
            columns.forEach(value -> row.add(value.kind() == Kind.RATE ? rate(shaper.get(value.name()), packets)
                    : shaper.get(value.name())));
            table.row(row.toArray());
        }
        call.print(table);
    }

    private static String rate(Object value, boolean packets) {
        return value instanceof Long rate ? Rate.shown(rate, packets) : null;
    }

    static void capabilities(Call call, List<Map<String, Object>> scopes) {
        if (call.json()) {
            call.print(fields(scopes));
            return;
        }
        Table table = new Table().column("SCOPE", "scope").column("SUPPORTS", "supports");
        for (Map<String, Object> scope : scopes) {
            List<String> words = new ArrayList<>();
            scope.keySet().stream().filter(name -> name.startsWith("support-"))
                    .forEach(name -> words.add(name.substring("support-".length())));
            table.row(scope.get("scope"), String.join(" ", words));
        }
        call.print(table);
    }
}
