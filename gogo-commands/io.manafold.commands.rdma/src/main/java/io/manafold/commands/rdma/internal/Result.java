package io.manafold.commands.rdma.internal;

import io.manafold.shell.Fields;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** What was measured with one size, as a line and as an object. */
interface Result {
    String line(MeasurePlan plan);

    Fields fields();

    static BigDecimal rounded(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }
}
