package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairType;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.RingSizes;
import java.util.HashSet;
import java.util.Set;

/** A protection domain of a context, with its regions and queue pairs. */
final class Domain extends PartDomain {
    private final VerbsContext context;
    private final Set<RcQueuePair> pairs = new HashSet<>();

    Domain(VerbsContext context, io.manafold.gdma.driver.ProtectionDomain domain) {
        super(context, domain);
        this.context = context;
    }

    // ---- queue pairs

    @Override
    public QueuePair createQueuePair(QueuePairPlan plan) {
        check(plan);
        return context.make(() -> make(plan));
    }

    private synchronized RcQueuePair make(QueuePairPlan plan) {
        requireOpen();
        RcQueuePair pair = new RcQueuePair(context, domain().handle(), plan, RingSizes.of(plan), context.attributes(),
                context::path, this::closes);
        if (keep(pair, pairs)) {
            return pair;
        }
        pair.undo();
        throw context.gone();
    }

    private void check(QueuePairPlan plan) {
        if (plan.type() != QueuePairType.RC) {
            throw new Refusal(Errno.EOPNOTSUPP, context.name() + " has no queue pairs for " + plan.type().label()
                    + "; it has reliable connections (RC).");
        }
        DeviceAttributes limits = context.attributes();
        inside("sends", plan.sends(), 1, limits.maxRequests());
        inside("receives", plan.receives(), 1, limits.maxRequests());
        inside("pieces of a send", plan.sendPieces(), 1, limits.maxSendPieces());
        inside("pieces of a receive", plan.receivePieces(), 1, limits.maxReceivePieces());
        inside("bytes that a request carries itself", plan.inlineBytes(), 0, 0);
        if (!context.made().has(plan.sendQueue()) || !context.made().has(plan.receiveQueue())) {
            throw new Refusal(Errno.EINVAL, "A queue pair has completion queues of its own device and bundle that are "
                    + "open; make them with the same " + context.name() + ".");
        }
    }

    private void closes(RcQueuePair pair) {
        synchronized (context.made().lock()) {
            pairs.remove(pair);
        }
        context.device().management().ends(pair.number(), null, "The queue pair was closed.");
    }

    // ---- what is inside

    @Override
    int queues() {
        return pairs.size();
    }

    @Override
    void listQueues(Listing into, String owner) {
        pairs.forEach(pair -> into.pair(pair, QueuePairType.RC, 0, domain().id(), owner));
    }

    @Override
    int pairs() {
        return pairs.size();
    }

    /** How many directions of its queue pairs use a completion queue. */
    int users(CompletionQueue queue) {
        return pairs.stream().mapToInt(pair -> pair.uses(queue)).sum();
    }

    /** The queue pair of a number, or {@code null}. */
    RcQueuePair pair(int number) {
        return pairs.stream().filter(pair -> pair.number() == number).findFirst().orElse(null);
    }

    // ---- the end

    @Override
    int users() {
        return pairs.size();
    }

    @Override
    String usersText() {
        return " and " + pairs.size() + " queue pairs";
    }

    @Override
    void releaseQueues() {
        copy(pairs).forEach(pair -> context.device().quietly(pair::close));
    }

    /** The device has gone. With the context's lock. */
    void end(Teardown teardown) {
        pairs.forEach(teardown::add);
        pairs.clear();
        end(teardown.common());
    }
}
