package io.manafold.api.qualify;

import java.util.Arrays;

/** The middle of some values, and the middles of the halves below and above. */
public record Quartiles(double lower, double median, double upper) {
    /** @param values one or more */
    public static Quartiles of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** Whether the two have values in common. */
    public boolean overlaps(Quartiles other) {
        return lower <= other.upper && other.lower <= upper;
    }
}
