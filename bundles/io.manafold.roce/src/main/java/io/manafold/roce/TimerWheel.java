package io.manafold.roce;

import java.util.Arrays;

/**
 * Timers by number, each with one deadline: setting, cancelling and finding those that are due takes the same few steps
 * however many there are. For one thread; allocates nothing.
 *
 * <p>Time is cut into ticks, and a deadline counts from the tick that it is in or begins at: never too early, and late
 * by one tick at most. Wheels of 64 slots stand for the next 64 ticks, the next 64 times 64, and so on to the end of
 * time; a timer lies in the wheel of the highest six bits in which its tick differs from now, and moves down when they
 * agree.
 */
public final class TimerWheel {
    private static final int BITS = 6;
    private static final int SLOTS = 1 << BITS;
    private static final int WHEELS = 11;
    private static final int NONE = -1;
    /** Makes the numbers of all ticks positive. */
    private static final long OFFSET = 1L << 62;
    /** Moves from wheel to wheel for each timer that is asked for, so that no call takes long. */
    private static final int MOVES = 4;

    private final long tickNanos;
    private final int[] heads = new int[WHEELS * SLOTS];
    /** A bit for each slot that is not empty. */
    private final long[] occupied = new long[WHEELS];
    private final int[] next;
    private final int[] previous;
    private final int[] slots;
    private final long[] ticks;
    /** All before is done. */
    private long current;

    /**
     * @param capacity timers are numbered below this
     * @param tickNanos nanoseconds of a tick, at least 2
     */
    public TimerWheel(int capacity, long tickNanos) {
        if (tickNanos < 2) {
            throw new IllegalArgumentException("a tick has at least 2 ns, not " + tickNanos);
        }
        this.tickNanos = tickNanos;
        next = new int[capacity];
        previous = new int[capacity];
        slots = new int[capacity];
        ticks = new long[capacity];
        Arrays.fill(heads, NONE);
        Arrays.fill(slots, NONE);
    }

    /** Sets a timer, anew if it is set; {@link Long#MAX_VALUE} is never. */
    public void schedule(int id, long deadline) {
        cancel(id);
        if (deadline != Long.MAX_VALUE) {
            ticks[id] = Math.max(Math.ceilDiv(deadline, tickNanos) + OFFSET, current);
            insert(id);
        }
    }

    private void insert(int id) {
        int wheel = (Long.SIZE - 1 - Long.numberOfLeadingZeros(ticks[id] ^ current | 1)) / BITS;
        int place = place(ticks[id], wheel);
        int slot = wheel * SLOTS + place;
        int head = heads[slot];
        if (head != NONE) {
            previous[head] = id;
        }
        next[id] = head;
        previous[id] = NONE;
        slots[id] = slot;
        heads[slot] = id;
        occupied[wheel] |= 1L << place;
    }

    private static int place(long tick, int wheel) {
        return (int) (tick >>> wheel * BITS) & SLOTS - 1;
    }

    /** Takes a timer out; it need not be set. */
    public void cancel(int id) {
        int slot = slots[id];
        if (slot == NONE) {
            return;
        }
        slots[id] = NONE;
        int after = next[id];
        int before = previous[id];
        if (after != NONE) {
            previous[after] = before;
        }
        if (before != NONE) {
            next[before] = after;
        } else {
            heads[slot] = after;
            if (after == NONE) {
                occupied[slot / SLOTS] &= ~(1L << slot % SLOTS);
            }
        }
    }

    /**
     * Takes out timers that are due, as many as there is room for. If all room is used, or {@link #next} says that it
     * is time, there may be more.
     *
     * @return how many
     */
    public int expired(long now, int[] into) {
        long end = Math.floorDiv(now, tickNanos) + OFFSET;
        int count = 0;
        int moves = MOVES * into.length;
        while (count < into.length && moves > 0) {
            int slot = firstSlot();
            long start = slot == NONE ? Long.MAX_VALUE : start(slot);
            if (start > end) {
                advance(end);
                return count;
            }
            advance(start);
            int id = heads[slot];
            cancel(id);
            if (ticks[id] <= end) {
                into[count++] = id;
            } else {
                insert(id);
                moves--;
            }
        }
        return count;
    }

    private void advance(long tick) {
        current = Math.max(current, tick);
    }

    /** Where the earliest timers are; those of one slot of a high wheel are in no order. */
    private int firstSlot() {
        int first = NONE;
        long earliest = Long.MAX_VALUE;
        for (int wheel = WHEELS - 1; wheel >= 0; wheel--) {
            if (occupied[wheel] != 0) {
                int slot = wheel * SLOTS + Long.numberOfTrailingZeros(occupied[wheel]);
                long start = start(slot);
                if (start < earliest) {
                    first = slot;
                    earliest = start;
                }
            }
        }
        return first;
    }

    /** The first tick of a slot, which is none of the past. */
    private long start(int slot) {
        int shift = slot / SLOTS * BITS;
        long above = shift + BITS >= Long.SIZE ? 0 : current & -1L << shift + BITS;
        return Math.max(above | (long) (slot % SLOTS) << shift, current);
    }

    /**
     * When {@link #expired} is to be called again, not too late for any timer; {@link Long#MAX_VALUE} if none is set.
     */
    public long next() {
        int slot = firstSlot();
        if (slot == NONE) {
            return Long.MAX_VALUE;
        }
        long tick = start(slot) - OFFSET;
        return tick < Long.MIN_VALUE / tickNanos ? Long.MIN_VALUE : Math.min(tick, Long.MAX_VALUE / tickNanos)
                * tickNanos;
    }
}
