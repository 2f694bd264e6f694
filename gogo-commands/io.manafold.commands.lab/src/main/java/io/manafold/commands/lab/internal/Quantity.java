package io.manafold.commands.lab.internal;

import io.manafold.shell.UsageError;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with a unit, written as in lab files: {@code 100gbit}, {@code 2ms}, {@code 0.5%}, {@code 0xc00000bb}. */
final class Quantity {
    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,30}(?:\\.[0-9]{1,30})?)([a-zA-Z%]*)");
    private static final Pattern HEX = Pattern.compile("0[xX]0{0,40}([0-9a-fA-F]{1,8})");
    private static final Map<String, Long> RATES = units("bit", 1L, "kbit", 1_000L, "mbit", 1_000_000L, "gbit",
            1_000_000_000L, "tbit", 1_000_000_000_000L);
    private static final Map<String, Long> TIMES = units("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s",
            1_000_000_000L);
    private static final Map<String, Long> SIZES = units("b", 1L, "kib", 1L << 10, "mib", 1L << 20);
    private static final Map<String, Long> BYTES = units("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30,
            "TiB", 1L << 40);

    private Quantity() {
    }

    private static Map<String, Long> units(Object... namesAndSizes) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (int i = 0; i < namesAndSizes.length; i += 2) {
            units.put((String) namesAndSizes[i], (Long) namesAndSizes[i + 1]);
        }
        return units;
    }

    /** Bits per second. */
    static long rate(String option, String text, String least, String most) {
        return measure(option, text, RATES, "a rate, as in 100gbit", least, most);
    }

    /** Nanoseconds. */
    static long time(String option, String text, String least, String most) {
        return measure(option, text, TIMES, "a time, as in 2ms", least, most);
    }

    private static long measure(String option, String text, Map<String, Long> units, String what, String least,
            String most) {
        BigDecimal count = count(text, units);
        if (count == null) {
            throw new UsageError(option + " takes " + what + ", not '" + text + "'; the units are "
                    + String.join(", ", units.keySet()) + ".");
        }
        if (count.compareTo(count(least, units)) < 0 || count.compareTo(count(most, units)) > 0
                || count.stripTrailingZeros().scale() > 0) {
            throw new UsageError(option + " is between " + least + " and " + most + " in whole "
                    + units.keySet().iterator().next() + ", not " + text + ".");
        }
        return count.longValueExact();
    }

    /** Bytes. */
    static long size(String option, String text, String least, String most) {
        return measure(option, text, SIZES, "a size, as in 64kib", least, most);
    }

    private static BigDecimal count(String text, Map<String, Long> units) {
        Matcher parts = WITH_UNIT.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        if (parts.group(2).isEmpty()) {
            return number.signum() == 0 ? BigDecimal.ZERO : null;
        }
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (unit.getKey().equalsIgnoreCase(parts.group(2))) {
                return number.multiply(BigDecimal.valueOf(unit.getValue()));
            }
        }
        return null;
    }

    /** Percent; the sign may be left out. */
    static double percent(String option, String text) {
        Matcher parts = WITH_UNIT.matcher(text);
        if (!parts.matches() || !parts.group(2).isEmpty() && !parts.group(2).equals("%")) {
            throw new UsageError(option + " takes a share, as in 0.5%, not '" + text + "'.");
        }
        BigDecimal share = new BigDecimal(parts.group(1));
        if (share.compareTo(BigDecimal.valueOf(100)) > 0) {
            throw new UsageError(option + " is between 0% and 100%, not " + text + ".");
        }
        return share.doubleValue();
    }

    /** The status of an answer, 32 bits. */
    static int status(String option, String text) {
        Matcher hex = HEX.matcher(text);
        if (!hex.matches()) {
            throw new UsageError(option + " takes up to 32 bits in hexadecimal, as in 0xc00000bb, not '" + text
                    + "'.");
        }
        return Integer.parseUnsignedInt(hex.group(1), 16);
    }

    /** {@code 200gbit}. */
    static String showRate(long bits) {
        return exact(bits, RATES);
    }

    /** {@code 64kib}. */
    static String showSize(long bytes) {
        return exact(bytes, SIZES);
    }

    /** {@code 2ms}. */
    static String showTime(long nanos) {
        return exact(nanos, TIMES);
    }

    /** In the largest unit that needs no fraction. */
    private static String exact(long count, Map<String, Long> units) {
        String shown = String.valueOf(count);
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (count % unit.getValue() == 0 && (count != 0 || unit.getValue() == 1)) {
                shown = count / unit.getValue() + unit.getKey();
            }
        }
        return shown;
    }

    /** {@code 1.5 GiB}: for people, so with one place behind the point. */
    static String showBytes(long bytes) {
        String shown = bytes + " B";
        for (Map.Entry<String, Long> unit : BYTES.entrySet()) {
            if (unit.getValue() > 1 && bytes >= unit.getValue()) {
                shown = BigDecimal.valueOf(bytes * 10 / unit.getValue(), 1) + " " + unit.getKey();
            }
        }
        return shown;
    }

    /** {@code 0.5%}. */
    static String showPercent(double share) {
        return BigDecimal.valueOf(share).stripTrailingZeros().toPlainString() + "%";
    }

    /** {@code 0xc00000bb}. */
    static String showStatus(int status) {
        return "0x%08x".formatted(status);
    }
}
