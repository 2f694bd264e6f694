package io.manafold.api.qualify;

import java.util.Locale;

/** What values are counted in, and which ones are good. */
public enum Unit {
    PACKETS_PER_SECOND("packets/s", "pps", true),
    BITS_PER_SECOND("bit/s", "bit/s", true),
    SECONDS("s", "s", false),
    PERCENT("%", "%", false),
    /** What was allocated. */
    BYTES_PER_PACKET("bytes/packet", "B/packet", false);

    private static final double STEP = 1000;
    private static final String[] LARGE = {"", "k", "M", "G", "T"};
    private static final String[] SMALL = {"", "m", "\u00b5", "n"};

    private final String word;
    private final String sign;
    private final boolean moreIsBetter;

    Unit(String word, String sign, boolean moreIsBetter) {
        this.word = word;
        this.sign = sign;
        this.moreIsBetter = moreIsBetter;
    }

    /** As reports have it. */
    public String word() {
        return word;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** A value of it for people: {@code 1.25 Mpps}. */
    public String text(double value) {
        if (value == 0 || this == PERCENT || this == BYTES_PER_PACKET) {
            return digits(value) + " " + sign;
        }
        String[] prefixes = value < 1 ? SMALL : LARGE;
        double scaled = value;
        int step = 0;
        while (step + 1 < prefixes.length && (value < 1 ? scaled < 1 : scaled >= STEP)) {
            scaled = value < 1 ? scaled * STEP : scaled / STEP;
            step++;
        }
        return digits(scaled) + " " + prefixes[step] + sign;
    }

    /** Three digits that say something. */
    private static String digits(double value) {
        int places = value == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }
}
