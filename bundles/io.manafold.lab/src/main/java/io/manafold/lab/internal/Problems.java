package io.manafold.lab.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** What is wrong with one file. The first few are kept as sentences, the rest is only counted. */
final class Problems {
    private static final int SHOWN = 20;

    private final List<Problem> shown = new ArrayList<>();
    private int count;

    /** @param sentence asked for only if the problem is among those that are shown */
    void add(SourcePosition position, Supplier<String> sentence) {
        count++;
        if (shown.size() < SHOWN) {
            shown.add(new Problem(position, sentence.get()));
        }
    }

    boolean none() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** All of them as one refusal: a sentence with its place if it is one, a line for each if there are more. */
    Refusal refusal(String file) {
        List<String> lines = new ArrayList<>();
        if (count > 1) {
            lines.add(file + " has " + count + " problems:");
        }
        shown.sort(Comparator.comparing(Problem::position));
        for (Problem problem : shown) {
            lines.add((count > 1 ? "  " : file + ", ") + problem.position() + ": " + problem.sentence());
        }
        if (count > SHOWN) {
            lines.add("  … and " + Words.count(count - SHOWN, "more problem") + ".");
        }
        return new Refusal(Errno.EINVAL, String.join("\n", lines));
    }

    private record Problem(SourcePosition position, String sentence) {
    }
}
