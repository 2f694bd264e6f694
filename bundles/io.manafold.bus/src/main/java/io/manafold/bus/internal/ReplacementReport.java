package io.manafold.bus.internal;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a driver's departure left behind, for the event that tells how it ended.
 *
 * @param lostBefore frames that the function had lost when the driver began to leave; empty if there is no counter
 * @param buffersOut buffers that were not home when it had left; empty if the driver does not count them
 */
record ReplacementReport(OptionalLong lostBefore, OptionalLong buffersOut) {
    static final ReplacementReport NONE = new ReplacementReport(OptionalLong.empty(), OptionalLong.empty());

    /** By the names that programs read. */
    Map<String, Number> figures(long gapNanos, OptionalLong lostNow) {
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("gap_ms", Math.round(gapNanos / 1e5) / 10.0);
        if (lostBefore.isPresent() && lostNow.isPresent()) {
            figures.put("frames_lost", Math.max(0, lostNow.getAsLong() - lostBefore.getAsLong()));
        }
        buffersOut.ifPresent(out -> figures.put("buffers_out", out));
        return figures;
    }

    /** The same figures as the end of a sentence. */
    static String words(Map<String, Number> figures) {
        StringBuilder words = new StringBuilder(String.format(Locale.ROOT, "gap %.1f ms", figures.get("gap_ms")));
        if (figures.get("frames_lost") instanceof Number lost) {
            words.append(", ").append(count(lost.longValue(), "frame")).append(" lost");
        }
        if (figures.get("buffers_out") instanceof Number out) {
            words.append(out.longValue() == 0 ? ", all buffers home" : ", " + count(out.longValue(), "buffer")
                    + " not home");
        }
        return words.toString();
    }

    private static String count(long number, String what) {
        return number == 0 ? "no " + what + "s" : number + " " + what + (number == 1 ? "" : "s");
    }
}
