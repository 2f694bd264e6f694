package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.util.concurrent.TimeUnit;

/**
 * A queue that another process polls: packets are moved between the queue and rings in memory of both. What has come is
 * copied into packets of that process, so that it never sees another's; what it sends is sent from where it is. For one
 * thread.
 */
final class LentQueue {
    /** How long packets under way are waited for when queues go back, for all of them together. */
    static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int BURST = 64;

    private final PrimaryProcess.Pair pair;
    private final MemoryBlock block;
    private final QueueRings rings;
    private final LentPackets packets;
    private final int[] arrived = new int[BURST];
    private final int[] pending = new int[BURST];
    private int waiting;
    /** Packets of it that are under way. */
    private int underWay;
    private boolean lies;

    LentQueue(PrimaryProcess.Pair pair, MemoryBlock block, LentPackets packets) {
        this.pair = pair;
        this.block = block;
        this.packets = packets;
        rings = new QueueRings(block.segment().address());
    }

    /** Moves what there is, at most a burst in each direction. Returns how much. */
    int turn() {
        return receive() + send();
    }

    /** Whether the other process has written what cannot be. */
    boolean isBroken() {
        return lies || rings.isBroken();
    }

    private int receive() {
        int room = Math.min(BURST, Math.min(rings.empty.waiting(), rings.come.room()));
        int count = room == 0 ? 0 : pair.receive().burst(arrived, 0, room);
        int used = 0;
        for (int i = 0; i < count; i++) {
            PacketPool from = PacketPool.of(arrived[i]);
            long first = from.first(arrived[i]);
            int length = PacketPool.length(first);
            int index = rings.empty.index(used);
            if (!packets.has(index)) {
                lies = true;
                break;
            }
            if (length > packets.pool().room()) {
                pair.dropped().run();
                continue;
            }
            RawMemory.copy(from.data(arrived[i]), packets.place(index) + PacketPool.HEADROOM, length);
            rings.come.put(index, PacketPool.first(PacketPool.HEADROOM, length, PacketPool.flags(first)),
                    from.second(arrived[i]));
            used++;
        }
        if (count > 0) {
            rings.empty.taken(used);
            rings.come.publish();
            PacketPool.release(arrived, 0, count);
        }
        return count;
    }

    private int send() {
        int more = Math.min(BURST - waiting, rings.toSend.waiting());
        for (int i = 0; i < more; i++) {
            int index = rings.toSend.index(i);
            if (!packets.take(index, this)) {
                lies = true;
                more = i;
                break;
            }
            long first = rings.toSend.first(i);
            long second = rings.toSend.second(i);
            int number = packets.number(index);
            packets.pool().first(number, PacketPool.first(PacketPool.offset(first), PacketPool.length(first),
                    PacketPool.flags(first) & PacketFlags.SEND));
            packets.pool().second(number, PacketPool.second(PacketPool.hash(second), PacketPool.tag(second)));
            pending[waiting++] = number;
        }
        if (more > 0) {
            underWay += more;
            rings.toSend.taken(more);
        }
        if (waiting == 0) {
            if (underWay > 0) {
                pair.send().reclaim();
            }
            return 0;
        }
        int sent = pair.send().burst(pending, 0, waiting);
        waiting -= sent;
        System.arraycopy(pending, sent, pending, 0, waiting);
        return sent;
    }

    /**
     * A packet of it has been sent. False if the other process has not looked for so long that there is no room to say
     * so.
     */
    boolean sent(int index) {
        if (rings.sent.room() == 0) {
            return false;
        }
        rings.sent.put(index, 0, 0);
        rings.sent.publish();
        underWay--;
        return true;
    }

    /** Waits until nothing of a queue is under way, or a time of {@link System#nanoTime} has come. */
    static void awaitSent(SendQueue queue, long deadline) {
        while (queue.reclaim() > 0 && System.nanoTime() - deadline < 0) {
            Thread.yield();
        }
    }

    /** Packets that were not taken go home, and those that are under way as far as they come before a time. */
    void end(long deadline) {
        packets.pool().give(pending, 0, waiting);
        waiting = 0;
        awaitSent(pair.send(), deadline);
        pair.giveBack().run();
        block.close();
    }
}
