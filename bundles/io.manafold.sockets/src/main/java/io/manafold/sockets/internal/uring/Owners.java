package io.manafold.sockets.internal.uring;

import java.util.Arrays;

/** Those who have requests in a ring, by numbers that are used again once nothing of theirs is in the kernel. */
final class Owners {
    private Owner[] owners = new Owner[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    int add(Owner owner) {
        int index = freeCount > 0 ? free[--freeCount] : used++;
        if (index == owners.length) {
            owners = Arrays.copyOf(owners, index * 2);
        }
        owners[index] = owner;
        return index;
    }

    void remove(int index) {
        owners[index] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = index;
    }

    /** {@code null} for a number that no endpoint has. */
    Owner get(int index) {
        return index >= 0 && index < used ? owners[index] : null;
    }

    boolean isEmpty() {
        return freeCount == used;
    }

    /** How many numbers were ever used. */
    int bound() {
        return used;
    }
}
