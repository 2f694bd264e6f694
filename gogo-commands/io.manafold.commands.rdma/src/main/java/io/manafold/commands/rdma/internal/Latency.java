package io.manafold.commands.rdma.internal;

import io.manafold.shell.Fields;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** How long messages took, in microseconds. */
record Latency(int size, int messages, double shortest, double longest, double typical, double average,
        double deviation, double of99, double of999) implements Result {
    static final String HEADER = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
            + "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ";
    private static final double MICROSECOND = 1000;
    /** The longest ones that are left out of all but the longest. */
    private static final int TAIL = 2;

    static Latency of(MeasurePlan plan, Times times) {
        long[] rounds = times.rounds();
        double unit = plan.operation().ways() * MICROSECOND;
        int count = rounds.length - TAIL;
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += rounds[i] / unit;
        }
        double average = sum / count;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += Math.pow(average - rounds[i] / unit, 2);
        }
        double typical = count % 2 == 1 ? rounds[count / 2] : (rounds[count / 2] + rounds[count / 2 - 1]) / 2.0;
        return new Latency(plan.size(), plan.iterations(), rounds[0] / unit, rounds[count] / unit, typical / unit,
                average, Math.sqrt(squares / count), rounds[(int) Math.ceil(count * 0.99)] / unit,
                rounds[(int) Math.ceil(count * 0.999)] / unit);
    }

    static Latency of(MeasurePlan plan, long[] numbers) {
        return new Latency(plan.size(), plan.iterations(), Double.longBitsToDouble(numbers[0]),
                Double.longBitsToDouble(numbers[1]), Double.longBitsToDouble(numbers[2]),
                Double.longBitsToDouble(numbers[3]), Double.longBitsToDouble(numbers[4]),
                Double.longBitsToDouble(numbers[5]), Double.longBitsToDouble(numbers[6]));
    }

    @Override
    public long[] numbers() {
        return DoubleStream.of(shortest, longest, typical, average, deviation, of99, of999)
                .mapToLong(Double::doubleToLongBits).toArray();
    }

    @Override
    public String line(MeasurePlan plan) {
        return String.format(Locale.ROOT, " %-7d %d          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     "
                + "\t%-7.2f\t\t%-7.2f \t\t%-7.2f", size, messages, shortest, longest, typical, average, deviation, of99,
                of999);
    }

    @Override
    public Fields fields() {
        return Fields.of("MsgSize", size).and("n_iterations", messages).and("t_min", Result.rounded(shortest, 2))
                .and("t_max", Result.rounded(longest, 2)).and("t_typical", Result.rounded(typical, 2))
                .and("t_avg", Result.rounded(average, 2)).and("t_stdev", Result.rounded(deviation, 2))
                .and("percentile_99", Result.rounded(of99, 2)).and("percentile_99.9", Result.rounded(of999, 2));
    }

    /** How long they took on average while a time passed. */
    record Timed(int size, long messages, double average, double perSecond) implements Result {
        static final String HEADER = " #bytes        #iterations       t_avg[usec]    tps average";

        static Timed of(MeasurePlan plan, Times times) {
            long messages = Math.max(1, times.within());
            double seconds = times.withinSeconds();
            return new Timed(plan.size(), times.within(), seconds * 1e6 / plan.operation().ways() / messages,
                    times.within() / seconds);
        }

        static Timed of(MeasurePlan plan, long[] numbers) {
            return new Timed(plan.size(), numbers[0], Double.longBitsToDouble(numbers[1]),
                    Double.longBitsToDouble(numbers[2]));
        }

        @Override
        public long[] numbers() {
            return new long[] {messages, Double.doubleToLongBits(average), Double.doubleToLongBits(perSecond)};
        }

        @Override
        public String line(MeasurePlan plan) {
            return String.format(Locale.ROOT, " %-7d       %d            %-7.2f        %-7.2f", size, messages, average,
                    perSecond);
        }

        @Override
        public Fields fields() {
            return Fields.of("MsgSize", size).and("n_iterations", messages).and("t_avg", Result.rounded(average, 2))
                    .and("tps_average", Result.rounded(perSecond, 2));
        }
    }
}
