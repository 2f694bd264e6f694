package io.manafold.testpmd.internal;

import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Whether packets are sent in all of the segments that were set, or in a number of them that is left to chance. */
enum Split {
    OFF,
    ON,
    RAND;

    private static final Map<String, Split> BY_WORD = new TreeMap<>();

    static {
        for (Split split : values()) {
            BY_WORD.put(split.word(), split);
        }
    }

    static Split of(String word) {
        return BY_WORD.get(word);
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How many segments the next packet has at most. */
    int segments(int all, SplittableRandom random) {
        return this == RAND ? 1 + random.nextInt(all) : all;
    }
}
