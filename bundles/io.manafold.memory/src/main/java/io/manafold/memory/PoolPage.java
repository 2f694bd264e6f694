package io.manafold.memory;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A page of a pool, cut into buffers. Which of them are out stands in words of 64 bits, so that one atomic operation
 * says of a release whether it was the first one and whether it was the page's last.
 */
final class PoolPage {
    private static final VarHandle OUT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle WORDS;
    private static final VarHandle CLAIMED;

    static {
        try {
            WORDS = MethodHandles.lookup().findVarHandle(PoolPage.class, "words", int.class);
            CLAIMED = MethodHandles.lookup().findVarHandle(PoolPage.class, "claimed", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final DmaPiece piece;
    /** What is mapped of it while packets come: all, unless each is mapped as far as it reaches. */
    final DmaPiece reach;
    final PacketBuffer[] buffers;
    /** How many have been given out since it was last at home; the allocating thread's. */
    int given;
    /** Buffers that the function may write, where pages are mapped for those only; else {@code null}. */
    private final long[] posted;
    private int postedCount;
    private final long[] out;
    /** How many words of {@link #out} are not 0. */
    private int words;
    private boolean claimed;

    PoolPage(PagePool pool, DmaPiece piece, PagePlan plan, ReceiveMapping when, int firstKey) {
        this.piece = piece;
        int end = plan.headroom() + plan.data() + RawMemory.PAGE - 1 & -RawMemory.PAGE;
        reach = when == ReceiveMapping.PACKET && !plan.isShared() ? piece.part(0, end) : piece;
        buffers = new PacketBuffer[plan.perPage()];
        out = new long[buffers.length + 63 >>> 6];
        posted = when.isRepeated() ? new long[out.length] : null;
        for (int i = 0; i < buffers.length; i++) {
            int offset = i * plan.slot();
            buffers[i] = new PacketBuffer(pool, RawMemory.segment(piece.pointer() + offset, plan.slot()),
                    piece.dma() + offset, firstKey + i);
        }
    }

    /** Makes it the page that buffers are given from: all count as out, those not given yet are the pool's. */
    void open() {
        given = 0;
        for (int i = 0; i < out.length; i++) {
            int bits = Math.min(64, buffers.length - (i << 6));
            OUT.setRelease(out, i, -1L >>> 64 - bits);
        }
        WORDS.setRelease(this, out.length);
    }

    boolean isExhausted() {
        return given == buffers.length;
    }

    PacketBuffer give() {
        return buffers[given++];
    }

    /** The function may write a buffer from now on; true if it is the only one of the page. */
    boolean post(int slot) {
        posted[slot >>> 6] |= 1L << slot;
        return postedCount++ == 0;
    }

    /**
     * The function may not write a buffer any more; true if that was the only one of the page. For whoever posts: others
     * may ask for a buffer that they were handed, which is not posted.
     */
    boolean unpost(int slot) {
        long bit = 1L << slot;
        if ((posted[slot >>> 6] & bit) == 0) {
            return false;
        }
        posted[slot >>> 6] &= ~bit;
        return --postedCount == 0;
    }

    /** Whether the slot holds that buffer and it is out. */
    boolean isOut(int slot) {
        return slot < given && ((long) OUT.getVolatile(out, slot >>> 6) >>> slot & 1) != 0;
    }

    /** Takes a buffer back: {@code false} if it is here already. */
    Returned back(int slot) {
        long bit = 1L << slot;
        long before = (long) OUT.getAndBitwiseAnd(out, slot >>> 6, ~bit);
        if ((before & bit) == 0) {
            return Returned.AGAIN;
        }
        if (before != bit) {
            return Returned.ONE;
        }
        return out.length == 1 || (int) WORDS.getAndAdd(this, -1) == 1 ? Returned.LAST : Returned.ONE;
    }

    /** Takes back what was not given; true if that was the last. */
    boolean shut() {
        boolean last = false;
        int from = given;
        given = buffers.length;
        for (int slot = from; slot < buffers.length; slot++) {
            last |= back(slot) == Returned.LAST;
        }
        return last;
    }

    /** Whether all its buffers are here. */
    boolean isHome() {
        for (int i = 0; i < out.length; i++) {
            if ((long) OUT.getVolatile(out, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** True for the one who may give the page back. */
    boolean claim() {
        return CLAIMED.compareAndSet(this, false, true);
    }

    /** What a release has found. */
    enum Returned {
        /** It had been released before. */
        AGAIN,
        /** Others of the page are still out. */
        ONE,
        /** The page is whole. */
        LAST
    }
}
