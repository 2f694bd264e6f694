package io.manafold.architecture;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.spi.ToolProvider;

/** Which classes use which, as jdeps reads it from what was built; and the circles among them. */
final class Arrows {
    private final Map<String, Set<String>> arrows = new TreeMap<>();

    /** @param root the package whose classes count, with those below it; nested classes count as the one around them */
    static Arrows among(Path classes, String root) {
        StringWriter out = new StringWriter();
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        int status = jdeps.run(new PrintWriter(out), new PrintWriter(out), "-v", "-filter:none",
                "--ignore-missing-deps", classes.toString());
        if (status != 0) {
            throw new IllegalStateException("jdeps ended with " + status + ": " + out);
        }
        Arrows all = new Arrows();
        for (String line : out.toString().lines().toList()) {
            String[] words = line.trim().split("\\s+");
            if (words.length > 2 && words[1].equals("->") && words[0].startsWith(root + ".")
                    && words[2].startsWith(root + ".")) {
                all.add(outer(words[0]), outer(words[2]));
            }
        }
        return all;
    }

    private static String outer(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    void add(String from, String to) {
        Set<String> targets = arrows.computeIfAbsent(from, _ -> new TreeSet<>());
        arrows.computeIfAbsent(to, _ -> new TreeSet<>());
        if (!from.equals(to)) {
            targets.add(to);
        }
    }

    int size() {
        return arrows.size();
    }

    /** The same between what the names stand for, their packages for example. */
    Arrows by(UnaryOperator<String> group) {
        Arrows grouped = new Arrows();
        arrows.forEach((from, targets) -> targets.forEach(to -> grouped.add(group.apply(from), group.apply(to))));
        return grouped;
    }

    boolean has(String from, String to) {
        return arrows.getOrDefault(from, Set.of()).contains(to);
    }

    /** Each set of more than one from each of which one comes to all others. */
    List<Set<String>> circles() {
        Map<String, Set<String>> reached = new HashMap<>();
        arrows.keySet().forEach(start -> reached.put(start, reachable(start)));
        List<Set<String>> circles = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (String one : arrows.keySet()) {
            if (seen.add(one)) {
                Set<String> circle = new TreeSet<>(Set.of(one));
                for (String other : reached.get(one)) {
                    if (reached.get(other).contains(one)) {
                        circle.add(other);
                    }
                }
                seen.addAll(circle);
                if (circle.size() > 1) {
                    circles.add(circle);
                }
            }
        }
        return circles;
    }

    private Set<String> reachable(String start) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(arrows.get(start));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (reached.add(one)) {
                next.addAll(arrows.get(one));
            }
        }
        return reached;
    }
}
