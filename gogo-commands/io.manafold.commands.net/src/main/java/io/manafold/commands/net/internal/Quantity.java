package io.manafold.commands.net.internal;

import io.manafold.shell.UsageError;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Quantities as people write them. */
final class Quantity {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);
    private static final BigDecimal LONGEST = BigDecimal.valueOf(86_400);

    private Quantity() {
    }

    /** Seconds, with a fraction if need be, as nanoseconds. */
    static long seconds(String option, String text, long leastNanos) {
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?|\\.[0-9]{1,9}")) {
            BigDecimal seconds = new BigDecimal(text);
            long nanos = seconds.min(LONGEST.add(BigDecimal.ONE)).multiply(NANOS).setScale(0, RoundingMode.HALF_UP)
                    .longValueExact();
            if (nanos >= leastNanos && seconds.compareTo(LONGEST) <= 0) {
                return nanos;
            }
            throw new UsageError(option + " is between " + new BigDecimal(leastNanos).divide(NANOS).toPlainString()
                    + " and " + LONGEST + " seconds, not " + text + ".");
        }
        throw new UsageError(option + " takes seconds, as in 0.2, not '" + text + "'.");
    }
}
