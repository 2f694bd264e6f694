package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The arguments of one command, but for a value, which goes to a chunk. Small ones need no more than what each client
 * has; for larger ones all clients together have a budget. Each takes of it as bytes come, not as they are announced,
 * and gives back all but a little when its command is over.
 */
final class Arguments {
    /** Bytes and arguments that each client has room for in any case. */
    private static final int BYTES = 512;
    private static final int COUNT = 16;
    /**
     * What a client keeps of the budget between commands, so that usual ones of some dozens of arguments allocate
     * nothing; as many clients as there can be leave room for others so.
     */
    private static final int KEPT = 1 << 10;

    /** What all clients together may have besides, in bytes. */
    static final class Budget {
        private long left;

        Budget(long bytes) {
            left = bytes;
        }

        boolean take(long bytes) {
            if (bytes > left) {
                return false;
            }
            left -= bytes;
            return true;
        }

        void giveBack(long bytes) {
            left += bytes;
        }

        long left() {
            return left;
        }
    }

    private final Budget budget;
    private byte[] bytes = new byte[BYTES];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private int[] starts = new int[COUNT];
    private int[] lengths = new int[COUNT];
    private int count;
    private int used;
    private int filled;
    private long taken;

    Arguments(Budget budget) {
        this.budget = budget;
    }

    /** Has none any more. */
    void clear() {
        clear(KEPT);
    }

    /** Gives back all that was taken of the budget. */
    void end() {
        clear(0);
    }

    private void clear(int kept) {
        count = 0;
        used = 0;
        filled = 0;
        if (taken > kept) {
            budget.giveBack(taken);
            taken = 0;
            bytes = new byte[BYTES];
            memory = MemorySegment.ofArray(bytes);
            starts = new int[COUNT];
            lengths = new int[COUNT];
        }
    }

    /** Has one more, whose bytes come by {@link #add}. @return whether there is room for it at the moment */
    boolean begin(int length) {
        if (count == starts.length && !growCount() || length > bytes.length - used + budget.left()) {
            return false;
        }
        starts[count] = used;
        lengths[count++] = length;
        filled = used;
        used += length;
        return true;
    }

    /** Has an argument that lies elsewhere. @return whether there is room for it */
    boolean skip() {
        return begin(0);
    }

    /** Bytes of the last one. @return whether there was room for them: others may have taken it meanwhile */
    boolean add(MemorySegment from, long at, int more) {
        if (more > bytes.length - filled && !growBytes(more)) {
            return false;
        }
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, filled, more);
        filled += more;
        return true;
    }

    boolean add(byte[] from, int at, int more) {
        if (more > bytes.length - filled && !growBytes(more)) {
            return false;
        }
        System.arraycopy(from, at, bytes, filled, more);
        filled += more;
        return true;
    }

    private boolean growCount() {
        int more = starts.length;
        if (!take(8L * more)) {
            return false;
        }
        starts = Arrays.copyOf(starts, more * 2);
        lengths = Arrays.copyOf(lengths, more * 2);
        return true;
    }

    private boolean growBytes(int more) {
        int size = bytes.length;
        while (more > size - filled) {
            size *= 2;
        }
        if (!take(size - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, size);
        memory = MemorySegment.ofArray(bytes);
        return true;
    }

    private boolean take(long more) {
        if (!budget.take(more)) {
            return false;
        }
        taken += more;
        return true;
    }

    // ---- what they are

    int count() {
        return count;
    }

    /** Where all of them lie. */
    MemorySegment memory() {
        return memory;
    }

    int at(int index) {
        return starts[index];
    }

    int length(int index) {
        return lengths[index];
    }

    /** Up to eight letters as a number, as {@link #word(String)} has it, in upper case; 0 if there are more. */
    long word(int index) {
        int length = lengths[index];
        if (length > Long.BYTES) {
            return 0;
        }
        long word = 0;
        for (int i = 0; i < length; i++) {
            int letter = bytes[starts[index] + i];
            word = word << Byte.SIZE | (letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter & 0xff);
        }
        return word;
    }

    /** @param letters in upper case, at most eight */
    static long word(String letters) {
        long word = 0;
        for (int i = 0; i < letters.length(); i++) {
            word = word << Byte.SIZE | letters.charAt(i);
        }
        return word;
    }

    boolean isNumber(int index) {
        return Numbers.isNumber(memory, starts[index], lengths[index]);
    }

    long number(int index) {
        return Numbers.number(memory, starts[index], lengths[index]);
    }

    /** As text, for what is asked rarely. */
    String text(int index) {
        return new String(bytes, starts[index], lengths[index], StandardCharsets.ISO_8859_1);
    }
}
