package io.manafold.commands.shaper.internal;

import io.manafold.shell.UsageError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rates as iproute2 reads and shows them: what is counted is bytes, so the rest of a division by eight is dropped.
 * Unlike there, a rate that would become none by this is refused.
 */
final class Rate {
    private static final Pattern FORM =
            Pattern.compile("([0-9]+\\.?[0-9]*(?:[eE][+-]?[0-9]{1,2})?|\\.[0-9]+)([a-zA-Z]*)");
    private static final BigDecimal BITS = BigDecimal.valueOf(8);
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(61).subtract(BigInteger.ONE);
    private static final String[] SHOWN = {"", "K", "M", "G", "T"};
    private static final long KILO = 1000;
    private static final int LONGEST = 40;

    private static final String PREFIXES = "kmgt";
    private static final Map<String, Long> PACKETS = Map.of("", 1L, "pps", 1L, "kpps", 1_000L, "mpps", 1_000_000L);

    private Rate() {
    }

    /** Bits in a second. */
    static long bits(String what, String text) {
        Matcher parts = parts(what, text);
        BigDecimal factor = factor(parts.group(2).toLowerCase(Locale.ROOT));
        if (factor == null) {
            throw unknown(what, text);
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        BigInteger bytes = number.multiply(factor).divide(BITS).toBigInteger();
        if (bytes.signum() == 0 && number.signum() > 0) {
            throw new UsageError(what + " " + text + " is less than 8 bits in a second, which counts as none, and none "
                    + "is no limit at all; the least is 8bit. To take a limit away say " + what + " 0.");
        }
        if (bytes.compareTo(MOST) > 0) {
            throw new UsageError(what + " " + text
                    + " is more than can be counted; the most is 18446744073709551608bit.");
        }
        return bytes.shiftLeft(3).longValue();
    }

    /** Packets in a second, as {@code 5kpps}. */
    static long packets(String what, String text) {
        Matcher parts = parts(what, text);
        Long factor = PACKETS.get(parts.group(2).toLowerCase(Locale.ROOT));
        if (factor == null) {
            throw new UsageError(what + " counts packets, as in 1000, 5kpps or 2mpps, not '" + text + "'.");
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        BigInteger packets = number.multiply(BigDecimal.valueOf(factor)).toBigInteger();
        if (packets.signum() == 0 && number.signum() > 0 || packets.bitLength() > Long.SIZE - 1) {
            throw new UsageError(what + " is from 1 to 9223372036854775807 packets in a second, not " + text
                    + "; 0 takes the limit away.");
        }
        return packets.longValue();
    }

    private static Matcher parts(String what, String text) {
        Matcher parts = FORM.matcher(text);
        if (text.length() > LONGEST || !parts.matches()) {
            throw unknown(what, text);
        }
        return parts;
    }

    private static BigDecimal factor(String unit) {
        if (unit.isEmpty()) {
            return BigDecimal.ONE;
        }
        int eights = unit.endsWith("bps") ? 8 : unit.endsWith("bit") ? 1 : 0;
        String prefix = eights == 0 ? "?" : unit.substring(0, unit.length() - 3);
        boolean binary = prefix.endsWith("i");
        String letter = binary ? prefix.substring(0, prefix.length() - 1) : prefix;
        if (letter.isEmpty() && !binary) {
            return BigDecimal.valueOf(eights);
        }
        int power = letter.length() == 1 ? PREFIXES.indexOf(letter) + 1 : 0;
        return power == 0 ? null : BigDecimal.valueOf(binary ? 1024 : KILO).pow(power)
                .multiply(BigDecimal.valueOf(eights));
    }

    private static UsageError unknown(String what, String text) {
        return new UsageError(what + " takes a rate, as in 500mbit, 1.5gbit or 10MBps, not '" + text
                + "'; a plain number is bit/s, the units are bit and Bps with k, m, g, t, ki, mi, gi, ti before them.");
    }

    /** As iproute2 shows it. */
    static String shown(long bits) {
        long rate = bits & ~7L;
        int unit = 0;
        while (unit < SHOWN.length - 1 && Long.compareUnsigned(rate, KILO) >= 0
                && (Long.remainderUnsigned(rate, KILO) == 0 || Long.compareUnsigned(rate, KILO * KILO) >= 0)) {
            rate = Long.divideUnsigned(rate, KILO);
            unit++;
        }
        return Long.toUnsignedString(rate) + SHOWN[unit] + "bit";
    }

    /** By what the shaper counts. */
    static String shown(long rate, boolean packets) {
        return packets ? Long.toUnsignedString(rate) + "pps" : shown(rate);
    }
}
