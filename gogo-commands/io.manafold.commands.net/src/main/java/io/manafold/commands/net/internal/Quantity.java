package io.manafold.commands.net.internal;

import io.manafold.shell.UsageError;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities as people write them. */
final class Quantity {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);
    private static final Pattern RATE = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?) ?([a-zA-Z]+)");
    private static final Map<String, Long> PACKETS = Map.of("pps", 1L, "kpps", 1_000L, "mpps", 1_000_000L);
    private static final Map<String, Long> BITS = Map.of("bit", 1L, "kbit", 1_000L, "mbit", 1_000_000L, "gbit",
            1_000_000_000L);

    private Quantity() {
    }

    /** Packets in a second; a rate in bits is one of frames of a size. */
    static long packets(String option, String text, int size) {
        Matcher rate = RATE.matcher(text);
        if (rate.matches()) {
            String unit = rate.group(2).toLowerCase(Locale.ROOT);
            BigDecimal number = new BigDecimal(rate.group(1));
            BigDecimal packets = PACKETS.containsKey(unit) ? number.multiply(BigDecimal.valueOf(PACKETS.get(unit)))
                    : !BITS.containsKey(unit) ? null : number.multiply(BigDecimal.valueOf(BITS.get(unit)))
                            .divide(BigDecimal.valueOf((long) size * Byte.SIZE), 0, RoundingMode.HALF_UP);
            if (packets != null && packets.compareTo(BigDecimal.ONE) >= 0 && packets.compareTo(NANOS) <= 0) {
                return packets.longValue();
            }
            if (packets != null) {
                throw new UsageError(option + " is between 1 and 1000000000 packets in a second, not " + text + ".");
            }
        }
        throw new UsageError(option + " takes a rate, as in 1mpps or 10gbit, not '" + text
                + "'; the units are pps, kpps, mpps, bit, kbit, mbit, gbit.");
    }
}
