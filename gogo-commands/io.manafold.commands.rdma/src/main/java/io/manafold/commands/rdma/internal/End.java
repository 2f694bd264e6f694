package io.manafold.commands.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One end of what is measured: a device with queue pairs, and a region with room for a message out and one in for each
 * of them. All of it goes when it is closed.
 */
final class End implements AutoCloseable {
    static final int MOST_PAIRS = 1024;
    /** Where the other end writes its {@link Credits}, and where this one has its own. */
    static final int CREDITS_IN = 4096;
    static final int CREDITS_OUT = CREDITS_IN + MOST_PAIRS * Long.BYTES;
    /** What the region begins with: a page for meetings, then credits. */
    static final int HEAD = CREDITS_OUT + MOST_PAIRS * Long.BYTES;
    static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;
    private static final int PAGE = 4096;
    /** Requests that are no messages: two of a meeting, one of credits, one of liveness. */
    private static final int OTHERS = 4;
    private static final long MOST_MEMORY = 1L << 30;
    private static final int MOST_PSN = 1 << 24;

    private final RdmaDevice device;
    private final int port;
    private final long room;
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final List<QueuePair> pairs = new ArrayList<>();
    private final List<CompletionQueue> queues = new ArrayList<>();
    private final int[] psns;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final ProtectionDomain domain;
    private final MemoryBlock block;
    private final Credits credits;
    private long met;
    private boolean asking;

    End(RdmaDevice device, int port, MemorySource source, MeasurePlan plan) {
        this.device = device;
        this.port = port;
        room = (plan.size() + PAGE - 1L) / PAGE * PAGE;
        long bytes = HEAD + 2 * room * plan.pairs();
        if (bytes > MOST_MEMORY) {
            throw new Refusal(Errno.ENOMEM, plan.pairs() + " queue pairs with messages of " + plan.size()
                    + " bytes need " + bytes + " bytes of memory, and one end has at most " + MOST_MEMORY
                    + "; take fewer or smaller ones.");
        }
        checkDepth(plan);
        credits = new Credits(this, plan.pairs(), plan.receives());
        psns = ThreadLocalRandom.current().ints(plan.pairs(), 0, MOST_PSN).toArray();
        try {
            domain = keep(device.allocateDomain());
            block = keep(source.make("messages of " + device.name(), bytes));
            memory = block.segment();
            region = keep(domain.register(block, RIGHTS));
            makePairs(domain, plan);
        } catch (RuntimeException refused) {
            try {
                close();
            } catch (RuntimeException second) {
                refused.addSuppressed(second);
            }
            throw refused;
        }
    }

    private void checkDepth(MeasurePlan plan) {
        int most = device.attributes().maxRequests();
        if (plan.sends() > most - OTHERS || plan.receives() > most) {
            throw new Refusal(Errno.EINVAL, "A queue pair of " + device.name() + " has at most " + most
                    + " requests under way, of which " + OTHERS + " are no messages: not "
                    + Math.max(plan.sends(), plan.receives()) + "; lower -t.");
        }
    }

    /** As many pairs share a completion queue as it surely has room for. */
    private void makePairs(ProtectionDomain domain, MeasurePlan plan) {
        DeviceAttributes can = device.attributes();
        int receives = plan.takesReceives() ? plan.receives() : 1;
        int sends = plan.sends() + OTHERS;
        int each = sends + receives;
        int together = Math.max(1, can.maxCompletions() / each);
        for (int i = 0; i < plan.pairs(); i++) {
            if (i % together == 0) {
                int entries = Math.min(can.maxCompletions(), each * Math.min(together, plan.pairs() - i));
                queues.add(keep(device.createCompletionQueue(entries)));
            }
            pairs.add(keep(domain.createQueuePair(QueuePairPlan.reliable(queues.getLast(), sends, receives))));
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        made.push(one);
        return one;
    }

    /** Has something be closed with it, before all that is there already. */
    void closes(AutoCloseable one) {
        made.push(one);
    }

    /** One more write of a meeting has been completed. */
    void met() {
        met++;
    }

    /** Writes of meetings that have been completed. */
    long meetingWrites() {
        return met;
    }

    /** Whether it waits to learn if the other end is there. */
    boolean isAsking() {
        return asking;
    }

    void asks(boolean newAsking) {
        asking = newAsking;
    }

    Credits credits() {
        return credits;
    }

    RdmaDevice device() {
        return device;
    }

    int port() {
        return port;
    }

    List<CompletionQueue> queues() {
        return queues;
    }

    int pairs() {
        return pairs.size();
    }

    QueuePair pair(int index) {
        return pairs.get(index);
    }

    int psn(int index) {
        return psns[index];
    }

    int key() {
        return region.localKey();
    }

    /** What the peer calls the region's first byte, and the key to it. */
    RemoteMemory remote() {
        return new RemoteMemory(region.address(), region.remoteKey());
    }

    /** The region's memory under a key that the device has given and taken back. */
    RemoteMemory withdrawn() {
        try (MemoryRegion again = domain.register(block, RIGHTS)) {
            return new RemoteMemory(again.address(), again.remoteKey());
        }
    }

    /** How long a message can be. */
    int room() {
        return (int) room;
    }

    /** Where a pair's message out is in the region. */
    long out(int index) {
        return HEAD + 2 * room * index;
    }

    /** Where what comes in for a pair is in the region. */
    long in(int index) {
        return out(index) + room;
    }

    long address(long offset) {
        return region.address() + offset;
    }

    /** The region's memory. */
    MemorySegment memory() {
        return memory;
    }

    void put(long offset, byte value) {
        memory.set(JAVA_BYTE, offset, value);
    }

    @Override
    public void close() {
        RuntimeException first = null;
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (RuntimeException failed) {
                first = first == null ? failed : first;
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
