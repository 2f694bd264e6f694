package io.manafold.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A row of the table.
 *
 * @param shaper {@code manafold}, {@code none} for us without a limit, or a queueing discipline
 * @param rate in bits per second
 * @param frame its length in bytes
 */
record Ceiling(String shaper, long rate, int frame) {
    static final String OURS = "manafold";
    static final String NONE = "none";
    private static final int USUAL = 1514;
    private static final int LARGE = 9014;
    /** From here on a frame takes as long as a thread needs for one, so larger ones are sent. */
    private static final long FAST = 20_000_000_000L;
    /** Ours have no burst here: a queue that is late catches up at twice the rate, and with 0.1 ms at most at once. */
    private static final double AT_ONCE = 1e-4;
    private static final double CATCH_UP = 1e-3 + AT_ONCE;

    /** @param text as in {@code 10,10:128}: Mbit/s, perhaps with the length of frames */
    static List<Ceiling> all(String shaper, String text) {
        return text.isEmpty() ? List.of() : Stream.of(text.split(",")).map(one -> {
            String[] parts = one.split(":");
            long rate = Long.parseLong(parts[0]) * 1_000_000;
            return new Ceiling(shaper, rate, parts.length > 1 ? Integer.parseInt(parts[1]) : rate < FAST ? USUAL
                    : LARGE);
        }).toList();
    }

    boolean isKernels() {
        return !shaper.equals(OURS) && !shaper.equals(NONE);
    }

    static String head() {
        return String.format("%-9s %9s %6s %10s %8s %7s %7s %7s", "SHAPER", "Mbit/s", "FRAME", "ERROR %", "CV 1ms",
                "PEAK", "ALLOWED", "CPU %");
    }

    private double error(Measured seen) {
        return (seen.rate() / rate - 1) * 100;
    }

    private double peak(Measured seen) {
        return seen.peak() / (rate == 0 ? seen.rate() : rate);
    }

    /**
     * What a millisecond may have, by what the rate alone has in one: a burst more, and a frame that has begun. Ours
     * may have been counted late as well, where the thread stood still between sending and receiving.
     */
    private double allowed() {
        double more = isKernels() ? 8.0 * Veth.burst(rate) : CATCH_UP * rate + Math.max(AT_ONCE * rate, 8 * frame);
        return 1 + (more + 8 * frame) / (rate * 1e-3);
    }

    private String unlessNone(String format, double figure) {
        return rate == 0 ? "-" : String.format(Locale.ROOT, format, figure);
    }

    String line(Measured seen) {
        return String.format(Locale.ROOT, "%-9s %9.0f %6d %10s %8.3f %7.2f %7s %7.1f", shaper,
                (rate == 0 ? seen.rate() : rate) / 1e6, frame, unlessNone("%+.4f", error(seen)), seen.variation(),
                peak(seen), unlessNone("%.2f", allowed()), seen.cpu());
    }

    String json(Measured seen, boolean busy) {
        return String.format(Locale.ROOT, "{\"kind\":\"ceiling\",\"shaper\":\"%s\",\"busy\":%b,\"asked_bits\":%d,"
                + "\"frame\":%d,\"achieved_bits\":%.0f,%s\"variation_1ms\":%.4f,\"peak_1ms\":%.3f,"
                + "\"cpu_percent\":%.1f}", shaper, busy, rate, frame, seen.rate(),
                rate == 0 ? "" : String.format(Locale.ROOT, "\"error_percent\":%.5f,\"allowed_1ms\":%.3f,", error(seen),
                        allowed()), seen.variation(), peak(seen), seen.cpu());
    }
}
