package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A line of the table: what was measured, slice by slice, ours and a rival's in turn.
 *
 * <p>A pair of slices during which the processors were moved is dropped.
 */
final class Figures<C> {
    final C what;
    final Rival rival;
    private final List<Double> millions = new ArrayList<>();
    private final List<Double> nanos = new ArrayList<>();
    private final List<Double> rivals = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private final List<Double> trips = new ArrayList<>();
    private int dropped;
    private double bytes = Double.NaN;

    Figures(C what, Rival rival) {
        this.what = what;
        this.rival = rival;
    }

    void add(double packetsPerSecond, double nanosPerPacket, double rivalNanos) {
        millions.add(packetsPerSecond / 1e6);
        nanos.add(nanosPerPacket);
        rivals.add(rivalNanos);
        ratios.add(rivalNanos / nanosPerPacket);
    }

    void drop() {
        dropped++;
    }

    /** Core to core and back, before a pair and after it. */
    void trip(double before, double after) {
        trips.add(before);
        trips.add(after);
    }

    void allocated(double bytesPerPacket) {
        bytes = Double.isNaN(bytes) ? bytesPerPacket : Math.min(bytes, bytesPerPacket);
    }

    int pairs() {
        return nanos.size();
    }

    int dropped() {
        return dropped;
    }

    double millions() {
        return median(millions);
    }

    double nanos() {
        return median(nanos);
    }

    double rivalNanos() {
        return median(rivals);
    }

    double ratio() {
        return median(ratios);
    }

    double trip() {
        return median(trips);
    }

    /** The least of all slices. */
    double bytes() {
        return bytes;
    }

    private static double median(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
