package io.manafold.pmd.internal.queue;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;

/**
 * What is looked at before a started queue sends a burst. A queue takes packets up to the first one that is of no pool,
 * so that its caller knows which the device has; that one is then the first of the next burst, which is refused.
 */
public final class BurstCheck {
    private BurstCheck() {
    }

    /** @throws Refusal {@code EINVAL} for a first packet that is of no pool; none is taken */
    public static void check(int[] packets, int from, int wanted) {
        if (wanted > 0 && PacketPool.of(packets[from]) == null) {
            throw new Refusal(Errno.EINVAL, "Packet 0x%08x is of no pool: pool %d is not there. Neither it nor those "
                    .formatted(packets[from], PacketPool.poolOf(packets[from]))
                    + "behind it are sent; send packets that were taken from a pool and not given back.");
        }
    }
}
