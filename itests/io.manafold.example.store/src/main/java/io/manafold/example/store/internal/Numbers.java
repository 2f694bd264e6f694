package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whole numbers of 64 bits as they are written. */
final class Numbers {
    private static final int LONGEST = 20;

    private Numbers() {
    }

    /** Whether it is written as such a number always is, and is within its range. */
    static boolean isNumber(MemorySegment memory, long at, int length) {
        if (length < 1 || length > LONGEST) {
            return false;
        }
        boolean negative = byteAt(memory, at) == '-';
        int first = negative ? 1 : 0;
        if (length == first || byteAt(memory, at + first) == '0' && (length > first + 1 || negative)) {
            return false;
        }
        long limit = negative ? Long.MIN_VALUE : -Long.MAX_VALUE;
        long value = 0;
        for (int i = first; i < length; i++) {
            int digit = byteAt(memory, at + i) - '0';
            if (digit < 0 || digit > 9 || value < limit / 10 || value * 10 < limit + digit) {
                return false;
            }
            value = value * 10 - digit;
        }
        return true;
    }

    static long number(MemorySegment memory, long at, int length) {
        boolean negative = byteAt(memory, at) == '-';
        long value = 0;
        for (int i = negative ? 1 : 0; i < length; i++) {
            value = value * 10 - (byteAt(memory, at + i) - '0');
        }
        return negative ? value : -value;
    }

    static int length(long number) {
        int length = number < 0 ? 2 : 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            length++;
        }
        return length;
    }

    /** Writes it with as many bytes as {@link #length} says. */
    static void write(MemorySegment memory, long at, long number) {
        long rest = number;
        for (long i = at + length(number) - 1; i >= at; i--) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) ('0' + Math.abs((int) (rest % 10))));
            rest /= 10;
        }
        if (number < 0) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) '-');
        }
    }

    private static byte byteAt(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at);
    }
}
