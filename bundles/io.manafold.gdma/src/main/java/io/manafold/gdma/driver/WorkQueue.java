package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * A send or receive queue, written by one thread: begin a request, fill it, commit it, ring once for several. Nothing
 * is allocated.
 */
public final class WorkQueue {
    private static final int PLAIN = WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0);
    private static final int PIECE = WorkRequest.firstPiece(PLAIN);

    private final DmaPiece memory;
    private final DoorbellPage page;
    private final long pointer;
    private final int bytes;
    private final int slot;
    private final int id;
    private int produced;
    private int consumed;
    private int size;
    private int firstPiece;
    private long rung;

    /**
     * Over memory, {@code bytes} of it, a power of two.
     *
     * @param slot {@link Doorbell#SEND} or {@link Doorbell#RECEIVE}
     */
    public WorkQueue(DmaPiece memory, int bytes, int slot, DoorbellPage page, int id) {
        this.memory = memory;
        this.pointer = memory.pointer();
        this.page = page;
        this.id = id;
        this.bytes = bytes;
        this.slot = slot;
    }

    public int id() {
        return id;
    }

    public DmaPiece memory() {
        return memory;
    }

    public int bytes() {
        return bytes;
    }

    /** Bytes of the ring that no outstanding request takes. */
    public int free() {
        return bytes - (produced - consumed);
    }

    /** Bytes ever produced, modulo 2^32. */
    public int produced() {
        return produced;
    }

    /** Where the oldest request begins that is not complete, in units of the ring. */
    public int oldest() {
        return (consumed & bytes - 1) / WorkRequest.UNIT;
    }

    /** How often the device was told; any thread may ask, and gets what may be a moment old. */
    public long rung() {
        return rung;
    }

    private long at(int offset) {
        return pointer + (produced + offset & bytes - 1);
    }

    /** Begins a request; the words are of {@link WorkRequest}. The caller has looked at {@link #free}. */
    public void begin(int word0, int word1) {
        size = WorkRequest.size(word1);
        firstPiece = WorkRequest.firstPiece(word1);
        RawMemory.put64(at(WorkRequest.WORD0), word0 & 0xffff_ffffL | (long) word1 << 32);
    }

    /** Writes a word of the head or the inline part, by its offset in the request. */
    public void put32(int offset, int value) {
        RawMemory.put32(at(offset), value);
    }

    /** Writes a scatter-gather entry, counted from 0. */
    public void piece(int index, long address, int key, int length) {
        long entry = at(firstPiece + index * WorkRequest.PIECE);
        RawMemory.put64(entry + WorkRequest.PIECE_ADDRESS, address);
        RawMemory.put64(entry + WorkRequest.PIECE_KEY, key & 0xffff_ffffL | (long) length << 32);
    }

    /**
     * Writes the plainest request, of one unit: the short inline part, one piece. Returns its bytes, as {@link #commit}
     * does.
     */
    public int commitPlain(long inline, long address, int key, int length) {
        long at = at(0);
        RawMemory.put64(at, (long) PLAIN << 32);
        RawMemory.put64(at + WorkRequest.INLINE, inline);
        RawMemory.put64(at + PIECE + WorkRequest.PIECE_ADDRESS, address);
        RawMemory.put64(at + PIECE + WorkRequest.PIECE_KEY, key & 0xffff_ffffL | (long) length << 32);
        produced += WorkRequest.UNIT;
        return WorkRequest.UNIT;
    }

    /**
     * Changes the inline part of the request that {@link #commitPlain} wrote last; the device must not know of it yet.
     */
    public void amendPlain(long inline) {
        RawMemory.put64(at(WorkRequest.INLINE - WorkRequest.UNIT), inline);
    }

    /** Ends the request; the device learns of it with {@link #ring}. Returns its bytes, to be freed on completion. */
    public int commit() {
        produced += size;
        return size;
    }

    /** Tells the device how far requests go. */
    public void ring() {
        rung++;
        page.ring(slot, Doorbell.work(id, produced));
    }

    /** Bytes of requests that are complete may be used again. */
    public void complete(int requestBytes) {
        consumed += requestBytes;
    }
}
