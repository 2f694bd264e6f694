package io.manafold.api.shaper;

/** What rates and bursts count; numbers on the wire are ordinals. */
public enum ShaperMetric {
    /** Bits per second. */
    BPS,
    /** Packets per second. */
    PPS;

    /** Its word in commands and in JSON. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
