package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.ShaperAttribute;
import io.manafold.api.shaper.ShaperAttribute.Kind;
import io.manafold.shell.Numbers;
import io.manafold.shell.UsageError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The words of one call as iproute2 has them, in any order, made into the attributes of an operation. */
final class Request {
    private static final String METRIC = "metric";
    private static final List<String> CHANGES = List.of("set", "group");

    private final Vocabulary vocabulary;
    private final String verb;
    /** What can be said of the shaper itself, by name. */
    private final Map<String, ShaperAttribute> known;
    private final Deque<String> words;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<Map<String, Object>> leaves = new ArrayList<>();
    private String device;
    private Map<String, Object> handle;
    private Map<String, Object> parent;

    private Request(Vocabulary vocabulary, String verb, List<String> words) {
        this.vocabulary = vocabulary;
        this.verb = verb;
        this.known = values(vocabulary, verb);
        this.words = new ArrayDeque<>(words);
    }

    private static Map<String, ShaperAttribute> values(Vocabulary vocabulary, String verb) {
        Map<String, ShaperAttribute> values = new LinkedHashMap<>();
        if (CHANGES.contains(verb)) {
            vocabulary.values(verb).forEach(value -> values.put(value.name(), value));
        }
        return values;
    }

    /** @param verb set, show, delete or group */
    static Request read(Vocabulary vocabulary, String verb, List<String> words) {
        Request request = new Request(vocabulary, verb, words);
        request.read();
        request.check();
        return request;
    }

    /** Words that can follow those already there. */
    static List<String> following(Vocabulary vocabulary, String verb, List<String> words) {
        if (words.isEmpty()) {
            return List.of("dev");
        }
        boolean leaves = words.contains("leaves");
        Map<String, ShaperAttribute> values = values(vocabulary, verb);
        String last = words.getLast();
        if (values.containsKey(last)) {
            return values.get(last).words();
        }
        return switch (last) {
            case "handle", "parent", "leaves" -> List.of("scope");
            case "scope" -> leaves ? List.of("queue") : vocabulary.scopes().stream()
                    .filter(scope -> !verb.equals("group") || !scope.equals("queue")).toList();
            case "dev", "id" -> List.of();
            case "queue", "node" -> List.of("id");
            default -> {
                List<String> next = new ArrayList<>();
                if (leaves) {
                    next.add("scope");
                    next.addAll(Vocabulary.names(vocabulary.leafValues()));
                    yield next;
                }
                next.addAll(words(verb, values));
                next.removeIf(words::contains);
                yield next;
            }
        };
    }

    /** Words that a request is made of, besides those that belong to others. */
    private static List<String> words(String verb, Map<String, ShaperAttribute> values) {
        List<String> words = new ArrayList<>(List.of("dev", "handle"));
        words.addAll(values.keySet());
        if (verb.equals("group")) {
            words.addAll(List.of("parent", "leaves"));
        }
        return words;
    }

    private void read() {
        while (!words.isEmpty()) {
            String word = words.poll();
            if (!seen.add(word)) {
                throw new UsageError("'" + word + "' is there twice; once is enough.");
            }
            if (word.equals("dev")) {
                device = value(word);
            } else if (word.equals("handle")) {
                handle = handle(word);
            } else if (word.equals("parent") && verb.equals("group")) {
                parent = handle(word);
            } else if (known.containsKey(word)) {
                String value = value(word);
                List<String> choice = known.get(word).words();
                values.put(word, choice.isEmpty() ? value : oneOf(word, value, choice));
            } else if (word.equals("leaves") && verb.equals("group")) {
                leaves();
            } else {
                throw UsageError.unknown("word of netshaper " + verb, word, words(verb, known));
            }
        }
    }

    private void check() {
        if (device == null) {
            throw new UsageError("netshaper " + verb + " needs to know the device: dev DEV.");
        }
        if (handle == null) {
            throw new UsageError("netshaper " + verb + " needs to know which shaper: handle scope "
                    + Vocabulary.either(vocabulary.scopes()) + ".");
        }
        boolean group = verb.equals("group");
        String scope = (String) handle.get("scope");
        if (!group && !scope.equals("netdev") && !handle.containsKey("id")) {
            throw new UsageError("A " + scope + " needs its number: handle scope " + scope + " id N.");
        }
        if (group && scope.equals("queue")) {
            throw new UsageError("A group is for a node or the netdev; queues are its leaves.");
        }
        if (parent != null && "queue".equals(parent.get("scope"))) {
            throw new UsageError("A parent is a node or the netdev, not a queue.");
        }
        if (parent != null && "node".equals(parent.get("scope")) && !parent.containsKey("id")) {
            throw new UsageError("A node needs its number to be a parent: parent scope node id N.");
        }
        if (group && leaves.isEmpty()) {
            throw new UsageError("A group needs queues: leaves scope queue id N.");
        }
        if (verb.equals("set") && values.keySet().stream().allMatch(METRIC::equals)) {
            throw new UsageError("netshaper set needs to know what to set: " + Vocabulary.either(known.keySet().stream()
                    .filter(name -> !name.equals(METRIC)).toList()) + ".");
        }
    }

    private String value(String word) {
        String value = words.poll();
        if (value == null) {
            throw new UsageError("A value is missing behind '" + word + "'.");
        }
        return value;
    }

    private static String oneOf(String what, String word, List<String> known) {
        if (!known.contains(word)) {
            throw UsageError.unknown(what, word, known);
        }
        return word;
    }

    private boolean next(String word) {
        boolean is = word.equals(words.peek());
        if (is) {
            words.poll();
        }
        return is;
    }

    /** {@code scope SCOPE [id N]}, or the two the other way round. */
    private Map<String, Object> handle(String of) {
        Map<String, Object> read = new LinkedHashMap<>();
        while (!words.isEmpty()) {
            if (!read.containsKey("scope") && next("scope")) {
                read.put("scope", oneOf("scope", value("scope"), vocabulary.scopes()));
            } else if (!read.containsKey("id") && next("id")) {
                read.put("id", Numbers.unsigned("id", value("id"), vocabulary.mostId()));
            } else {
                break;
            }
        }
        if (!read.containsKey("scope")) {
            throw new UsageError("'" + of + "' needs a scope: " + of + " scope "
                    + Vocabulary.either(vocabulary.scopes()) + ".");
        }
        Map<String, Object> ordered = new LinkedHashMap<>();
        ordered.put("scope", read.get("scope"));
        if (read.containsKey("id")) {
            ordered.put("id", read.get("id"));
        }
        return ordered;
    }

    private void leaves() {
        while ("scope".equals(words.peek())) {
            Map<String, Object> leaf = new LinkedHashMap<>();
            Map<String, Object> queue = handle("leaves");
            if (!queue.get("scope").equals("queue") || !queue.containsKey("id")) {
                throw new UsageError("A leaf is a queue with its number: scope queue id N.");
            }
            leaf.put("handle", queue);
            while (leafValue(leaf)) {
                // each of them once, in any order
            }
            leaves.add(leaf);
        }
    }

    private boolean leafValue(Map<String, Object> leaf) {
        for (ShaperAttribute value : vocabulary.leafValues()) {
            if (!leaf.containsKey(value.name()) && next(value.name())) {
                leaf.put(value.name(), Numbers.unsigned(value.name(), value(value.name()), value.most()));
                return true;
            }
        }
        return false;
    }

    String device() {
        return device;
    }

    /** For a device by its number there; values are read only now, because the metric may stand behind them. */
    Map<String, Object> attributes(int index) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("ifindex", index);
        if (parent != null) {
            attributes.put("parent", parent);
        }
        attributes.put("handle", handle);
        String metric = values.get(METRIC);
        if (metric != null || values.keySet().stream().anyMatch(name -> known.get(name).kind() == Kind.RATE)) {
            attributes.put(METRIC, metric == null ? known.get(METRIC).words().getFirst() : metric);
        }
        boolean packets = "pps".equals(metric);
        values.forEach((name, text) -> {
            switch (known.get(name).kind()) {
                case RATE -> attributes.put(name, packets ? Rate.packets(name, text) : Rate.bits(name, text));
                case NUMBER -> attributes.put(name, Numbers.unsigned(name, text, known.get(name).most()));
                default -> { }
            }
        });
        if (!leaves.isEmpty()) {
            attributes.put("leaves", leaves);
        }
        return attributes;
    }
}
