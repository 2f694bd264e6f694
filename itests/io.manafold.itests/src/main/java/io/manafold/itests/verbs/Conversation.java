package io.manafold.itests.verbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Set;

/** One connection between two devices, over which numbered messages go in order. */
final class Conversation extends Talk {
    private static final int LENGTH = 256;

    private final End left;
    private final End right;
    /** Receives that have been posted and have not come back. */
    private int waiting;

    /** What one side has. */
    private record End(MemoryBlock block, MemoryRegion region, CompletionQueue queue, QueuePair pair) {
    }

    Conversation(RdmaDevice from, RdmaDevice to, MemorySource memory, Score score) {
        // a pair that has failed is refused for its state
        super(score, Set.of(Errno.ENODEV, Errno.EINVAL));
        try {
            left = end(from, memory);
            right = end(to, memory);
            connect(left, to, right);
            connect(right, from, left);
            for (int i = 0; i < WINDOW; i++) {
                receive(i);
            }
            waiting = right.pair.post(again);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private End end(RdmaDevice device, MemorySource memory) {
        MemoryBlock block = keep(memory.make("messages of " + device.name(), WINDOW * LENGTH));
        ProtectionDomain domain = keep(device.allocateDomain());
        CompletionQueue queue = keep(device.createCompletionQueue(2 * WINDOW));
        MemoryRegion region = keep(domain.register(block, Access.LOCAL_WRITE));
        return new End(block, region, queue,
                keep(domain.createQueuePair(QueuePairPlan.reliable(queue, WINDOW, WINDOW))));
    }

    private static void connect(End own, RdmaDevice device, End peer) {
        own.pair.modify(QueuePairAttributes.init(0));
        own.pair.modify(QueuePairAttributes.readyToReceive(Path.to(0, device.gids(1).getFirst()), peer.pair.number(), 7,
                1024));
        own.pair.modify(QueuePairAttributes.readyToSend(7));
    }

    private void receive(int slot) {
        again.receive(slot).piece(right.region.address() + slot * LENGTH, right.region.localKey(), LENGTH);
    }

    @Override
    QueuePair sender() {
        return left.pair;
    }

    @Override
    CompletionQueue sent() {
        return left.queue;
    }

    @Override
    void write(long number, SendList into) {
        int at = (int) (number % WINDOW) * LENGTH;
        for (int k = 0; k < LENGTH; k += 8) {
            left.block.segment().set(JAVA_LONG, at + k, number * 31 + k);
        }
        into.send(number, SendList.SIGNALED).piece(left.region.address() + at, left.region.localKey(), LENGTH);
    }

    @Override
    void pollReceives() {
        int count = poll(right.queue, waiting);
        waiting -= count;
        again.clear();
        for (int i = 0; i < count; i++) {
            judge(completions.status(i));
            if (completions.status(i) == CompletionStatus.SUCCESS) {
                int slot = (int) completions.id(i);
                boolean good = completions.length(i) == LENGTH;
                for (int k = 0; good && k < LENGTH; k += 8) {
                    good = right.block.segment().get(JAVA_LONG, slot * LENGTH + k) == arrived * 31 + k;
                }
                arrived++;
                (good ? score.arrived : score.wrong).incrementAndGet();
                receive(slot);
            }
        }
        if (again.count() > 0) {
            try {
                right.pair.post(again);
            } catch (Refusal ending) {
                // polling tells
            } finally {
                waiting += again.posted();
            }
        }
    }
}
