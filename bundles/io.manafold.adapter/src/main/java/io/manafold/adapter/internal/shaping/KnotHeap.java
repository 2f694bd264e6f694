package io.manafold.adapter.internal.shaping;

import java.util.Arrays;

/** Knots in an order, the first at hand; each knows its place, so that any can be moved or taken out. */
final class KnotHeap {
    /** The higher priority first, then whose turn it is. */
    static final int SHARE = 0;
    /** By when a guarantee is due. */
    static final int PLEDGE = 1;
    /** By when a ceiling lets go. */
    static final int TIME = 2;

    private final int kind;
    private Knot[] knots = new Knot[4];
    private int size;

    KnotHeap(int kind) {
        this.kind = kind;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Knot first() {
        return knots[0];
    }

    void add(Knot knot) {
        if (size == knots.length) {
            knots = Arrays.copyOf(knots, 2 * size);
        }
        rise(size++, knot);
    }

    void remove(Knot knot) {
        int at = knot.places[kind];
        knot.places[kind] = -1;
        Knot last = knots[--size];
        knots[size] = null;
        if (last != knot) {
            if (at > 0 && isBefore(last, knots[at - 1 >>> 1])) {
                rise(at, last);
            } else {
                sink(at, last);
            }
        }
    }

    /** Its turn is later than it was. */
    void later(Knot knot) {
        sink(knot.places[kind], knot);
    }

    private void rise(int from, Knot knot) {
        int at = from;
        while (at > 0) {
            int up = at - 1 >>> 1;
            if (!isBefore(knot, knots[up])) {
                break;
            }
            put(at, knots[up]);
            at = up;
        }
        put(at, knot);
    }

    private void sink(int from, Knot knot) {
        int at = from;
        while (2 * at + 1 < size) {
            int down = 2 * at + 1;
            if (down + 1 < size && isBefore(knots[down + 1], knots[down])) {
                down++;
            }
            if (!isBefore(knots[down], knot)) {
                break;
            }
            put(at, knots[down]);
            at = down;
        }
        put(at, knot);
    }

    private void put(int at, Knot knot) {
        knots[at] = knot;
        knot.places[kind] = at;
    }

    private boolean isBefore(Knot one, Knot other) {
        return switch (kind) {
            case SHARE -> {
                int order = Integer.compareUnsigned(one.priority(), other.priority());
                yield order > 0 || order == 0 && one.tag - other.tag < 0;
            }
            case PLEDGE -> one.pledge.due() - other.pledge.due() < 0;
            default -> one.ceiling.open() - other.ceiling.open() < 0;
        };
    }
}
