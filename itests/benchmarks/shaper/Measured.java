package io.manafold.benchmark;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How a ceiling was kept.
 *
 * @param rate in bits per second
 * @param variation of milliseconds: standard deviation by mean
 * @param peak bits per second in the fullest millisecond
 * @param cpu per cent of a processor
 */
record Measured(double rate, double variation, double peak, double cpu) {
    /** Medians; of peaks the highest. */
    static Measured of(List<Measured> rounds) {
        return new Measured(median(rounds, Measured::rate), median(rounds, Measured::variation),
                rounds.stream().mapToDouble(Measured::peak).max().orElseThrow(), median(rounds, Measured::cpu));
    }

    private static double median(List<Measured> rounds, ToDoubleFunction<Measured> figure) {
        return rounds.stream().mapToDouble(figure).sorted().skip(rounds.size() / 2).findFirst().orElseThrow();
    }
}
