package io.manafold.testpmd.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads single words. */
final class Words {
    private static final int MOST_SHOWN = 60;
    private static final int MOST_LIST = 1024;
    /** What moves a cursor, breaks or turns a line, or is half a character. */
    private static final Pattern NOT_PLAIN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private Words() {
    }

    /** A word as it can be repeated to people. */
    static String shown(String word) {
        boolean isLong = word.length() > MOST_SHOWN;
        String plain = NOT_PLAIN.matcher(isLong ? word.substring(0, MOST_SHOWN) : word).replaceAll("?");
        return isLong ? plain + "…" : plain;
    }

    static Refusal wrong(String sentence) {
        return new Refusal(Errno.EINVAL, sentence);
    }

    /** A refusal as it is told at the prompt: a line. */
    static String told(Refusal refused) {
        return refused.getMessage() + " (" + refused.errno() + ", " + -refused.errno().number() + ")\n";
    }

    /** Several failures, at least one, as one: a refusal keeps no others with it, so it has the sentences of all. */
    static RuntimeException together(List<? extends RuntimeException> failures) {
        RuntimeException first = failures.getFirst();
        if (failures.size() == 1) {
            return first;
        }
        Errno errno = first instanceof Refusal refused ? refused.errno() : Errno.EIO;
        return new Refusal(errno, failures.stream().map(failure -> failure instanceof Refusal ? failure.getMessage()
                : failure + ".").collect(Collectors.joining(" ")), first);
    }

    static int port(String text) {
        return number("A port", text, 0, Integer.MAX_VALUE);
    }

    /** A number in decimal digits, or in hexadecimal ones with 0x before them. */
    static int number(String what, String text, int least, int most) {
        try {
            long number = isHexadecimal(text) ? HexFormat.fromHexDigitsToLong(text, 2, text.length())
                    : Integer.parseInt(text);
            if (number >= least && number <= most) {
                return (int) number;
            }
        } catch (IllegalArgumentException e) {
            // told below, together with the numbers that are out of range
        }
        throw wrong(what + " takes a whole number from " + least + " to " + most + ", not '" + shown(text) + "'.");
    }

    private static boolean isHexadecimal(String text) {
        return text.length() > 2 && text.regionMatches(true, 0, "0x", 0, 2);
    }

    /** A number in hexadecimal digits, with 0x before them, or in decimal ones. */
    static long mask(String what, String text) {
        try {
            return isHexadecimal(text) ? Long.parseUnsignedLong(text.substring(2), 16)
                    : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw wrong(what + " takes a number such as 0x8003, not '" + shown(text) + "'.");
        }
    }

    /** Numbers and ranges with commas: {@code 0,2-4}. */
    static List<Integer> list(String what, String text, int most) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-', 1);
            int first = number(what, dash < 0 ? part : part.substring(0, dash), 0, most);
            int last = dash < 0 ? first : number(what, part.substring(dash + 1), first, most);
            for (int number = first; number <= last; number++) {
                if (!numbers.contains(number)) {
                    numbers.add(number);
                }
            }
            if (numbers.size() > MOST_LIST) {
                throw wrong(what + " takes at most " + MOST_LIST + " numbers.");
            }
        }
        return numbers;
    }

    /** @throws Refusal {@code EINVAL} also for a mask without a bit: none is not all */
    static List<Integer> bits(String what, String text) {
        long mask = mask(what, isHexadecimal(text) ? text : "0x" + text);
        List<Integer> numbers = new ArrayList<>();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if ((mask >>> bit & 1) != 0) {
                numbers.add(bit);
            }
        }
        if (numbers.isEmpty()) {
            throw wrong(what + " takes a mask with a bit for each that is meant, one at least, not '"
                    + shown(text) + "'.");
        }
        return numbers;
    }

    static MacAddress mac(String text) {
        try {
            return MacAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong("'" + shown(text) + "' is no MAC address; write six bytes, as in 00:0d:3a:00:00:01.");
        }
    }

    /** An address of IPv4. */
    static int ipv4(String text) {
        String[] parts = text.split("[.]", -1);
        if (parts.length != 4) {
            throw wrong("'" + shown(text) + "' is no address of IPv4; write four numbers, as in 198.18.0.1.");
        }
        int address = 0;
        for (String part : parts) {
            if (isHexadecimal(part)) {
                throw wrong("Each part of an address is a decimal number, not '" + shown(part) + "'.");
            }
            address = address << 8 | number("Each part of an address", part, 0, 255);
        }
        return address;
    }

    /** Whether a device as the environment names it, {@code 7870:00:00.0,mac=00:0d:3a:00:00:01}, is that of a port. */
    static boolean names(String device, String address, MacAddress mac) {
        String[] words = device.split(",", -1);
        List<String> others = Arrays.stream(words, 1, words.length).toList();
        return words[0].replaceFirst("^(pci|vmbus):", "").equalsIgnoreCase(address)
                && others.stream().allMatch(word -> word.startsWith("mac="))
                && (others.isEmpty() || others.stream().anyMatch(word -> word.equalsIgnoreCase("mac=" + mac)));
    }
}
