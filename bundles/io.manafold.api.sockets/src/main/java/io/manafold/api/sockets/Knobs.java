package io.manafold.api.sockets;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is asked of knobs. A value is demanded, and refused if it cannot be had, or preferred, and then the next best is
 * taken and said. What is asked for none of them is as the transport does it best. Never changes.
 */
public final class Knobs {
    /** Asks nothing: each transport as it does best. */
    public static final Knobs USUAL = new Knobs(Map.of(), Set.of());
    /** Each knob off, demanded: the classic socket. */
    public static final Knobs CLASSIC = classic();

    private final Map<Knob, String> asked;
    private final Set<Knob> preferred;

    private Knobs(Map<Knob, String> asked, Set<Knob> preferred) {
        Map<Knob, String> values = new EnumMap<>(Knob.class);
        values.putAll(asked);
        Set<Knob> wishes = EnumSet.noneOf(Knob.class);
        wishes.addAll(preferred);
        this.asked = Collections.unmodifiableMap(values);
        this.preferred = Collections.unmodifiableSet(wishes);
    }

    private static Knobs classic() {
        Map<Knob, String> values = new EnumMap<>(Knob.class);
        for (Knob knob : Knob.values()) {
            values.put(knob, knob.classic());
        }
        return new Knobs(values, Set.of());
    }

    /**
     * Reads words as {@code memory=registered}; one that begins with {@code prefer:} is preferred, the others are
     * demanded. The last word of a knob holds.
     *
     * @throws Refusal {@code EINVAL} for an unknown knob or value
     */
    public static Knobs parse(List<String> words) {
        Knobs knobs = USUAL;
        for (String word : words) {
            boolean wish = word.startsWith("prefer:");
            String rest = wish ? word.substring("prefer:".length()) : word;
            int equals = rest.indexOf('=');
            if (equals < 0) {
                throw new Refusal(Errno.EINVAL, "The knob '" + word + "' has no value: write it as memory=registered.");
            }
            Knob knob = named(rest.substring(0, equals));
            String value = rest.substring(equals + 1);
            knobs = wish ? knobs.prefer(knob, value) : knobs.with(knob, value);
        }
        return knobs;
    }

    private static Knob named(String word) {
        return Arrays.stream(Knob.values()).filter(knob -> knob.word().equals(word)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.EINVAL, "There is no knob '" + word + "'; there are "
                        + Arrays.stream(Knob.values()).map(Knob::word).collect(Collectors.joining(", ")) + "."));
    }

    /** The same, and this demanded. */
    public Knobs with(Knob knob, String value) {
        return set(knob, value, false);
    }

    /** The same, and this preferred. */
    public Knobs prefer(Knob knob, String value) {
        return set(knob, value, true);
    }

    private Knobs set(Knob knob, String value, boolean wish) {
        if (!knob.allows(Objects.requireNonNull(value))) {
            throw new Refusal(Errno.EINVAL, "The knob " + knob.word() + " cannot be '" + value + "'; it can be "
                    + knob.allowed() + ".");
        }
        Map<Knob, String> values = new EnumMap<>(Knob.class);
        values.putAll(asked);
        values.put(knob, value);
        Set<Knob> wishes = EnumSet.noneOf(Knob.class);
        wishes.addAll(preferred);
        if (wish) {
            wishes.add(knob);
        } else {
            wishes.remove(knob);
        }
        return new Knobs(values, wishes);
    }

    /** What is asked of one, {@code null} if nothing is. */
    public String asked(Knob knob) {
        return asked.get(knob);
    }

    /** Whether what is asked of it may be something else if it cannot be had. */
    public boolean isPreferred(Knob knob) {
        return preferred.contains(knob);
    }

    /** Those of which something is asked. */
    public Set<Knob> knobs() {
        return asked.keySet();
    }

    /** As {@link #parse} reads them. */
    public List<String> words() {
        return asked.entrySet().stream().map(entry -> (isPreferred(entry.getKey()) ? "prefer:" : "") + entry.getKey()
                .word() + "=" + entry.getValue()).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Knobs that && asked.equals(that.asked) && preferred.equals(that.preferred);
    }

    @Override
    public int hashCode() {
        return Objects.hash(asked, preferred);
    }

    @Override
    public String toString() {
        return String.join(" ", words());
    }
}
