package io.manafold.image.internal;

import java.io.IOException;
import java.util.Arrays;

/** What zstd has unpacked: what is not read yet, and before it as much as blocks may refer to. */
final class ZstdOutput {
    private byte[] bytes = new byte[2 * ZstdInput.BLOCK];
    private int window;
    /** Bytes of this frame that may be referred to: at most the window. */
    private int known;
    private int read;
    private int end;

    /** Begins a frame; what was before it is out of reach. */
    void begin(int newWindow) {
        window = newWindow;
        known = 0;
    }

    int unread() {
        return end - read;
    }

    int take(byte[] into, int at, int count) {
        int taken = Math.min(count, unread());
        System.arraycopy(bytes, read, into, at, taken);
        read += taken;
        return taken;
    }

    /** Makes room at the end for so many bytes. */
    private void room(int count) {
        if (count <= bytes.length - end) {
            return;
        }
        int from = Math.min(read, end - known);
        int kept = end - from;
        // room for half as much again as has to stay, so that bytes are moved twice for each byte that comes
        int wanted = kept + kept / 2 + count;
        byte[] next = bytes.length >= wanted ? bytes : new byte[wanted];
        System.arraycopy(bytes, from, next, 0, kept);
        bytes = next;
        read -= from;
        end = kept;
    }

    private void added(int count) {
        end += count;
        known = Math.min(window, known + count);
    }

    void literals(byte[] from, int at, int count) {
        room(count);
        System.arraycopy(from, at, bytes, end, count);
        added(count);
    }

    void repeat(byte value, int count) {
        room(count);
        Arrays.fill(bytes, end, end + count, value);
        added(count);
    }

    /** Copies what stands so far back, which may reach into what is being copied. */
    void match(int back, int count) throws IOException {
        if (back <= 0 || back > known) {
            throw new IOException("a block of zstd refers to what is not there");
        }
        room(count);
        if (back >= count) {
            System.arraycopy(bytes, end - back, bytes, end, count);
        } else {
            for (int i = 0; i < count; i++) {
                bytes[end + i] = bytes[end + i - back];
            }
        }
        added(count);
    }
}
