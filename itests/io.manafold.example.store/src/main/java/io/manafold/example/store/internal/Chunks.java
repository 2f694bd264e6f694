package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Divides memory into chunks of any size, each with a key and a value, and counts who needs a chunk. A chunk is known
 * by its number, which is where it begins, in steps of 16 bytes. Its value lies between what a reply has before and
 * after it, so that a reply is one piece:
 *
 * <pre>{@code
 * size | before | references | key length | value length | next | expires | key | $ length CR LF | value | CR LF
 * }</pre>
 *
 * Free chunks are kept in lists by size, eight lists for each power of two, and join their neighbours. Nothing is
 * allocated on the heap.
 */
final class Chunks {
    static final int NONE = -1;

    private static final int UNIT = 16;
    private static final int SIZE = 0;
    private static final int BEFORE = 4;
    /** Of free chunks this and the next are where they are in their list. */
    private static final int REFERENCES = 8;
    private static final int KEY_LENGTH = 12;
    private static final int VALUE_LENGTH = 16;
    private static final int NEXT = 20;
    private static final int EXPIRES = 24;
    private static final int KEY = 32;
    private static final int SMALLEST = KEY / UNIT;
    private static final int FREE = Integer.MIN_VALUE;
    private static final int LISTS = 256;

    private final MemorySegment memory;
    private final int units;
    private final int[] lists = new int[LISTS];
    private final long[] filled = new long[LISTS / Long.SIZE];
    private long used;

    /** @param memory aligned to 16 bytes, at most 32 GiB */
    Chunks(MemorySegment memory) {
        this.memory = memory;
        units = (int) Math.min(Integer.MAX_VALUE / 2, memory.byteSize() / UNIT);
        Arrays.fill(lists, NONE);
        set(0, BEFORE, NONE);
        set(0, SIZE, units);
        free(0);
    }

    /** Bytes in chunks that are taken. */
    long used() {
        return used * UNIT;
    }

    long size() {
        return (long) units * UNIT;
    }

    /** A chunk with one reference, with all but its key and its value written; {@link #NONE} if there is no room. */
    int allocate(int keyLength, int valueLength) {
        long bytes = KEY + (long) keyLength + headLength(valueLength) + valueLength + 2;
        if (bytes > size()) {
            return NONE;
        }
        int wanted = (int) ((bytes + UNIT - 1) / UNIT);
        int chunk = take(wanted);
        if (chunk == NONE) {
            return NONE;
        }
        set(chunk, REFERENCES, 1);
        set(chunk, KEY_LENGTH, keyLength);
        set(chunk, VALUE_LENGTH, valueLength);
        set(chunk, NEXT, NONE);
        memory.set(ValueLayout.JAVA_LONG, at(chunk) + EXPIRES, 0L);
        long head = replyAt(chunk);
        memory.set(ValueLayout.JAVA_BYTE, head, (byte) '$');
        int rest = valueLength;
        for (long i = head + headLength(valueLength) - 3; i > head; i--) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) ('0' + rest % 10));
            rest /= 10;
        }
        lineEnd(valueAt(chunk) - 2);
        lineEnd(valueAt(chunk) + valueLength);
        return chunk;
    }

    private void lineEnd(long at) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) '\r');
        memory.set(ValueLayout.JAVA_BYTE, at + 1, (byte) '\n');
    }

    static int headLength(int valueLength) {
        int digits = 1;
        for (int rest = valueLength; rest > 9; rest /= 10) {
            digits++;
        }
        return digits + 3;
    }

    /** It is needed once more. */
    void hold(int chunk) {
        set(chunk, REFERENCES, get(chunk, REFERENCES) + 1);
    }

    /** It is needed once less; it goes with the last one. */
    void letGo(int chunk) {
        int left = get(chunk, REFERENCES) - 1;
        set(chunk, REFERENCES, left);
        if (left == 0) {
            giveBack(chunk);
        }
    }

    // ---- what is in one

    int keyLength(int chunk) {
        return get(chunk, KEY_LENGTH);
    }

    int valueLength(int chunk) {
        return get(chunk, VALUE_LENGTH);
    }

    long keyAt(int chunk) {
        return at(chunk) + KEY;
    }

    /** Where what a client is answered begins. */
    long replyAt(int chunk) {
        return keyAt(chunk) + keyLength(chunk);
    }

    int replyLength(int chunk) {
        int length = valueLength(chunk);
        return headLength(length) + length + 2;
    }

    long valueAt(int chunk) {
        return replyAt(chunk) + headLength(valueLength(chunk));
    }

    int next(int chunk) {
        return get(chunk, NEXT);
    }

    void next(int chunk, int next) {
        set(chunk, NEXT, next);
    }

    /** Milliseconds of the clock, 0 for never. */
    long expires(int chunk) {
        return memory.get(ValueLayout.JAVA_LONG, at(chunk) + EXPIRES);
    }

    void expires(int chunk, long millis) {
        memory.set(ValueLayout.JAVA_LONG, at(chunk) + EXPIRES, millis);
    }

    // ---- free chunks

    private int take(int wanted) {
        int list = list(wanted);
        if (lists[list] == NONE || (get(lists[list], SIZE) & ~FREE) < wanted) {
            list = listWithRoom(wanted);
        }
        if (list < 0) {
            return NONE;
        }
        int chunk = lists[list];
        remove(chunk);
        int size = get(chunk, SIZE) & ~FREE;
        if (size - wanted >= SMALLEST) {
            int rest = chunk + wanted;
            set(rest, BEFORE, chunk);
            set(rest, SIZE, size - wanted);
            after(rest);
            free(rest);
            size = wanted;
        }
        set(chunk, SIZE, size);
        used += size;
        return chunk;
    }

    private void giveBack(int chunk) {
        used -= get(chunk, SIZE);
        int begin = chunk;
        int size = get(chunk, SIZE);
        int next = chunk + size;
        if (next < units && get(next, SIZE) < 0) {
            remove(next);
            size += get(next, SIZE) & ~FREE;
        }
        int before = get(chunk, BEFORE);
        if (before != NONE && get(before, SIZE) < 0) {
            remove(before);
            begin = before;
            size += get(before, SIZE) & ~FREE;
        }
        set(begin, SIZE, size);
        after(begin);
        free(begin);
    }

    /** Tells the one after it where it begins. */
    private void after(int chunk) {
        int next = chunk + (get(chunk, SIZE) & ~FREE);
        if (next < units) {
            set(next, BEFORE, chunk);
        }
    }

    private void free(int chunk) {
        int list = list(get(chunk, SIZE));
        int first = lists[list];
        set(chunk, SIZE, get(chunk, SIZE) | FREE);
        set(chunk, REFERENCES, first);
        set(chunk, KEY_LENGTH, NONE);
        if (first != NONE) {
            set(first, KEY_LENGTH, chunk);
        }
        lists[list] = chunk;
        filled[list / Long.SIZE] |= 1L << list;
    }

    private void remove(int chunk) {
        int next = get(chunk, REFERENCES);
        int previous = get(chunk, KEY_LENGTH);
        if (next != NONE) {
            set(next, KEY_LENGTH, previous);
        }
        if (previous != NONE) {
            set(previous, REFERENCES, next);
            return;
        }
        int list = list(get(chunk, SIZE) & ~FREE);
        lists[list] = next;
        if (next == NONE) {
            filled[list / Long.SIZE] &= ~(1L << list);
        }
    }

    private static int list(int size) {
        if (size < 8) {
            return size;
        }
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size);
        return (power - 2) * 8 + (size >> power - 3 & 7);
    }

    /** The first list that is not empty and in which all are large enough. */
    private int listWithRoom(int size) {
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size);
        int from = list(size < 8 ? size : size + (1 << power - 3) - 1);
        int word = from / Long.SIZE;
        long bits = filled[word] & -1L << from;
        while (bits == 0) {
            if (++word == filled.length) {
                return -1;
            }
            bits = filled[word];
        }
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private static long at(int chunk) {
        return (long) chunk * UNIT;
    }

    private int get(int chunk, int field) {
        return memory.get(ValueLayout.JAVA_INT, at(chunk) + field);
    }

    private void set(int chunk, int field, int value) {
        memory.set(ValueLayout.JAVA_INT, at(chunk) + field, value);
    }
}
