package io.manafold.example.store.internal;

import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Pieces;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * What one client is answered: words are written into a ring of its own, values stay where they are and are held until
 * they have left. What was answered together leaves as one send.
 */
final class Replies {
    /** Of the ring. */
    static final int BYTES = 16 << 10;
    /** Sends that are posted at most. */
    static final int SENDS = 8;
    /** Pieces of one send at most. */
    static final int PIECES = 64;
    /** What one answer writes into the ring at most. */
    static final int LONGEST = 4 << 10;
    /** Values that leave, in bytes, after which no command is taken until some have left. */
    private static final long LEAVING = 2 << 20;

    private final MemorySegment memory;
    private final Chunks chunks;
    private final long chunksAt;
    private final long at;
    private final int key;
    private final Pieces pieces = new Pieces(PIECES);
    private final int[] held = new int[SENDS * PIECES];
    private final long[] endsOfBytes = new long[SENDS];
    private final long[] endsOfHeld = new long[SENDS];
    private final boolean[] freed = new boolean[SENDS];
    private long firstSend;
    private long nextSend;
    private long firstByte;
    private long nextByte;
    /** Where bytes begin that are no piece yet. */
    private long run;
    private long firstHeld;
    private long nextHeld;
    private long leaving;

    /**
     * @param memory all of the region
     * @param chunksAt where the chunks are in it
     * @param at where the ring is in it
     * @param key of the region
     */
    Replies(MemorySegment memory, Chunks chunks, long chunksAt, long at, int key) {
        this.memory = memory;
        this.chunks = chunks;
        this.chunksAt = chunksAt;
        this.at = at;
        this.key = key;
    }

    /** Whether there is room for another answer. */
    boolean hasRoom() {
        return BYTES - (nextByte - firstByte) >= LONGEST && nextSend - firstSend < SENDS && pieces.count() + 4 <= PIECES
                && leaving < LEAVING;
    }

    /** Whether there is an answer that no send was posted for. */
    boolean hasUnsent() {
        return pieces.count() > 0 || run < nextByte;
    }

    // ---- what is answered

    void add(byte[] bytes) {
        for (byte one : bytes) {
            put(one);
        }
    }

    void add(String text) {
        add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param sign {@code :} for a number, {@code *} for how many answers follow */
    void number(char sign, long number) {
        put((byte) sign);
        int length = Numbers.length(number);
        if (number < 0) {
            put((byte) '-');
            length--;
        }
        long power = 1;
        for (int i = 1; i < length; i++) {
            power *= 10;
        }
        for (; power > 0; power /= 10) {
            put((byte) ('0' + Math.abs((int) (number / power % 10))));
        }
        put((byte) '\r');
        put((byte) '\n');
    }

    void bulk(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number('$', bytes.length);
        add(bytes);
        put((byte) '\r');
        put((byte) '\n');
    }

    /** A value, from where it lies. */
    void value(int chunk) {
        endRun();
        int length = chunks.replyLength(chunk);
        pieces.add(key, chunksAt + chunks.replyAt(chunk), length);
        chunks.hold(chunk);
        leaving += length;
        held[(int) nextHeld++ & held.length - 1] = chunk;
    }

    private void put(byte one) {
        memory.set(ValueLayout.JAVA_BYTE, at + (nextByte & BYTES - 1), one);
        nextByte++;
    }

    private void endRun() {
        while (run < nextByte) {
            long begin = run & BYTES - 1;
            int length = (int) Math.min(nextByte - run, BYTES - begin);
            pieces.add(key, at + begin, length);
            run += length;
        }
    }

    // ---- sending

    /** Posts what was answered since the last time, if there is a send left for it. */
    void send(Endpoint endpoint) {
        if (!hasUnsent() || nextSend - firstSend == SENDS) {
            return;
        }
        endRun();
        int place = (int) nextSend & SENDS - 1;
        endsOfBytes[place] = nextByte;
        endsOfHeld[place] = nextHeld;
        freed[place] = false;
        endpoint.send(pieces, nextSend);
        nextSend++;
        pieces.clear();
    }

    /** The memory of a send is ours again. */
    void freed(long send) {
        freed[(int) send & SENDS - 1] = true;
        while (firstSend < nextSend && freed[(int) firstSend & SENDS - 1]) {
            int place = (int) firstSend++ & SENDS - 1;
            firstByte = endsOfBytes[place];
            letGo(endsOfHeld[place]);
        }
    }

    /** Nothing of it is on its way any more; begins anew. */
    void end() {
        letGo(nextHeld);
        pieces.clear();
        firstSend = nextSend;
        firstByte = nextByte;
        run = nextByte;
    }

    private void letGo(long end) {
        while (firstHeld < end) {
            int chunk = held[(int) firstHeld++ & held.length - 1];
            leaving -= chunks.replyLength(chunk);
            chunks.letGo(chunk);
        }
    }
}
