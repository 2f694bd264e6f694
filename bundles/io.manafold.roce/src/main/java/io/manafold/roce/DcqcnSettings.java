package io.manafold.roce;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** A value for each parameter of congestion control; never changes, so that many queue pairs may share one. */
public final class DcqcnSettings {
    private static final DcqcnParameter[] PARAMETERS = DcqcnParameter.values();

    private final int[] values;

    private DcqcnSettings(int[] values) {
        this.values = values;
    }

    /** What adapters have from the factory. */
    public static DcqcnSettings usual() {
        int[] values = new int[PARAMETERS.length];
        for (DcqcnParameter parameter : PARAMETERS) {
            values[parameter.ordinal()] = parameter.usual();
        }
        return new DcqcnSettings(values);
    }

    public int get(DcqcnParameter parameter) {
        return values[parameter.ordinal()];
    }

    /** The same but for one value; {@link Refusal} ERANGE outside of the parameter's bounds. */
    public DcqcnSettings with(DcqcnParameter parameter, int value) {
        if (value < parameter.least() || value > parameter.most()) {
            throw new Refusal(Errno.ERANGE, "%s is %d to %d%s, not %d".formatted(parameter.label(), parameter.least(),
                    parameter.most(), parameter.unit().isEmpty() ? "" : " " + parameter.unit(), value));
        }
        int[] changed = values.clone();
        changed[parameter.ordinal()] = value;
        return new DcqcnSettings(changed);
    }
}
