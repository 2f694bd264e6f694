package io.manafold.roce;

/** What can be set of congestion control, by the names that administrators of network adapters know. */
public enum DcqcnParameter {
    TIME_RESET("rpg_time_reset", "µs", "period of the increase timer", 300, 1, 1_000_000),
    BYTE_RESET("rpg_byte_reset", "64 B", "bytes sent between two increases, in units of 64", 32767, 1, 1 << 24),
    THRESHOLD("rpg_threshold", "", "increases that only recover, before the target rises", 1, 1, 31),
    AI_RATE("rpg_ai_rate", "Mb/s", "additive step of the target, less in proportion on lines below 25 Gb/s", 5, 1,
            400_000),
    HAI_RATE("rpg_hai_rate", "Mb/s", "step when timer and bytes both are past the threshold, less in proportion below "
            + "25 Gb/s", 50, 1, 400_000),
    MIN_RATE("rpg_min_rate", "Mb/s", "no slower than this", 1, 1, 400_000),
    MIN_DEC_FAC("rpg_min_dec_fac", "%", "no decrease below this part of the rate", 50, 1, 100),
    ALPHA_GAIN("dce_tcp_g", "1/1024", "what remains of alpha after each period", 1019, 0, 1023),
    ALPHA_PERIOD("dce_tcp_rtt", "µs", "period of alpha", 1, 1, 1_000_000),
    INITIAL_ALPHA("initial_alpha_value", "1/1023", "alpha at the first notification", 1023, 1, 1023),
    REDUCE_PERIOD("rate_reduce_monitor_period", "µs", "at most one decrease in this time", 4, 1, 1_000_000),
    CLAMP_TARGET("clamp_tgt_rate", "0/1", "each notification lowers the target to the rate", 0, 0, 1),
    CLAMP_AFTER_TIME("clamp_tgt_rate_after_time_inc", "0/1", "as above, if the rate has been raised since the last one",
            1, 0, 1),
    CNP_SPACING("min_time_between_cnps", "µs", "a receiver's notifications of one flow", 50, 0, 1_000_000),
    CNP_DSCP("cnp_dscp", "", "code point of notifications", 48, 0, 63);

    private final String label;
    private final String unit;
    private final String meaning;
    private final int usual;
    private final int least;
    private final int most;

    DcqcnParameter(String label, String unit, String meaning, int usual, int least, int most) {
        this.label = label;
        this.unit = unit;
        this.meaning = meaning;
        this.usual = usual;
        this.least = least;
        this.most = most;
    }

    public String label() {
        return label;
    }

    public String unit() {
        return unit;
    }

    /** A phrase for people. */
    public String meaning() {
        return meaning;
    }

    public int usual() {
        return usual;
    }

    public int least() {
        return least;
    }

    public int most() {
        return most;
    }

    /** By its label; {@code null} if there is none. */
    public static DcqcnParameter of(String label) {
        for (DcqcnParameter parameter : values()) {
            if (parameter.label.equals(label)) {
                return parameter;
            }
        }
        return null;
    }
}
