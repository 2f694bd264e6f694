package io.manafold.commands.rdma.internal;

import io.manafold.shell.Fields;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** What was measured with one size, as a line and as an object. */
interface Result {
    String line(MeasurePlan plan);

    Fields fields();

    /** The same as a few numbers, for {@link #of(MeasurePlan, long[])} at the other end. */
    long[] numbers();

    /** What comes of the times of one end. */
    static Result of(MeasurePlan one, Times times) {
        if (!one.latency()) {
            return Throughput.of(one, times);
        }
        return one.isTimed() ? Latency.Timed.of(one, times) : Latency.of(one, times);
    }

    /** What the other end has measured. */
    static Result of(MeasurePlan one, long[] numbers) {
        if (!one.latency()) {
            return Throughput.of(one, numbers);
        }
        return one.isTimed() ? Latency.Timed.of(one, numbers) : Latency.of(one, numbers);
    }

    /** For programs; the other end may have told any bits, and what is no number is 0. */
    static BigDecimal rounded(double value, int digits) {
        return BigDecimal.valueOf(Double.isFinite(value) ? value : 0).setScale(digits, RoundingMode.HALF_UP);
    }
}
