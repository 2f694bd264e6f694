package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.ProtectionDomain;
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
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/** A protection domain of a context, with its regions and the queues of ports that its parent domains name. */
final class RawDomain implements ProtectionDomain {
    private final RawContext context;
    private final io.manafold.gdma.driver.ProtectionDomain domain;
    private final Set<Region> regions = new LinkedHashSet<>();
    private final Set<RawQueue> queues = new LinkedHashSet<>();
    private final Set<RawRss> spreadings = new LinkedHashSet<>();
    private int parents;
    private boolean closed;
    /** The device has gone. */
    private boolean ended;

    RawDomain(RawContext context, io.manafold.gdma.driver.ProtectionDomain domain) {
        this.context = context;
        this.domain = domain;
    }

    io.manafold.gdma.driver.ProtectionDomain domain() {
        return domain;
    }

    RawContext context() {
        return context;
    }

    private String who() {
        return "The protection domain " + domain.id() + " of " + context.name();
    }

    private void requireOpen() {
        if (closed) {
            throw new Refusal(Errno.EBADF, who() + " has been closed.");
        }
    }

    // ---- regions

    @Override
    public MemoryRegion register(MemoryBlock block, long offset, long length, int access) {
        Region.check(block, offset, length, access);
        return context.make(() -> make(block, offset, length, access));
    }

    private synchronized Region make(MemoryBlock block, long offset, long length, int access) {
        requireOpen();
        Region region = Region.make(context.device().blocks(), domain, block, offset, length, access, this::end);
        synchronized (context.lock()) {
            regions.add(region);
        }
        return region;
    }

    private void end(Region region) {
        if (!context.enter()) {
            return;
        }
        try {
            boolean there;
            synchronized (context.lock()) {
                there = regions.remove(region);
            }
            if (there) {
                region.end(context.device());
            }
        } finally {
            context.leave();
        }
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
        throw new Refusal(Errno.EINVAL, who() + " names no port, of which queue pairs for raw packets are; make them in a parent"
                + " domain.");
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
        Domain.inside("sends", plan.sends(), 1, limits.maxRequests());
        Domain.inside("receives, for which there are receive work queues,", plan.receives(), 0, 0);
        Domain.inside("pieces of a send", plan.sendPieces(), 1, limits.maxSendPieces());
        Domain.inside("bytes that a request carries itself", plan.inlineBytes(), 0, 0);
        return makeQueue(plan.sendQueue(), port,
                at -> new RawQueuePair(context, at, plan, limits.maxMessage(), this::forget));
    }

    ReceiveWorkQueue createReceiveWorkQueue(CompletionQueue queue, int receives, int pieces, int port) {
        DeviceAttributes limits = context.attributes();
        Domain.inside("receives", receives, 1, limits.maxRequests());
        Domain.inside("pieces of a receive", pieces, 1, limits.maxReceivePieces());
        return makeQueue(queue, port,
                at -> new RawReceiveQueue(context, at, (RawCompletionQueue) queue, receives, pieces, this::forget));
    }

    private <Q extends RawQueue> Q makeQueue(CompletionQueue completions, int port, Function<PortInUse, Q> making) {
        return context.make(() -> {
            if (!context.has(completions)) {
                throw new Refusal(Errno.EINVAL, "A queue has a completion queue of its own device and bundle that is open; make it"
                        + " with the same " + context.name() + ".");
            }
            synchronized (this) {
                requireOpen();
                Q made = onPort(port, making);
                if (keep(made)) {
                    return made;
                }
                // the device went while this one was made, and did not wait any longer
                made.undo();
                throw context.gone();
            }
        });
    }

    private boolean keep(RawQueue made) {
        synchronized (context.lock()) {
            return !ended && queues.add(made);
        }
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
        synchronized (context.lock()) {
            queues.remove(queue);
        }
        context.device().uses().giveBack(queue.port().number());
    }

    RssQueuePair createRssQueuePair(RssPlan plan, int port) {
        return context.make(() -> {
            synchronized (this) {
                requireOpen();
                synchronized (context.lock()) {
                    if (spreadings.stream().anyMatch(one -> one.port().number() == port)) {
                        throw new Refusal(Errno.EBUSY, "The packets of port " + port + " of " + context.name()
                                + " are spread already; change that.");
                    }
                }
                RawRss made = onPort(port, at -> new RawRss(context, at, plan, this::forget));
                synchronized (context.lock()) {
                    spreadings.add(made);
                }
                return made;
            }
        });
    }

    private void forget(RawRss spreading) {
        synchronized (context.lock()) {
            spreadings.remove(spreading);
        }
        context.device().uses().giveBack(spreading.port().number());
    }

    /** Adds how many of everything are inside. */
    void list(Listing into) {
        String owner = context.owner();
        into.domain(domain.id(), regions.size() + queues.size() + spreadings.size(), owner);
        regions.forEach(region -> into.region(region, domain.id(), owner));
        for (RawQueue queue : queues) {
            if (queue instanceof RawQueuePair pair) {
                into.pair(pair, QueuePairType.RAW_PACKET, pair.port().number(), domain.id(), owner);
            }
        }
    }

    void count(SortedMap<String, Integer> into) {
        into.merge("mr", regions.size(), Integer::sum);
        into.merge("qp", (int) queues.stream().filter(RawQueuePair.class::isInstance).count() + spreadings.size(), Integer::sum);
    }

    // ---- the end

    @Override
    public void close() {
        if (!context.enter()) {
            return;
        }
        try {
            end();
        } finally {
            context.leave();
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        synchronized (context.lock()) {
            if (regions.size() + queues.size() + spreadings.size() + parents > 0) {
                throw new Refusal(Errno.EBUSY, who() + " has " + regions.size() + " regions, " + (queues.size() + spreadings.size())
                        + " queues and " + parents + " parent domains; close those first.");
            }
        }
        closed = true;
        context.forget(this);
        domain.close();
    }

    /** Has those who use queues directly leave them, without waiting for that. */
    void withdraw() {
        copy(queues).forEach(RawQueue::withdraw);
    }

    /** Ends all that is inside, and then itself. */
    void release() {
        copy(spreadings).forEach(spreading -> context.device().quietly(spreading::close));
        copy(queues).forEach(queue -> context.device().quietly(queue::abandon));
        copy(regions).forEach(region -> context.device().quietly(region::close));
        synchronized (this) {
            parents = 0;
        }
        context.device().quietly(this::close);
    }

    private <T> List<T> copy(Set<T> set) {
        synchronized (context.lock()) {
            return List.copyOf(set);
        }
    }

    /** The device has gone. With the context's lock. */
    void end(RawFarewell farewell) {
        spreadings.forEach(farewell::add);
        queues.forEach(farewell::add);
        regions.forEach(farewell::add);
        farewell.add(this);
        ended = true;
        spreadings.clear();
        queues.clear();
        regions.clear();
    }
}
