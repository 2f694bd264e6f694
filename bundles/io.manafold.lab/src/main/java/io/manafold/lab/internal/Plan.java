package io.manafold.lab.internal;

import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.Labs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The fewest steps from what is to what shall be. Pure: it asks no service and changes nothing. */
final class Plan {
    private static final String ADDRESS = "address";
    private static final String SCOPE = "scope";
    private static final String NODE = "node";
    private static final int FIRST = -1;

    private Plan() {
    }

    /**
     * What others stand on goes last and comes first, so that little has to wait for its other half; but what is to be
     * lent has to find its export, or it would be driven here first.
     */
    static List<Step> towards(Lab lab, SortedMap<String, Map<String, Object>> held) {
        Map<String, Entry> wanted = new LinkedHashMap<>();
        lab.entries().stream().sorted(Comparator.comparing(entry -> order(entry.section())))
                .forEach(entry -> wanted.put(entry.pid(), entry));
        SortedMap<String, Map<String, Object>> leftOver = new TreeMap<>(held);
        leftOver.keySet().removeAll(wanted.keySet());
        List<Step> steps = new ArrayList<>(removal(leftOver));
        // what moves gives its address away before another takes it
        Set<String> moving = new HashSet<>();
        wanted.forEach((pid, entry) -> {
            Map<String, Object> before = held.get(pid);
            if (entry.section() == Section.ADAPTERS && before != null
                    && !Objects.equals(before.get(ADDRESS), entry.values().get(ADDRESS))) {
                moving.add(pid);
                steps.add(new Step(null, pid, before, null));
            }
        });
        wanted.forEach((pid, entry) -> {
            Map<String, Object> before = held.get(pid);
            Map<String, Object> after = entry.properties(lab.name());
            if (before == null) {
                steps.add(new Step(change(LabChange.Kind.ADD, entry.path(), contents(entry)), pid, null, after));
            } else if (!same(before, after)) {
                String detail = difference(entry.section(), before, after);
                steps.add(new Step(change(LabChange.Kind.CHANGE, entry.path(), detail), pid,
                        moving.contains(pid) ? null : before, after));
            }
        });
        return steps;
    }

    /** Takes away what is held; a node's limits after those of what is below it, which would else be moved first. */
    static List<Step> removal(SortedMap<String, Map<String, Object>> held) {
        List<Step> steps = new ArrayList<>();
        held.forEach((pid, before) -> {
            String path = String.valueOf(before.get(Labs.ENTRY));
            steps.add(new Step(change(LabChange.Kind.REMOVE, path, ""), pid, before, null));
        });
        steps.sort(Comparator.comparing((Step step) -> Section.titled(step.change().section())
                .map(Plan::order).orElse(FIRST)).reversed()
                .thenComparing(step -> NODE.equals(step.before().get(SCOPE)))
                .thenComparing(Step::pid));
        return steps;
    }

    static List<LabChange> changes(List<Step> steps) {
        return steps.stream().map(Step::change).filter(Objects::nonNull).toList();
    }

    private static int order(Section section) {
        return section == Section.EXPORTS ? FIRST : section.ordinal();
    }

    private static LabChange change(LabChange.Kind kind, String path, String detail) {
        int divide = path.indexOf('/');
        return new LabChange(kind, path.substring(0, Math.max(divide, 0)), path.substring(divide + 1), detail);
    }

    private static boolean same(Map<String, Object> one, Map<String, Object> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(e -> Objects.deepEquals(e.getValue(), other.get(e.getKey())));
    }

    /** What is not as it would be without saying. */
    private static String contents(Entry entry) {
        List<String> words = new ArrayList<>();
        entry.values().forEach((key, value) -> {
            Object preset = entry.section().key(key).map(Key::presetValue).orElse(null);
            if (!key.equals("name") && !value.equals(preset)) {
                words.add(key + " " + show(entry.section(), key, value));
            }
        });
        return String.join(", ", words);
    }

    private static String difference(Section section, Map<String, Object> before, Map<String, Object> after) {
        List<String> words = new ArrayList<>();
        TreeSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (String key : keys) {
            Object old = before.get(key);
            Object now = after.get(key);
            if (!Objects.deepEquals(old, now)) {
                String subject = key.equals(Labs.LAB) ? "lab" : key;
                words.add(subject + " " + (old == null ? "none" : show(section, key, old)) + " → "
                        + (now == null ? "none" : show(section, key, now)));
            }
        }
        return String.join(", ", words);
    }

    private static String show(Section section, String name, Object value) {
        Optional<Key> key = section.key(name);
        return Words.clean(key.isPresent() ? key.get().show(value) : String.valueOf(value), 200);
    }
}
