package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Refusal;
import io.manafold.streams.HeldRegion;
import io.manafold.uring.BufferTable;
import io.manafold.uring.Ring;
import java.util.Arrays;
import java.util.Set;

/**
 * Regions that a ring knows by slots, each pinned from its first send on until it is closed, its slot was cleared and
 * the kernel says that it has let go. What the kernel would not register is sent as it lies, and said.
 */
final class Slots {
    private static final int COUNT = 4096;
    /** What the kernel takes in one slot. */
    private static final long LONGEST = 1L << 30;

    private final BufferTable table;
    private final Set<HeldRegion> known;
    private HeldRegion[] regions = new HeldRegion[8];
    /** Those whose slot was cleared, until the kernel says that they are free. */
    private HeldRegion[] leaving = new HeldRegion[8];
    private HeldRegion[] refused = new HeldRegion[8];
    private String refusal;

    /** @param known is to have each that has a slot, and may be read by any thread */
    Slots(Ring ring, Set<HeldRegion> known) {
        this.known = known;
        table = new BufferTable(ring, COUNT);
    }

    /** The slot of a region, which it has from now on; −1 if it can have none. */
    int of(HeldRegion region) {
        int slot = region.key() & COUNT - 1;
        return has(region) ? slot : fill(slot, region);
    }

    private int fill(int slot, HeldRegion region) {
        while (slot >= regions.length) {
            regions = Arrays.copyOf(regions, regions.length * 2);
            leaving = Arrays.copyOf(leaving, leaving.length * 2);
            refused = Arrays.copyOf(refused, refused.length * 2);
        }
        if (refused[slot] == region || regions[slot] != null || leaving[slot] != null) {
            return -1;
        }
        // before it is pinned: who closes it from then on has to find it there
        known.add(region);
        if (!region.pin()) {
            known.remove(region);
            return -1;
        }
        try {
            if (region.length() > LONGEST) {
                refusal = "the kernel registers 1 GiB at most";
                throw new IllegalArgumentException(refusal);
            }
            table.set(slot, region.address(), region.length(), Tags.of(Tags.SLOT, slot, 0));
            regions[slot] = region;
            return slot;
        } catch (Refusal | IllegalArgumentException no) {
            known.remove(region);
            region.unpin();
            refused[slot] = region;
            refusal = no.getMessage();
            return -1;
        }
    }

    /** Why a region was not registered, {@code null} if all were. */
    String refusal() {
        return refusal;
    }

    /** Whether the kernel knows a region. */
    boolean has(HeldRegion region) {
        int slot = region.key() & COUNT - 1;
        return slot < regions.length && regions[slot] == region;
    }

    /** Has the kernel forget a region. */
    void forget(HeldRegion region) {
        if (has(region)) {
            int slot = region.key() & COUNT - 1;
            regions[slot] = null;
            known.remove(region);
            leaving[slot] = region;
            table.clear(slot);
        }
    }

    /** The kernel has let go of what a slot had. */
    void left(int slot) {
        if (slot >= 0 && slot < leaving.length && leaving[slot] != null) {
            HeldRegion region = leaving[slot];
            leaving[slot] = null;
            region.unpin();
        }
    }

    /** Clears all of them. */
    void close() {
        table.close();
        forgetAll();
    }

    /** The ring was closed before, and with it the kernel lets go of all. */
    void abandon() {
        table.abandon();
        forgetAll();
    }

    private void forgetAll() {
        for (int i = 0; i < regions.length; i++) {
            if (regions[i] != null) {
                regions[i].unpin();
                regions[i] = null;
            }
            left(i);
        }
    }
}
