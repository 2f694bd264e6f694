package io.manafold.ethernet.internal.user;

import io.manafold.agent.Agent;
import io.manafold.api.net.PacketBuffer;
import io.manafold.ethernet.internal.queue.SendCounters;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Packets that other devices have left to be sent here: a ring that any thread may put into and one takes from. */
public final class Redirects {
    private static final int ROOM = 1024;
    private static final int BUDGET = 256;

    private final AtomicReferenceArray<PacketBuffer> ring = new AtomicReferenceArray<>(ROOM);
    private final AtomicInteger put = new AtomicInteger();
    private final Agent agent;
    private volatile int taken;

    Redirects(Agent agent) {
        this.agent = agent;
    }

    /** Leaves a packet. False if there is no room or no queue to send it: it stays the caller's. */
    boolean offer(PacketBuffer packet) {
        int at;
        do {
            at = put.get();
            if (at - taken >= ROOM) {
                return false;
            }
        } while (!put.compareAndSet(at, at + 1));
        ring.set(at & ROOM - 1, packet);
        agent.wake();
        return true;
    }

    /** Sends what was left; what does not fit is dropped. Returns how many there were. */
    int send(Sender sender) {
        int count = 0;
        while (count < BUDGET && taken != put.get()) {
            int slot = taken & ROOM - 1;
            PacketBuffer packet = ring.get(slot);
            if (packet == null) {
                // its place is taken, but it is not there yet
                break;
            }
            ring.set(slot, null);
            taken = taken + 1;
            count++;
            SendCounters counters = sender.counters(packet);
            if (sender.send(packet)) {
                counters.redirected++;
            } else {
                packet.release();
            }
        }
        return count;
    }

    /** Takes nothing more; what is there goes home. On the device's thread. */
    void close(Sender sender) {
        sender.use(null);
        // from here on the ring is fuller than full, so that nothing comes in; what came before is waited for
        int end = put.getAndAdd(4 * ROOM);
        while (taken != end) {
            PacketBuffer packet = ring.getAndSet(taken & ROOM - 1, null);
            if (packet == null) {
                Thread.onSpinWait();
            } else {
                packet.release();
                taken = taken + 1;
            }
        }
    }
}
