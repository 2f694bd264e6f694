package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.ShaperAttribute;
import io.manafold.api.shaper.ShaperAttribute.Kind;
import io.manafold.api.shaper.ShaperOperation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The words that the family's description has for scopes and values. Without a description there are none. */
final class Vocabulary {
    private static final String DEVICE = "ifindex";
    private static final String NOTHING = "unspec";

    private final Map<String, ShaperOperation> operations = new LinkedHashMap<>();

    Vocabulary(List<? extends ShaperOperation> family) {
        family.forEach(operation -> operations.put(operation.name(), operation));
    }

    private List<? extends ShaperAttribute> taken(String operation) {
        return operations.containsKey(operation) ? operations.get(operation).takes() : List.of();
    }

    private static Optional<ShaperAttribute> named(List<? extends ShaperAttribute> all, String name) {
        return all.stream().filter(attribute -> attribute.name().equals(name)).<ShaperAttribute>map(one -> one)
                .findFirst();
    }

    /** What an operation does, as a sentence without its full stop. */
    String summary(String operation) {
        String about = operations.containsKey(operation) ? operations.get(operation).about() : operation;
        return about.substring(0, 1).toUpperCase(Locale.ROOT) + about.substring(1);
    }

    /** The parts of what an operation takes by that name: {@code handle}, {@code leaves}. */
    private List<? extends ShaperAttribute> within(String nest) {
        return named(taken("group"), nest).map(ShaperAttribute::within).orElse(List.of());
    }

    /** Scopes that a shaper can have. */
    List<String> scopes() {
        return named(within("handle"), "scope").map(ShaperAttribute::words).orElse(List.of()).stream()
                .filter(word -> !word.equals(NOTHING)).toList();
    }

    long mostId() {
        return named(within("handle"), "id").map(ShaperAttribute::most).orElse(0L);
    }

    /** Values that an operation takes for the shaper itself, those first whose values are words. */
    List<ShaperAttribute> values(String operation) {
        return plain(taken(operation));
    }

    /** Values that a leaf of a group takes. */
    List<ShaperAttribute> leafValues() {
        return plain(within("leaves"));
    }

    /** Values that are shown of each shaper. */
    List<ShaperAttribute> shown() {
        return operations.containsKey("get") ? plain(operations.get("get").answers()) : List.of();
    }

    private static List<ShaperAttribute> plain(List<? extends ShaperAttribute> all) {
        return all.stream().filter(one -> one.kind() != Kind.NEST && one.kind() != Kind.FLAG
                && !one.name().equals(DEVICE)).<ShaperAttribute>map(one -> one).toList();
    }

    /** How values are written: {@code [metric {bps|pps}] [bw-max RATE]}. */
    static String form(List<ShaperAttribute> values) {
        return values.stream().map(one -> "[" + one.name() + " " + switch (one.kind()) {
            case WORD -> "{" + String.join("|", one.words()) + "}";
            case RATE -> "RATE";
            default -> "N";
        } + "]").collect(Collectors.joining(" "));
    }

    /** What values mean, in one paragraph. */
    static String meaning(List<ShaperAttribute> values) {
        return values.stream().map(one -> one.name() + ": " + one.about()).collect(Collectors.joining(". ", "", "."));
    }

    static List<String> names(List<ShaperAttribute> values) {
        return values.stream().map(ShaperAttribute::name).toList();
    }

    /** {@code netdev, queue or node}. */
    static String either(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? String.join("", words) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }
}
