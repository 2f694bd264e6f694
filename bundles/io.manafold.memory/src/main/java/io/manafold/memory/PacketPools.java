package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Makes pools of packets. Pools outlive this component until their last packet is back. */
@Component(service = PacketPools.class)
public final class PacketPools {
    private static final int LEAST_ROOM = 64;
    private static final int MOST_ROOM = 65535 - PacketPool.HEADROOM;
    private static final int MOST_CACHE = 512;
    /** Packets get their pages at once up to here: more might be memory that the machine does not have. */
    private static final long MOST_BYTES_AT_ONCE = 64L << 20;

    private final MemorySource memory;

    @Activate
    public PacketPools(@Reference MemorySource memory) {
        this.memory = memory;
    }

    /**
     * Makes a pool.
     *
     * @throws Refusal {@code EINVAL} for a plan that cannot be, {@code ENOSPC} and others as memory is refused
     */
    public PacketPool make(PacketPlan plan) {
        check(plan);
        PacketPool pool = publish(plan, memory.make(plan.name(), PacketPool.blockBytes(plan)));
        pool.populate(MOST_BYTES_AT_ONCE);
        return pool;
    }

    /**
     * Makes a pool of packets that lie in memory of another process, which has a pool there by the same plan. All
     * packets are free in this one; who has which of the two is theirs to agree on.
     *
     * @param block goes with the pool, also if that is refused
     * @throws Refusal as {@link #make}, {@code EINVAL} for a block that is too small
     */
    public PacketPool attach(PacketPlan plan, MemoryBlock block) {
        boolean fits = false;
        try {
            check(plan);
            if (block.size() < PacketPool.blockBytes(plan)) {
                throw new Refusal(Errno.EINVAL, "The pool " + plan.name() + " does not fit into the " + block.size()
                        + " bytes of " + block.name() + ".");
            }
            fits = true;
        } finally {
            if (!fits) {
                block.close();
            }
        }
        return publish(plan, block);
    }

    /** How many bytes packets of a plan lie in. */
    public static long bytes(PacketPlan plan) {
        return PacketPool.blockBytes(plan);
    }

    private PacketPool publish(PacketPlan plan, MemoryBlock block) {
        MemoryBlock words = null;
        int number = -1;
        try {
            MemoryBlock table = memory.make(plan.name() + " words", PacketPool.wordBytes(plan));
            words = table;
            number = PacketPool.publish(free -> new PacketPool(free, plan, block, table));
            if (number < 0) {
                throw new Refusal(Errno.ENOSPC, "The pool " + plan.name() + " is not made: there are "
                        + PacketPool.MOST_POOLS + " pools of packets already. End an environment, or have its packets "
                        + "come back.");
            }
            return PacketPool.numbered(number);
        } finally {
            if (number < 0) {
                block.close();
                if (words != null) {
                    words.close();
                }
            }
        }
    }

    private static void check(PacketPlan plan) {
        range(plan, "packets", plan.packets(), 1, PacketPool.MOST_PACKETS);
        range(plan, "packets that a thread keeps", plan.cache(), 0, MOST_CACHE);
        range(plan, "bytes of room", plan.room(), LEAST_ROOM, MOST_ROOM);
    }

    private static void range(PacketPlan plan, String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new Refusal(Errno.EINVAL, "The pool " + plan.name() + " cannot have " + value + " " + what
                    + ": there are from " + least + " to " + most + ".");
        }
    }
}
