package io.manafold.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Pages on their way home from other threads: bounded, without locks; any thread puts and any takes. */
final class ReturnRing {
    private static final VarHandle SEQUENCE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(ReturnRing.class, "head", long.class);
            TAIL = lookup.findVarHandle(ReturnRing.class, "tail", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final PoolPage[] pages;
    /** Of each place: its position when it is free for the next put there, one more when it holds a page. */
    private final long[] sequences;
    private long head;
    private long tail;

    ReturnRing(int capacity) {
        // with a single place full and free would look the same
        pages = new PoolPage[Math.max(2, capacity)];
        sequences = new long[pages.length];
        for (int i = 0; i < sequences.length; i++) {
            sequences[i] = i;
        }
    }

    /** False if it is full. */
    boolean put(PoolPage page) {
        while (true) {
            long at = (long) TAIL.getOpaque(this);
            int place = (int) (at % pages.length);
            long ahead = (long) SEQUENCE.getAcquire(sequences, place) - at;
            if (ahead < 0) {
                return false;
            }
            if (ahead == 0 && TAIL.compareAndSet(this, at, at + 1)) {
                pages[place] = page;
                SEQUENCE.setRelease(sequences, place, at + 1);
                return true;
            }
        }
    }

    /** {@code null} if it is empty. */
    PoolPage take() {
        while (true) {
            long at = (long) HEAD.getOpaque(this);
            int place = (int) (at % pages.length);
            long ahead = (long) SEQUENCE.getAcquire(sequences, place) - (at + 1);
            if (ahead < 0) {
                return null;
            }
            if (ahead == 0 && HEAD.compareAndSet(this, at, at + 1)) {
                PoolPage page = pages[place];
                pages[place] = null;
                SEQUENCE.setRelease(sequences, place, at + pages.length);
                return page;
            }
        }
    }

    int size() {
        return Math.clamp((long) TAIL.getVolatile(this) - (long) HEAD.getVolatile(this), 0, pages.length);
    }

    int capacity() {
        return pages.length;
    }
}
