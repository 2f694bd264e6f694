package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;

/** The serial numbers that adapters can have: 1 to {@link #LAST}. */
final class SerialNumbers {
    static final int LAST = Integer.MAX_VALUE;

    private SerialNumbers() {
    }

    /** Another one than an adapter has: the next, and behind the last the first. */
    static int next(Adapter adapter) {
        return adapter.serial() == LAST ? 1 : adapter.serial() + 1;
    }
}
