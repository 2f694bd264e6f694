package io.manafold.itests.verbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/** One connection between two devices, over which numbered messages go until one of the two has gone. For one thread. */
final class Conversation implements Talk {
    private static final int WINDOW = 32;
    private static final int LENGTH = 256;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Score score;
    private final End left;
    private final End right;
    private final Completions completions = new Completions(WINDOW);
    private final SendList sends = new SendList(WINDOW);
    private final ReceiveList receives = new ReceiveList(WINDOW);
    private long next;
    private long expected;

    /** What one side has. */
    private record End(MemoryBlock block, MemoryRegion region, CompletionQueue queue, QueuePair pair) {
    }

    Conversation(RdmaDevice from, RdmaDevice to, MemorySource memory, Score score) {
        this.score = score;
        try {
            left = end(from, memory);
            right = end(to, memory);
            connect(left, to, right);
            connect(right, from, left);
            for (int i = 0; i < WINDOW; i++) {
                receive(i);
            }
            right.pair.post(receives);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private <T extends AutoCloseable> T keep(T thing) {
        open.push(thing);
        return thing;
    }

    private End end(RdmaDevice device, MemorySource memory) {
        MemoryBlock block = keep(memory.make("messages of " + device.name(), WINDOW * LENGTH));
        ProtectionDomain domain = keep(device.allocateDomain());
        CompletionQueue queue = keep(device.createCompletionQueue(2 * WINDOW));
        MemoryRegion region = keep(domain.register(block, Access.LOCAL_WRITE));
        return new End(block, region, queue, keep(domain.createQueuePair(QueuePairPlan.reliable(queue, WINDOW, WINDOW))));
    }

    private static void connect(End own, RdmaDevice device, End peer) {
        own.pair.modify(QueuePairAttributes.init(0));
        own.pair.modify(QueuePairAttributes.readyToReceive(Path.to(0, device.gids(1).getFirst()), peer.pair.number(), 7, 1024));
        own.pair.modify(QueuePairAttributes.readyToSend(7));
    }

    private void receive(int slot) {
        receives.receive(slot).piece(right.region.address() + slot * LENGTH, right.region.localKey(), LENGTH);
    }

    @Override
    public void run(BooleanSupplier ending) {
        int outstanding = 0;
        Refusal gone = null;
        while (!ending.getAsBoolean()) {
            try {
                outstanding += send(outstanding);
            } catch (Refusal refused) {
                // it may be in the middle of going: then polling tells
                gone = refused;
            }
            outstanding -= pollSends();
            pollReceives();
            if (gone != null && gone.errno() != Errno.ENODEV && gone.errno() != Errno.EINVAL) {
                throw gone;
            }
        }
    }

    private int send(int outstanding) {
        sends.clear();
        for (int i = outstanding; i < WINDOW && next - expected < WINDOW; i++) {
            int at = (int) (next % WINDOW) * LENGTH;
            for (int k = 0; k < LENGTH; k += 8) {
                left.block.segment().set(JAVA_LONG, at + k, next * 31 + k);
            }
            sends.send(next++, SendList.SIGNALED).piece(left.region.address() + at, left.region.localKey(), LENGTH);
        }
        return sends.count() == 0 ? 0 : left.pair.post(sends);
    }

    private int pollSends() {
        int count = left.queue.poll(completions);
        for (int i = 0; i < count; i++) {
            judge(completions.status(i));
        }
        return count;
    }

    private void judge(CompletionStatus status) {
        if (status == CompletionStatus.FLUSHED) {
            score.flushed.incrementAndGet();
        } else if (status != CompletionStatus.SUCCESS && status != CompletionStatus.RETRIES_EXCEEDED) {
            // the peer's device may have gone first
            score.wrong.incrementAndGet();
        }
    }

    private void pollReceives() {
        int count = right.queue.poll(completions);
        receives.clear();
        for (int i = 0; i < count; i++) {
            judge(completions.status(i));
            if (completions.status(i) == CompletionStatus.SUCCESS) {
                int slot = (int) completions.id(i);
                boolean good = completions.length(i) == LENGTH;
                for (int k = 0; good && k < LENGTH; k += 8) {
                    good = right.block.segment().get(JAVA_LONG, slot * LENGTH + k) == expected * 31 + k;
                }
                expected++;
                (good ? score.arrived : score.wrong).incrementAndGet();
                receive(slot);
            }
        }
        if (receives.count() > 0) {
            try {
                right.pair.post(receives);
            } catch (Refusal going) {
                // polling tells
            }
        }
    }

    @Override
    public void close() {
        Refusal first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Refusal refused) {
                first = first == null ? refused : first;
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
