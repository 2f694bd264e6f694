package io.manafold.memory;

/**
 * Packets of a pool that a thread keeps to itself, for the next who takes some: a stack, so that those come first that
 * it has touched last.
 */
final class PacketCache {
    private final FreePackets shared;
    private final int[] stack;
    private final int size;
    private int top;

    PacketCache(FreePackets shared, int size) {
        this.shared = shared;
        this.size = size;
        // half more than is kept, so that a burst rarely has to be split
        stack = new int[size + size / 2 + 1];
        shared.add(this);
    }

    /** How many there are; a little behind for other threads. */
    int size() {
        return top;
    }

    boolean isOf(FreePackets free) {
        return shared == free;
    }

    boolean take(int[] into, int from, int wanted) {
        if (wanted > top && !fill(wanted)) {
            return wanted > size && shared.take(into, from, wanted);
        }
        top -= wanted;
        System.arraycopy(stack, top, into, from, wanted);
        return true;
    }

    private boolean fill(int wanted) {
        int more = size + wanted - top;
        if (wanted > size) {
            return false;
        }
        more = Math.min(more, stack.length - top);
        if (!shared.take(stack, top, more)) {
            more = wanted - top;
            if (!shared.take(stack, top, more)) {
                return false;
            }
        }
        top += more;
        return true;
    }

    void give(int[] packets, int from, int amount) {
        if (amount > stack.length - top) {
            spill(amount);
            if (amount > stack.length - top) {
                shared.give(packets, from, amount);
                return;
            }
        }
        System.arraycopy(packets, from, stack, top, amount);
        top += amount;
    }

    /** Makes room: the packets at the bottom, which were touched longest ago, go to all. */
    private void spill(int amount) {
        int gone = Math.min(top, top + amount - size);
        if (gone <= 0) {
            return;
        }
        shared.give(stack, 0, gone);
        top -= gone;
        System.arraycopy(stack, gone, stack, 0, top);
    }

    void flush() {
        int flushed = top;
        top = 0;
        shared.give(stack, 0, flushed);
        shared.remove(this);
    }
}
