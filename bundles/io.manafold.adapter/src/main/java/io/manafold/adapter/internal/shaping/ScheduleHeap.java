package io.manafold.adapter.internal.shaping;

import java.util.Arrays;

/** Nodes in an order, the first at hand; each knows its place, so that any can be moved or taken out. */
final class ScheduleHeap {
    /** The higher priority first, then whose turn it is. */
    static final int SHARE = 0;
    /** By when a guarantee is due. */
    static final int PLEDGE = 1;
    /** By when a ceiling lets go. */
    static final int TIME = 2;

    private final int kind;
    private ScheduleNode[] nodes = new ScheduleNode[4];
    private int size;

    ScheduleHeap(int kind) {
        this.kind = kind;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    ScheduleNode first() {
        return nodes[0];
    }

    void add(ScheduleNode node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * size);
        }
        rise(size++, node);
    }

    void remove(ScheduleNode node) {
        int at = node.places[kind];
        node.places[kind] = -1;
        ScheduleNode last = nodes[--size];
        nodes[size] = null;
        if (last != node) {
            if (at > 0 && isBefore(last, nodes[at - 1 >>> 1])) {
                rise(at, last);
            } else {
                sink(at, last);
            }
        }
    }

    /** Its turn is later than it was. */
    void later(ScheduleNode node) {
        sink(node.places[kind], node);
    }

    private void rise(int from, ScheduleNode node) {
        int at = from;
        while (at > 0) {
            int up = at - 1 >>> 1;
            if (!isBefore(node, nodes[up])) {
                break;
            }
            put(at, nodes[up]);
            at = up;
        }
        put(at, node);
    }

    private void sink(int from, ScheduleNode node) {
        int at = from;
        while (2 * at + 1 < size) {
            int down = 2 * at + 1;
            if (down + 1 < size && isBefore(nodes[down + 1], nodes[down])) {
                down++;
            }
            if (!isBefore(nodes[down], node)) {
                break;
            }
            put(at, nodes[down]);
            at = down;
        }
        put(at, node);
    }

    private void put(int at, ScheduleNode node) {
        nodes[at] = node;
        node.places[kind] = at;
    }

    private boolean isBefore(ScheduleNode one, ScheduleNode other) {
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
