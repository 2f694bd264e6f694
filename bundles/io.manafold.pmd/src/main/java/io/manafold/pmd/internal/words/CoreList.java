package io.manafold.pmd.internal.words;

import io.manafold.api.refusal.Refusal;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Lists of cores: {@code 1,4-6}, masks, and those that say which processors a core may use: {@code (0-3)@5,4@(6,7)}.
 */
final class CoreList {
    /** Cores are numbered below this. */
    static final int MOST = 128;

    private final String option;
    private final String text;
    private int at;

    private CoreList(String option, String text) {
        this.option = option;
        this.text = text;
    }

    /** Which core may use which processors. */
    static SortedMap<Integer, TreeSet<Integer>> parse(String option, String text) {
        return new CoreList(option, text).all();
    }

    /** The cores of a mask in hexadecimal. */
    static SortedMap<Integer, TreeSet<Integer>> mask(String option, String text) {
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        SortedMap<Integer, TreeSet<Integer>> cores = new TreeMap<>();
        if (digits.isEmpty() || digits.length() > MOST / 4 || !digits.chars()
                .allMatch(c -> Character.digit(c, 16) >= 0)) {
            throw Typed.wrong(option + " takes a mask of cores in hexadecimal, as in 0x7e, and '" + text
                    + "' is none.");
        }
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(digits.length() - 1 - i), 16);
            for (int bit = 0; bit < 4; bit++) {
                if ((digit >> bit & 1) != 0) {
                    cores.put(i * 4 + bit, itself(i * 4 + bit));
                }
            }
        }
        if (cores.isEmpty()) {
            throw Typed.wrong(option + " " + text + " has no core.");
        }
        return cores;
    }

    private static TreeSet<Integer> itself(int core) {
        TreeSet<Integer> one = new TreeSet<>();
        one.add(core);
        return one;
    }

    private SortedMap<Integer, TreeSet<Integer>> all() {
        SortedMap<Integer, TreeSet<Integer>> cores = new TreeMap<>();
        do {
            TreeSet<Integer> named = group();
            TreeSet<Integer> processors = skip('@') ? group() : null;
            for (int core : named) {
                cores.put(core, processors == null ? itself(core) : processors);
            }
        } while (skip(','));
        if (at < text.length()) {
            throw wrong();
        }
        return cores;
    }

    private TreeSet<Integer> group() {
        TreeSet<Integer> numbers = new TreeSet<>();
        if (skip('(')) {
            do {
                range(numbers);
            } while (skip(','));
            if (!skip(')')) {
                throw wrong();
            }
        } else {
            range(numbers);
        }
        return numbers;
    }

    private void range(TreeSet<Integer> into) {
        int from = number();
        int to = skip('-') ? number() : from;
        if (to < from) {
            throw wrong();
        }
        for (int i = from; i <= to; i++) {
            into.add(i);
        }
    }

    private int number() {
        int begin = at;
        int value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9' && value < MOST) {
            value = value * 10 + text.charAt(at++) - '0';
        }
        if (at == begin || value >= MOST) {
            throw wrong();
        }
        return value;
    }

    private boolean skip(char wanted) {
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private Refusal wrong() {
        return Typed.wrong(option + " takes a list of cores from 0 to " + (MOST - 1)
                + ", as in 1-3 or 1,4-6, and '" + text + "' is none at place " + (at + 1) + ".");
    }
}
