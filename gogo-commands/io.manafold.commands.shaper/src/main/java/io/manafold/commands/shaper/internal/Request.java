package io.manafold.commands.shaper.internal;

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
    static final List<String> SCOPES = List.of("netdev", "queue", "node");
    private static final List<String> VALUES = List.of("bw-min", "bw-max", "burst", "priority", "weight");
    private static final long MOST_ID = 67_108_862;
    private static final long U32 = 0xffff_ffffL;

    private final String verb;
    private final Deque<String> words;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<Map<String, Object>> leaves = new ArrayList<>();
    private String device;
    private String metric;
    private Map<String, Object> handle;
    private Map<String, Object> parent;

    private Request(String verb, List<String> words) {
        this.verb = verb;
        this.words = new ArrayDeque<>(words);
    }

    /** @param verb set, show, delete or group */
    static Request read(String verb, List<String> words) {
        Request request = new Request(verb, words);
        request.read();
        request.check();
        return request;
    }

    /** Words that can follow those already there. */
    static List<String> following(String verb, List<String> words) {
        if (words.isEmpty()) {
            return List.of("dev");
        }
        return switch (words.getLast()) {
            case "handle", "parent" -> List.of("scope");
            case "leaves" -> List.of("scope");
            case "scope" -> words.contains("leaves") ? List.of("queue") : !verb.equals("group") ? SCOPES
                    : List.of("node", "netdev");
            case "metric" -> List.of("bps", "pps");
            case "dev", "id", "bw-min", "bw-max", "burst", "priority", "weight" -> List.of();
            case "queue", "node" -> List.of("id");
            default -> {
                if (words.contains("leaves")) {
                    yield List.of("scope", "weight", "priority");
                }
                List<String> next = new ArrayList<>(List.of("dev", "handle"));
                if (verb.equals("set") || verb.equals("group")) {
                    next.add("metric");
                    next.addAll(VALUES);
                }
                if (verb.equals("group")) {
                    next.addAll(List.of("parent", "leaves"));
                }
                next.removeIf(words::contains);
                yield next;
            }
        };
    }

    private void read() {
        boolean changes = verb.equals("set") || verb.equals("group");
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
            } else if (word.equals("metric") && changes) {
                metric = oneOf(word, value(word), List.of("bps", "pps"));
            } else if (VALUES.contains(word) && changes) {
                values.put(word, value(word));
            } else if (word.equals("leaves") && verb.equals("group")) {
                leaves();
            } else {
                List<String> known = new ArrayList<>(List.of("dev", "handle"));
                if (changes) {
                    known.add("metric");
                    known.addAll(VALUES);
                }
                if (verb.equals("group")) {
                    known.addAll(List.of("parent", "leaves"));
                }
                throw UsageError.unknown("word of netshaper " + verb, word, known);
            }
        }
    }

    private void check() {
        if (device == null) {
            throw new UsageError("netshaper " + verb + " needs to know the device: dev DEV.");
        }
        if (handle == null) {
            throw new UsageError("netshaper " + verb + " needs to know which shaper: handle scope netdev, queue or node.");
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
        if (verb.equals("set") && values.isEmpty()) {
            throw new UsageError("netshaper set needs to know what to set: " + String.join(", ", VALUES) + ".");
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

    private static long number(String what, String text, long most) {
        if (text.matches("[0-9]{1,10}") && Long.parseLong(text) <= most) {
            return Long.parseLong(text);
        }
        throw new UsageError(what + " takes a whole number from 0 to " + most + ", not '" + text + "'.");
    }

    /** {@code scope SCOPE [id N]}, or the two the other way round. */
    private Map<String, Object> handle(String of) {
        Map<String, Object> read = new LinkedHashMap<>();
        while (!words.isEmpty()) {
            if (!read.containsKey("scope") && next("scope")) {
                read.put("scope", oneOf("scope", value("scope"), SCOPES));
            } else if (!read.containsKey("id") && next("id")) {
                read.put("id", number("id", value("id"), MOST_ID));
            } else {
                break;
            }
        }
        if (!read.containsKey("scope")) {
            throw new UsageError("'" + of + "' needs a scope: " + of + " scope " + String.join(", ", SCOPES) + ".");
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
            while (!words.isEmpty()) {
                if (!leaf.containsKey("weight") && next("weight")) {
                    leaf.put("weight", number("weight", value("weight"), U32));
                } else if (!leaf.containsKey("priority") && next("priority")) {
                    leaf.put("priority", number("priority", value("priority"), U32));
                } else {
                    break;
                }
            }
            leaves.add(leaf);
        }
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
        boolean rated = values.containsKey("bw-min") || values.containsKey("bw-max") || values.containsKey("burst");
        if (metric != null || rated) {
            attributes.put("metric", metric == null ? "bps" : metric);
        }
        boolean packets = "pps".equals(metric);
        values.forEach((name, text) -> attributes.put(name, switch (name) {
            case "bw-min", "bw-max" -> packets ? Rate.packets(name, text) : Rate.bits(name, text);
            case "burst" -> number(name, text, U32);
            default -> number(name, text, U32);
        }));
        if (!leaves.isEmpty()) {
            attributes.put("leaves", leaves);
        }
        return attributes;
    }
}
