package io.manafold.api.shaper;

import java.util.Locale;

/** What a device can do for shapers of a scope, in the order of the attributes that say so. */
public enum ShaperCapability {
    METRIC_BPS, METRIC_PPS, NESTING, BW_MIN, BW_MAX, BURST, PRIORITY, WEIGHT;

    /** The attribute's name: {@code support-bw-max}. */
    public String word() {
        return "support-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
