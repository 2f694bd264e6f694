package io.manafold.streams;

import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Few settings of all knobs, in which each value of each knob stands beside each value of each other one at least once:
 * what two knobs do to each other shows in one of them.
 */
public final class KnobPairs {
    /** Two values of two knobs, the first of which is the earlier one. */
    public record Pair(Knob first, String one, Knob second, String other) {
        static Pair of(Knob knob, String value, Knob beside, String there) {
            return knob.ordinal() < beside.ordinal() ? new Pair(knob, value, beside, there)
                    : new Pair(beside, there, knob, value);
        }
    }

    private static final Map<Knob, List<String>> NUMBERS = Map.of(Knob.BUSYPOLL, List.of("0", "50"), Knob.KEEPALIVE,
            List.of("0", "100"), Knob.BUFFERS, List.of("0", "65536"), Knob.QUEUE, List.of("any", "2"),
            // the one that every kernel lets every user have
            Knob.CONGESTION, List.of("default", "reno"));

    private KnobPairs() {
    }

    /** What a knob is set to. */
    static List<String> values(Knob knob) {
        return NUMBERS.getOrDefault(knob, knob.words());
    }

    /** All that have to stand in a setting. */
    static Set<Pair> all() {
        Set<Pair> pairs = new HashSet<>();
        for (Knob knob : Knob.values()) {
            for (Knob beside : Knob.values()) {
                if (knob != beside) {
                    values(knob).forEach(value -> values(beside).forEach(there -> pairs.add(Pair.of(knob, value,
                            beside, there))));
                }
            }
        }
        return pairs;
    }

    /** Those that stand in a setting. */
    static Set<Pair> in(Map<Knob, String> setting) {
        Set<Pair> pairs = new HashSet<>();
        setting.forEach((knob, value) -> setting.forEach((beside, there) -> {
            if (knob != beside) {
                pairs.add(Pair.of(knob, value, beside, there));
            }
        }));
        return pairs;
    }

    /** The settings, each of which prefers a value of every knob. */
    public static List<Knobs> settings() {
        Set<Pair> missing = all();
        List<Knobs> settings = new ArrayList<>();
        while (!missing.isEmpty()) {
            Map<Knob, String> best = Map.of();
            int most = 0;
            for (int turn = 0; turn < Knob.values().length; turn++) {
                Map<Knob, String> setting = setting(missing, turn);
                int here = count(missing, setting);
                if (here > most) {
                    most = here;
                    best = setting;
                }
            }
            missing.removeAll(in(best));
            Knobs knobs = Knobs.USUAL;
            for (Map.Entry<Knob, String> each : best.entrySet()) {
                knobs = knobs.prefer(each.getKey(), each.getValue());
            }
            settings.add(knobs);
        }
        return settings;
    }

    /** Begins with one knob and takes for each next one what brings most that is missing. */
    private static Map<Knob, String> setting(Set<Pair> missing, int turn) {
        Map<Knob, String> setting = new EnumMap<>(Knob.class);
        List<Knob> knobs = new ArrayList<>(Arrays.asList(Knob.values()));
        Collections.rotate(knobs, turn);
        for (Knob knob : knobs) {
            String best = null;
            long most = -1;
            for (String value : values(knob)) {
                long brings = missing.stream().filter(pair -> brings(pair, knob, value, setting)).count();
                if (brings > most) {
                    most = brings;
                    best = value;
                }
            }
            setting.put(knob, best);
        }
        return setting;
    }

    /** Whether a missing pair has this value, beside one that is set, or one that is still to be. */
    private static boolean brings(Pair pair, Knob knob, String value, Map<Knob, String> setting) {
        boolean isFirst = pair.first() == knob && pair.one().equals(value);
        boolean isSecond = pair.second() == knob && pair.other().equals(value);
        if (!isFirst && !isSecond) {
            return false;
        }
        String there = setting.get(isFirst ? pair.second() : pair.first());
        return there == null ? setting.isEmpty() : there.equals(isFirst ? pair.other() : pair.one());
    }

    private static int count(Set<Pair> missing, Map<Knob, String> setting) {
        Set<Pair> pairs = in(setting);
        pairs.retainAll(missing);
        return pairs.size();
    }
}
