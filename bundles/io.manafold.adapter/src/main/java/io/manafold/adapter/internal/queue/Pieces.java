package io.manafold.adapter.internal.queue;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;

/** The memory that a work request names, in order, as pointers that are good in this cycle. Belongs to the agent. */
public final class Pieces {
    /** As many as 30 entries of a large send can fall into, each mapping being one page. */
    public static final int MOST = 224;

    public final long[] address = new long[MOST];
    public final int[] length = new int[MOST];
    public int count;
    public int total;
    private boolean sealed;
    private int cursor;
    private int cursorStart;

    public void clear() {
        count = 0;
        cursor = 0;
        cursorStart = 0;
        total = 0;
        sealed = true;
    }

    /** Whether none of the memory can vanish. */
    public boolean isSealed() {
        return sealed;
    }

    /**
     * Adds memory that may cross from one mapping into the next.
     *
     * @return false if not all of it can be reached with that right, or in more pieces than fit
     */
    public boolean add(DmaCursor cursor, long dma, int bytes, boolean write) {
        long pointer = cursor.pointer(dma, bytes, write);
        if (pointer == 0) {
            sealed = false;
            return addSplit(cursor.table(), dma, bytes, write);
        }
        sealed &= cursor.isSealed(dma);
        return add(pointer, bytes);
    }

    /**
     * Adds memory of a key, as {@link #add(DmaCursor, long, int, boolean)}.
     *
     * @param keyed what the key stands for, {@code null} if all memory of the function by its own addresses
     */
    public boolean add(DmaCursor cursor, KeyedMemory keyed, long address, int bytes, boolean write) {
        if (keyed == null) {
            return add(cursor, address, bytes, write);
        }
        if (!keyed.holds(address, bytes)) {
            return false;
        }
        long at = address;
        int open = bytes;
        while (open > 0) {
            int part = (int) Math.min(open, keyed.straight(at));
            if (!add(cursor, keyed.translate(at), part, write)) {
                return false;
            }
            at += part;
            open -= part;
        }
        return true;
    }

    public boolean add(long pointer, int bytes) {
        if (count == MOST) {
            return false;
        }
        address[count] = pointer;
        length[count++] = bytes;
        total += bytes;
        return true;
    }

    private boolean addSplit(DmaTable table, long dma, int bytes, boolean write) {
        long at = dma;
        int open = bytes;
        while (open > 0) {
            long left = table.left(at, write);
            if (left == 0) {
                return false;
            }
            int piece = Long.compareUnsigned(left, open) < 0 ? (int) left : open;
            // the table may have changed since
            long pointer = table.pointer(at, piece, write);
            if (pointer == 0 || !add(pointer, piece)) {
                return false;
            }
            at += piece;
            open -= piece;
            if (at == 0 && open > 0) {
                return false;
            }
        }
        return true;
    }

    /** The piece that holds a byte; walking on is cheap. */
    private int holding(int offset) {
        if (offset < cursorStart) {
            cursor = 0;
            cursorStart = 0;
        }
        while (offset - cursorStart >= length[cursor]) {
            cursorStart += length[cursor++];
        }
        return cursor;
    }

    /** Copies bytes out of the pieces; there must be as many. */
    public void copyTo(int from, byte[] to, int at, int bytes) {
        int piece = holding(from);
        int skip = from - cursorStart;
        int done = 0;
        while (done < bytes) {
            int part = Math.min(length[piece] - skip, bytes - done);
            RawMemory.copy(address[piece] + skip, to, at + done, part);
            done += part;
            skip = 0;
            piece++;
        }
    }

    /** Adds bytes to the frame begun last. */
    public void addTo(FrameBurst burst, int from, int bytes) {
        if (bytes == 0) {
            return;
        }
        int piece = holding(from);
        int skip = from - cursorStart;
        int done = 0;
        while (done < bytes) {
            int part = Math.min(length[piece] - skip, bytes - done);
            burst.add(address[piece] + skip, part);
            done += part;
            skip = 0;
            piece++;
        }
    }

    /**
     * Copies a frame into the pieces; there must be room.
     *
     * @param strip whether its outer tag stays behind
     */
    public void fill(Frames frames, int frame, boolean strip) {
        int pieces = frames.pieces(frame);
        if (pieces == 1 && count == 1) {
            long from = frames.address(frame, 0);
            int length = frames.length(frame, 0);
            long to = address[0];
            if (strip) {
                RawMemory.copy(from, to, 12);
                RawMemory.copy(from + 16, to + 12, length - 16);
            } else {
                RawMemory.copy(from, to, length);
            }
            return;
        }
        int into = 0;
        int filled = 0;
        int at = 0;
        for (int piece = 0; piece < pieces; piece++) {
            long from = frames.address(frame, piece);
            int length = frames.length(frame, piece);
            int done = 0;
            while (done < length) {
                int part = length - done;
                if (strip && at >= 12 && at < 16) {
                    part = Math.min(part, 16 - at);
                } else {
                    if (strip && at < 12) {
                        part = Math.min(part, 12 - at);
                    }
                    part = Math.min(part, this.length[into] - filled);
                    RawMemory.copy(from + done, address[into] + filled, part);
                    filled += part;
                    if (filled == this.length[into]) {
                        into++;
                        filled = 0;
                    }
                }
                done += part;
                at += part;
            }
        }
    }

    /** Whether the kernel still has memory behind all of them. */
    public boolean reachable(boolean write) {
        for (int i = 0; i < count; i++) {
            boolean there = write ? RawMemory.writable(address[i], length[i])
                    : RawMemory.readable(address[i], length[i]);
            if (!there) {
                return false;
            }
        }
        return true;
    }
}
