package io.manafold.netshaper.internal.tree;

import io.manafold.netshaper.internal.family.Family;

/** Bounds of handles. */
public final class ShaperHandles {
    /** The greatest number that can be asked for. */
    public static final int MOST_ID = (int) Family.NET_SHAPER.set("handle").of("id").max();
    /** Stands for a number that was not given, and is none that can be. */
    public static final int NO_ID = MOST_ID + 1;

    private ShaperHandles() {
    }
}
