package io.manafold.pmd.internal.queue;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.memory.PacketPool;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Uses the methods of bursts until they are compiled, on rings without a device, so that a port that goes up moves
 * packets at its full speed from the first one on. Once for each kind of burst.
 */
public final class WarmUp {
    private static final int BURST = 32;
    private static final int LENGTH = 64;
    private static final int ROUNDS = 20_000;
    private static final long LIMIT = TimeUnit.MILLISECONDS.toNanos(100);

    private final MemorySource memory;
    private final Set<String> done = ConcurrentHashMap.newKeySet();

    public WarmUp(MemorySource memory) {
        this.memory = memory;
    }

    /**
     * Sends and receives, with packets of a pool that come back to it. Where memory or packets are short it is left.
     *
     * @param plain whether packets are sent as they are
     * @param receiveOffloads bits of {@link io.manafold.api.ethdev.Offload}
     * @return bursts that were made
     */
    public int run(PacketPool pool, boolean plain, long receiveOffloads) {
        return once("send " + plain, () -> send(pool, plain))
                + once("receive " + (receiveOffloads == 0), () -> receive(pool, receiveOffloads));
    }

    /** What was left, as memory or packets were short, is done at the next start of a port. */
    private int once(String kind, IntSupplier work) {
        if (done.contains(kind)) {
            return 0;
        }
        try {
            int bursts = work.getAsInt();
            if (bursts > 0) {
                done.add(kind);
            }
            return bursts;
        } catch (Refusal _) {
            // a port starts without it just as well
            return 0;
        }
    }

    private static Keys keys(PacketPool pool) {
        Keys keys = new Keys(null);
        keys.know(new Keys.Entry(pool, 0, 0, PacketPool.HEADROOM + pool.room()));
        return keys;
    }

    /** Bursts that were made; 0 if packets were short. */
    private int send(PacketPool pool, boolean plain) {
        int[] packets = new int[BURST];
        int rounds = 0;
        try (DummyRing dry = new DummyRing(memory, QueueType.SEND)) {
            SendSlot slot = new SendSlot(_ -> { });
            slot.open(dry.direct, keys(pool), DummyRing.DESCRIPTORS, plain);
            slot.go();
            try {
                long end = System.nanoTime() + LIMIT;
                while (rounds < ROUNDS && System.nanoTime() < end) {
                    if (!pool.take(packets, 0, BURST)) {
                        return 0;
                    }
                    for (int packet : packets) {
                        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, LENGTH, 0));
                        pool.second(packet, PacketPool.SINGLE);
                    }
                    int taken = slot.burst(packets, 0, BURST);
                    PacketPool.release(packets, taken, BURST - taken);
                    rounds++;
                    dry.sent(rounds * BURST - 1);
                }
            } finally {
                slot.end();
            }
        }
        return rounds;
    }

    /** Bursts that were made; 0 if packets were short. */
    private int receive(PacketPool pool, long offloads) {
        int[] packets = new int[BURST];
        int rounds = 0;
        try (DummyRing dry = new DummyRing(memory, QueueType.RECEIVE)) {
            ReceiveSlot slot = new ReceiveSlot(_ -> { });
            try {
                slot.open(dry.direct, keys(pool), DummyRing.DESCRIPTORS, pool, offloads);
                slot.go();
                long end = System.nanoTime() + LIMIT;
                for (; rounds < ROUNDS && System.nanoTime() < end; rounds++) {
                    for (int i = 0; i < BURST / ReceiveCompletion.MAX_PACKETS; i++) {
                        dry.received(LENGTH);
                    }
                    int found = slot.burst(packets, 0, BURST);
                    if (found == 0) {
                        return 0;
                    }
                    PacketPool.release(packets, 0, found);
                }
            } finally {
                slot.end();
            }
        }
        return rounds;
    }
}
