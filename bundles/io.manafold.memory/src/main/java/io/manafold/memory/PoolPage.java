package io.manafold.memory;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A page of a pool, cut into buffers. Which of them are out stands in words of 64 bits, so that one atomic operation
 * says of one or several released together whether it was the first time and whether they were the page's last.
 */
final class PoolPage implements PacketHome {
    private static final int LINE = 64;
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

    final PagePool pool;
    final int index;
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

    /** @param index its place among the pages of the pool */
    PoolPage(PagePool pool, DmaPiece piece, PagePlan plan, ReceiveMapping when, int index) {
        this.pool = pool;
        this.index = index;
        this.piece = piece;
        int end = plan.headroom() + plan.data() + RawMemory.PAGE - 1 & -RawMemory.PAGE;
        reach = when == ReceiveMapping.PACKET && !plan.isShared() ? piece.part(0, end) : piece;
        buffers = new PacketBuffer[plan.perPage()];
        out = new long[buffers.length + 63 >>> 6];
        posted = when.isRepeated() ? new long[out.length] : null;
        int first = colour(plan, index);
        for (int i = 0; i < buffers.length; i++) {
            int offset = first + i * plan.slot();
            buffers[i] = new PacketBuffer(this, pool.arena().memory(), Math.toIntExact(pool.arena().offset(piece))
                    + offset, plan.slot(), piece.dma() + offset, i);
        }
    }

    /**
     * Where the first buffer begins: not at the same line in every page, as far as there is room, because the first
     * lines of all packets would share few places in the caches. The other policies lie as they do in the real driver.
     */
    private static int colour(PagePlan plan, int index) {
        if (plan.policy() != ReceivePolicy.LEAN || !plan.isShared()) {
            return 0;
        }
        int spare = plan.allocation() - plan.perPage() * plan.slot();
        return index % (spare / LINE + 1) * LINE;
    }

    /** Makes it the page that buffers are given from: all count as out, those not given yet are the pool's. */
    void open() {
        given = 0;
        for (int i = 0; i < out.length; i++) {
            int bits = Math.min(64, buffers.length - (i << 6));
            OUT.setRelease(out, i, -1L >>> 64 - bits);
        }
        if (out.length > 1) {
            WORDS.setRelease(this, out.length);
        }
    }

    boolean isExhausted() {
        return given == buffers.length;
    }

    /** Gives so many at most; returns how many. */
    int give(PacketBuffer[] into, int from, int most) {
        int some = Math.min(most, buffers.length - given);
        System.arraycopy(buffers, given, into, from, some);
        given += some;
        return some;
    }

    /** The function may write a buffer from now on; true if it is the only one of the page. */
    boolean post(int slot) {
        posted[slot >>> 6] |= 1L << slot;
        return postedCount++ == 0;
    }

    /**
     * The function may not write a buffer any more; true if that was the only one of the page. For the queue that
     * posts: others may ask for a buffer that they were handed, which is not posted.
     */
    boolean unpost(int slot) {
        long bit = 1L << slot;
        if ((posted[slot >>> 6] & bit) == 0) {
            return false;
        }
        posted[slot >>> 6] &= ~bit;
        return --postedCount == 0;
    }

    /** Whether the buffer in that slot has been given and has not come back. */
    boolean isOut(int slot) {
        return slot < given && ((long) OUT.getVolatile(out, slot >>> 6) >>> slot & 1) != 0;
    }

    @Override
    public void release(PacketBuffer buffer) {
        int slot = buffer.key();
        if (!isOut(slot)) {
            throw twice(slot);
        }
        if (posted != null) {
            pool.unpost(this, slot);
        }
        if (back(slot >>> 6, 1L << slot) == 0) {
            throw twice(slot);
        }
    }

    @Override
    public void release(PacketBuffer[] several, int from, int count) {
        int known = given;
        int word = 0;
        long there = (long) OUT.getVolatile(out, 0);
        long bits = 0;
        int wrong = -1;
        for (int i = from; i < from + count; i++) {
            int slot = several[i].key();
            if (slot >>> 6 != word) {
                wrong = refused(word, bits, wrong);
                word = slot >>> 6;
                there = (long) OUT.getVolatile(out, word);
                bits = 0;
            }
            long bit = 1L << slot;
            if (slot >= known || (there & ~bits & bit) == 0) {
                wrong = slot;
                continue;
            }
            if (posted != null) {
                pool.unpost(this, slot);
            }
            bits |= bit;
        }
        wrong = refused(word, bits, wrong);
        if (wrong >= 0) {
            throw twice(wrong);
        }
    }

    /** Takes buffers back that are in one word; returns one that was here already, or else what is known of such. */
    private int refused(int word, long bits, int known) {
        long here = bits & ~back(word, bits);
        return here == 0 ? known : (word << 6) + Long.numberOfTrailingZeros(here);
    }

    /**
     * Takes buffers back that are in one word; returns those that were out. The thread that brings the last takes the
     * page home.
     */
    private long back(int word, long bits) {
        long before = (long) OUT.getAndBitwiseAnd(out, word, ~bits);
        long came = before & bits;
        if (came != 0 && came == before && (out.length == 1 || (int) WORDS.getAndAdd(this, -1) == 1)) {
            pool.home(this);
        }
        return came;
    }

    private IllegalStateException twice(int slot) {
        return new IllegalStateException("Buffer " + slot + " of page " + index + " of the pool " + pool
                + " was released twice; it is at home.");
    }

    /** Takes back what was not given. */
    void shut() {
        int from = given;
        given = buffers.length;
        for (int slot = from; slot < buffers.length; slot++) {
            back(slot >>> 6, 1L << slot);
        }
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
}
