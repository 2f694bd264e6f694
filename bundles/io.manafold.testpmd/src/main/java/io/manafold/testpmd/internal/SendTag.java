package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;

/** The tag of a VLAN that a port puts into what is sent by it, where a line has said one. */
final class SendTag {
    static final int NONE = -1;
    /** Where the second word of a packet has it. */
    private static final int PLACE = 32;
    private static final long BITS = 0xffffL << PLACE;

    private SendTag() {
    }

    /** The tag of what a lane sends; negative if there is none, or the port was not started to put tags in. */
    static int of(Route route) {
        EthDevPlan plan = route.to().plan();
        return plan == null || (plan.sendOffloads() & Offload.SEND_VLAN_INSERT) == 0 ? NONE
                : route.settings().sendTag(route.to());
    }

    /** Flags of packets that are made. */
    static int flags(int tag) {
        return tag < 0 ? 0 : PacketFlags.INSERT_TAG;
    }

    /** What the second word of packets that are made has of it. */
    static long second(int tag) {
        return tag < 0 ? 0 : (long) tag << PLACE;
    }

    /** Has packets of one pool, which no other thread has meanwhile, sent with a tag, unless it is negative. */
    static void set(int[] packets, int count, int tag) {
        if (tag < 0) {
            return;
        }
        PacketPool pool = PacketPool.of(packets[0]);
        for (int i = 0; i < count; i++) {
            pool.first(packets[i], pool.first(packets[i]) | (long) PacketFlags.INSERT_TAG << PLACE);
            pool.second(packets[i], pool.second(packets[i]) & ~BITS | second(tag));
        }
    }
}
