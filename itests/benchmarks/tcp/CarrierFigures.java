package io.manafold.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What slices of ours and of a peer came to, which took turns. */
final class CarrierFigures {
    private static final double GB = 1e9;
    private static final double MIB = 1 << 20;

    final TcpCase what;
    final String ours;
    final String peer;
    private final List<Carrier.Slice> own = new ArrayList<>();
    private final List<Carrier.Slice> others = new ArrayList<>();
    private long allocated = Long.MAX_VALUE;

    CarrierFigures(TcpCase what, String ours, String peer) {
        this.what = what;
        this.ours = ours;
        this.peer = peer;
    }

    void add(Carrier.Slice one, Carrier.Slice other) {
        own.add(one);
        others.add(other);
    }

    void allocated(long bytes) {
        allocated = Math.min(allocated, bytes);
    }

    /** The least of all slices. */
    long allocated() {
        return allocated;
    }

    private interface Figure {
        double of(Carrier.Slice slice);
    }

    private double median(List<Carrier.Slice> slices, Figure figure) {
        return middle(slices.stream().mapToDouble(figure::of).toArray());
    }

    private static double middle(double[] values) {
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }

    /** Ours over the peer's, slice by slice: below 1 ours is better. */
    private double ratio(Figure figure) {
        double[] ratios = new double[own.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = figure.of(own.get(i)) / figure.of(others.get(i));
        }
        return middle(ratios);
    }

    private static double cpu(Carrier.Slice slice) {
        return slice.cpuNanos() / 1e9 / (slice.bytes() / GB);
    }

    private static double sends(Carrier.Slice slice) {
        return slice.sends() < 0 ? Double.NaN : slice.sends() / (slice.bytes() / MIB);
    }

    private static double receives(Carrier.Slice slice) {
        return slice.receives() < 0 ? Double.NaN : slice.receives() / (slice.bytes() / MIB);
    }

    double gigabytes(boolean ofOurs) {
        return median(ofOurs ? own : others, slice -> slice.bytes() / GB / (slice.wallNanos() / 1e9));
    }

    double cpu(boolean ofOurs) {
        return median(ofOurs ? own : others, CarrierFigures::cpu);
    }

    double sends(boolean ofOurs) {
        return median(ofOurs ? own : others, CarrierFigures::sends);
    }

    double receives(boolean ofOurs) {
        return median(ofOurs ? own : others, CarrierFigures::receives);
    }

    /** In microseconds. */
    double p50(boolean ofOurs) {
        return median(ofOurs ? own : others, Carrier.Slice::p50) / 1000;
    }

    double cpuRatio() {
        return ratio(CarrierFigures::cpu);
    }

    double p50Ratio() {
        return ratio(Carrier.Slice::p50);
    }
}
