package io.manafold.shell;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How numbers are written in commands, all in the same way: whole numbers, bytes with {@code k}, {@code m} or
 * {@code g} behind, seconds with a fraction. What is no such number, or out of range, is a {@link UsageError} that
 * names the word, what it takes and what was typed.
 */
public final class Numbers {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,20}");
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,20})([kKmMgG]?)");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?|\\.[0-9]{1,9}");
    private static final int NANO_DIGITS = 9;
    private static final int LONGEST = 60;

    private Numbers() {
    }

    /**
     * A whole number.
     *
     * @param what the option or word that it stands behind
     */
    public static int whole(String what, String text, int least, int most) {
        return (int) whole(what, text, (long) least, (long) most);
    }

    /** As {@link #whole(String, String, int, int)}, for larger ones. */
    public static long whole(String what, String text, long least, long most) {
        if (WHOLE.matcher(text).matches()) {
            BigInteger number = new BigInteger(text);
            if (isBetween(number, least, most)) {
                return number.longValue();
            }
        }
        throw notWhole(what, text, Long.toString(least), Long.toString(most));
    }

    /** As {@link #whole(String, String, int, int)}, from 0, for numbers that may take all 64 bits. */
    public static long unsigned(String what, String text, long most) {
        if (WHOLE.matcher(text).matches()) {
            BigInteger number = new BigInteger(text);
            if (number.signum() >= 0 && number.bitLength() <= Long.SIZE
                    && Long.compareUnsigned(number.longValue(), most) <= 0) {
                return number.longValue();
            }
        }
        throw notWhole(what, text, "0", Long.toUnsignedString(most));
    }

    private static boolean isBetween(BigInteger number, long least, long most) {
        return number.compareTo(BigInteger.valueOf(least)) >= 0 && number.compareTo(BigInteger.valueOf(most)) <= 0;
    }

    private static UsageError notWhole(String what, String text, String least, String most) {
        return new UsageError(what + " takes a whole number from " + least + " to " + most + ", not " + quoted(text)
                + ".");
    }

    /**
     * A whole number of bytes: {@code 4096}, {@code 64k}, {@code 1m} or {@code 1g}, in either case; a {@code k} is
     * 1024 bytes, an {@code m} and a {@code g} 1024 of the one before.
     *
     * @param what the option or word that it stands behind
     */
    public static long bytes(String what, String text, long least, long most) {
        Matcher parts = BYTES.matcher(text);
        if (parts.matches()) {
            int shift = switch (parts.group(2)) {
                case "k", "K" -> 10;
                case "m", "M" -> 20;
                case "g", "G" -> 30;
                default -> 0;
            };
            BigInteger number = new BigInteger(parts.group(1)).shiftLeft(shift);
            if (isBetween(number, least, most)) {
                return number.longValue();
            }
        }
        throw new UsageError(what + " takes a number of bytes from " + least + " to " + most
                + ", as in 4096, 64k, 1m or 1g, not " + quoted(text) + ".");
    }

    /**
     * Seconds, with a fraction if need be, to the nanosecond.
     *
     * @param what the option or word that they stand behind
     */
    public static Duration seconds(String what, String text, Duration least, Duration most) {
        if (SECONDS.matcher(text).matches()) {
            BigDecimal seconds = new BigDecimal(text).setScale(NANO_DIGITS, RoundingMode.HALF_UP);
            if (seconds.compareTo(decimal(least)) >= 0 && seconds.compareTo(decimal(most)) <= 0) {
                return Duration.ofSeconds(seconds.longValue(),
                        seconds.remainder(BigDecimal.ONE).movePointRight(NANO_DIGITS).longValue());
            }
        }
        throw new UsageError(what + " takes seconds from " + plain(least) + " to " + plain(most)
                + ", as in 0.2, not " + quoted(text) + ".");
    }

    /** A number with what it counts: {@code 1 port}, {@code 2 ports}. */
    public static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static BigDecimal decimal(Duration time) {
        return BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), NANO_DIGITS));
    }

    private static String plain(Duration time) {
        BigDecimal seconds = decimal(time);
        return seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString();
    }

    /** What was typed, between quotes and fit for one line. */
    static String quoted(String text) {
        return "'" + PlainText.oneLine(text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text) + "'";
    }
}
