package io.manafold.product;

import java.util.List;
import java.util.Locale;

/** For how long nothing arrived, each time that a way was changed: milliseconds, in rising order. */
record Gaps(double[] millis) {
    /**
     * The longest ones, one for each change.
     *
     * @param changes how often the way was changed; what was not noticed counts as 0
     */
    static Gaps of(List<Double> seen, int changes) {
        double[] all = new double[changes];
        List<Double> sorted = seen.stream().sorted().skip(Math.max(0, seen.size() - changes)).toList();
        for (int i = 0; i < sorted.size(); i++) {
            all[all.length - sorted.size() + i] = sorted.get(i);
        }
        return new Gaps(all);
    }

    /** The gap that so many per cent do not exceed. */
    double percentile(double percent) {
        return millis.length == 0 ? 0 : millis[Math.max(0, (int) Math.ceil(percent / 100 * millis.length) - 1)];
    }

    /** One line for people. */
    String text(String what) {
        return String.format(Locale.ROOT, "%s: gaps of %d changes of way: p50 %.1f ms, p99 %.1f ms, longest %.1f ms",
                what, millis.length, percentile(50), percentile(99), percentile(100));
    }
}
