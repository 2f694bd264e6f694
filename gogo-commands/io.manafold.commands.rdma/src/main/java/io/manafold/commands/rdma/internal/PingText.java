package io.manafold.commands.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** The text of rping, another one each time: what is sent, and what has come. */
final class PingText {
    private static final int FIRST_LETTER = 65;
    private static final int LAST_LETTER = 122;

    private final MemorySegment memory;
    private final long start;
    private final long sink;
    private final int size;
    private final PrintStream out;
    private int letter = FIRST_LETTER;

    /**
     * In some memory.
     *
     * @param start where that begins which is sent, and {@code sink} where that does which has come
     * @param out where it is printed, or {@code null}
     */
    PingText(MemorySegment memory, long start, long sink, int size, PrintStream out) {
        this.memory = memory;
        this.start = start;
        this.sink = sink;
        this.size = size;
        this.out = out;
    }

    /** Writes the next one. */
    void fill(int times) {
        byte[] begin = ("rdma-ping-" + times + ": ").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(begin, 0, memory, JAVA_BYTE, start, Math.min(begin.length, size));
        int now = letter;
        for (int i = begin.length; i < size; i++) {
            memory.set(JAVA_BYTE, start + i, (byte) now);
            now = next(now);
        }
        memory.set(JAVA_BYTE, start + size - 1, (byte) 0);
        letter = next(letter);
    }

    private static int next(int before) {
        return before == LAST_LETTER ? FIRST_LETTER : before + 1;
    }

    /** Whether what has come is what was sent. */
    boolean isSame() {
        return memory.asSlice(start, size).mismatch(memory.asSlice(sink, size)) < 0;
    }

    void print(String before) {
        if (out != null) {
            byte[] text = memory.asSlice(sink, length()).toArray(JAVA_BYTE);
            for (int i = 0; i < text.length; i++) {
                // the peer may send what terminals obey
                text[i] = text[i] < ' ' || text[i] > '~' ? (byte) '?' : text[i];
            }
            out.println(before + new String(text, StandardCharsets.US_ASCII));
        }
    }

    /** Of what has come, without its end. */
    int length() {
        int length = 0;
        while (length < size - 1 && memory.get(JAVA_BYTE, sink + length) != 0) {
            length++;
        }
        return length;
    }
}
