package io.manafold.commands.rdma.internal;

import io.manafold.shell.Fields;
import java.util.Locale;

/**
 * How much has gone through.
 *
 * @param peak in the unit of the plan, 0 if not measured; like {@code average}
 * @param rate in millions of messages a second
 * @param unit bytes in the unit
 */
record Throughput(int size, long messages, double peak, double average, double rate, double unit) implements Result {
    private static final double MEBIBYTE = 1 << 20;
    private static final double GIGABIT = 125_000_000;
    private static final double SMALL = 0.1;

    static Throughput of(MeasurePlan plan, Times times) {
        long messages = plan.isTimed() ? times.within() : (long) plan.iterations() * plan.pairs();
        double seconds = plan.isTimed() ? times.withinSeconds() : times.seconds();
        double unit = plan.gigabits() ? GIGABIT : MEBIBYTE;
        double fastest = plan.hasPeak() ? times.fastest() : 0;
        return new Throughput(plan.size(), messages, fastest == 0 ? 0 : plan.size() * 1e9 / fastest / unit,
                plan.size() * (double) messages / seconds / unit, messages / seconds / 1e6, unit);
    }

    /** In the unit of this end, whichever the other has. */
    static Throughput of(MeasurePlan plan, long[] numbers) {
        double unit = plan.gigabits() ? GIGABIT : MEBIBYTE;
        return new Throughput(plan.size(), numbers[0], Double.longBitsToDouble(numbers[1]) / unit,
                Double.longBitsToDouble(numbers[2]) / unit, Double.longBitsToDouble(numbers[3]), unit);
    }

    @Override
    public long[] numbers() {
        return new long[] {messages, Double.doubleToLongBits(peak * unit), Double.doubleToLongBits(average * unit),
            Double.doubleToLongBits(rate)};
    }

    /** Of both directions together. */
    Throughput with(Throughput other) {
        return new Throughput(size, messages, peak + other.peak, average + other.average, rate + other.rate, unit);
    }

    static String header(MeasurePlan plan) {
        String unit = plan.gigabits() ? "Gb" : "MiB";
        return " #bytes     #iterations    BW peak[" + unit + "/sec]    BW average[" + unit + "/sec]   MsgRate[Mpps]";
    }

    @Override
    public String line(MeasurePlan plan) {
        String format = average < SMALL && plan.gigabits()
                ? " %-7d    %d           %-7.6f            %-7.6f            %-7.6f"
                : " %-7d    %-10d       %-7.2f            %-7.2f\t\t     %-7.6f";
        return String.format(Locale.ROOT, format, size, messages, peak, average, rate);
    }

    @Override
    public Fields fields() {
        return Fields.of("MsgSize", size).and("n_iterations", messages).and("BW_peak", Result.rounded(peak, 2))
                .and("BW_average", Result.rounded(average, 2)).and("MsgRate", Result.rounded(rate, 6));
    }
}
