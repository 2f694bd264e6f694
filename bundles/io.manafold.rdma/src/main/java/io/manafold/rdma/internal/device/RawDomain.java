package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairType;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.RssQueuePair;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.queue.PortInUse;
import io.manafold.rdma.internal.queue.RawCompletionQueue;
import io.manafold.rdma.internal.queue.RawQueue;
import io.manafold.rdma.internal.queue.RawQueuePair;
import io.manafold.rdma.internal.queue.RawReceiveQueue;
import io.manafold.rdma.internal.queue.RawRss;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/** A protection domain of a context, with its regions and the queues of ports that its parent domains name. */
final class RawDomain extends PartDomain {
    private final RawContext context;
    private final Set<RawQueue> queues = new LinkedHashSet<>();
    private final Set<RawRss> spreadings = new LinkedHashSet<>();
    private int parents;

    RawDomain(RawContext context, io.manafold.gdma.driver.ProtectionDomain domain) {
        super(context, domain);
        this.context = context;
    }

    RawContext context() {
        return context;
    }

    // ---- queues

    @Override
    public ParentDomain createParentDomain(int port) {
        context.device().at(port);
        return context.make(() -> {
            synchronized (this) {
                requireOpen();
                parents++;
                return new RawParentDomain(this, port);
            }
        });
    }

    synchronized void forgetParent() {
        parents--;
    }

    @Override
    public QueuePair createQueuePair(QueuePairPlan plan) {
        requireRaw(plan);
        throw new Refusal(Errno.EINVAL, who() + " names no port, of which queue pairs for raw packets are; make "
                + "them in a parent domain.");
    }

    private void requireRaw(QueuePairPlan plan) {
        if (plan.type() != QueuePairType.RAW_PACKET) {
            throw new Refusal(Errno.EOPNOTSUPP, context.name() + " has no queue pairs for " + plan.type().label()
                    + "; it has raw packets (RAW_PACKET).");
        }
    }

    QueuePair createQueuePair(QueuePairPlan plan, int port) {
        requireRaw(plan);
        DeviceAttributes limits = context.attributes();
        inside("sends", plan.sends(), 1, limits.maxRequests());
        inside("receives, for which there are receive work queues,", plan.receives(), 0, 0);
        inside("pieces of a send", plan.sendPieces(), 1, limits.maxSendPieces());
        inside("bytes that a request carries itself", plan.inlineBytes(), 0, 0);
        return makeQueue(plan.sendQueue(), port,
                at -> new RawQueuePair(context, at, plan, limits.maxMessage(), this::forget));
    }

    ReceiveWorkQueue createReceiveWorkQueue(CompletionQueue queue, int receives, int pieces, int port) {
        DeviceAttributes limits = context.attributes();
        inside("receives", receives, 1, limits.maxRequests());
        inside("pieces of a receive", pieces, 1, limits.maxReceivePieces());
        return makeQueue(queue, port,
                at -> new RawReceiveQueue(context, at, (RawCompletionQueue) queue, receives, pieces, this::forget));
    }

    private <Q extends RawQueue> Q makeQueue(CompletionQueue completions, int port, Function<PortInUse, Q> making) {
        return context.make(() -> {
            if (!context.made().has(completions)) {
                throw new Refusal(Errno.EINVAL, "A queue has a completion queue of its own device and bundle that is "
                        + "open; make it with the same " + context.name() + ".");
            }
            synchronized (this) {
                requireOpen();
                Q made = onPort(port, making);
                if (keep(made, queues)) {
                    return made;
                }
                made.undo();
                throw context.gone();
            }
        });
    }

    private <T> T onPort(int port, Function<PortInUse, T> making) {
        PortInUse at = context.device().uses().take(port, this);
        try {
            return making.apply(at);
        } catch (RuntimeException refused) {
            context.device().uses().giveBack(port);
            throw refused;
        }
    }

    private void forget(RawQueue queue) {
        synchronized (context.made().lock()) {
            queues.remove(queue);
        }
        context.device().uses().giveBack(queue.port().number());
    }

    RssQueuePair createRssQueuePair(RssPlan plan, int port) {
        return context.make(() -> {
            synchronized (this) {
                requireOpen();
                synchronized (context.made().lock()) {
                    if (spreadings.stream().anyMatch(one -> one.port().number() == port)) {
                        throw new Refusal(Errno.EBUSY, "The packets of port " + port + " of " + context.name()
                                + " are spread already; change that.");
                    }
                }
                RawRss made = onPort(port, at -> new RawRss(context, at, plan, this::forget));
                synchronized (context.made().lock()) {
                    spreadings.add(made);
                }
                return made;
            }
        });
    }

    private void forget(RawRss spreading) {
        synchronized (context.made().lock()) {
            spreadings.remove(spreading);
        }
        context.device().uses().giveBack(spreading.port().number());
    }

    // ---- what is inside

    @Override
    int queues() {
        return queues.size() + spreadings.size();
    }

    @Override
    void listQueues(Listing into, String owner) {
        for (RawQueue queue : queues) {
            if (queue instanceof RawQueuePair pair) {
                into.pair(pair, QueuePairType.RAW_PACKET, pair.port().number(), domain().id(), owner);
            }
        }
    }

    @Override
    int pairs() {
        return (int) queues.stream().filter(RawQueuePair.class::isInstance).count() + spreadings.size();
    }

    // ---- the end

    @Override
    int users() {
        return queues() + parents;
    }

    @Override
    String usersText() {
        return ", " + queues() + " queues and " + parents + " parent domains";
    }

    @Override
    void withdraw() {
        copy(queues).forEach(RawQueue::withdraw);
    }

    @Override
    void releaseQueues() {
        copy(spreadings).forEach(spreading -> context.device().quietly(spreading::close));
        copy(queues).forEach(queue -> context.device().quietly(queue::abandon));
        synchronized (this) {
            parents = 0;
        }
    }

    /** The device has gone. With the context's lock. */
    void end(RawTeardown teardown) {
        spreadings.forEach(teardown::add);
        queues.forEach(teardown::add);
        spreadings.clear();
        queues.clear();
        end(teardown.common());
    }
}
