package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
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
final class Domain implements ProtectionDomain {
    private final VerbsContext context;
    private final io.manafold.gdma.driver.ProtectionDomain domain;
    private final Set<Object> inside = new HashSet<>();
    private boolean closed;

    Domain(VerbsContext context, io.manafold.gdma.driver.ProtectionDomain domain) {
        this.context = context;
        this.domain = domain;
    }

    io.manafold.gdma.driver.ProtectionDomain domain() {
        return domain;
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
        keep(region);
        return region;
    }

    private void end(Region region) {
        if (!context.enter()) {
            return;
        }
        try {
            if (remove(region)) {
                region.end(context.device());
            }
        } finally {
            context.leave();
        }
    }

    // ---- queue pairs

    @Override
    public QueuePair createQueuePair(QueuePairPlan plan) {
        check(plan);
        return context.make(() -> make(plan));
    }

    private synchronized RcQueuePair make(QueuePairPlan plan) {
        requireOpen();
        RcQueuePair pair = new RcQueuePair(context, domain.handle(), plan, RingSizes.of(plan), context.attributes(), context::path,
                this::closes);
        keep(pair);
        return pair;
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
        if (!context.has(plan.sendQueue()) || !context.has(plan.receiveQueue())) {
            throw new Refusal(Errno.EINVAL, "A queue pair has completion queues of its own device and bundle that are open; make"
                    + " them with the same " + context.name() + ".");
        }
    }

    /** Refuses what a queue cannot have. */
    static void inside(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new Refusal(Errno.EINVAL, "A queue cannot be made for " + value + " " + what + "; choose from " + least
                    + " to " + most + ".");
        }
    }

    // ---- what is inside

    private void keep(Object thing) {
        synchronized (context.lock()) {
            inside.add(thing);
        }
    }

    private void closes(RcQueuePair pair) {
        remove(pair);
        context.device().management().ends(pair.number(), null, "The queue pair was closed.");
    }

    private boolean remove(Object thing) {
        synchronized (context.lock()) {
            return inside.remove(thing);
        }
    }

    /** All that is inside, which is the caller's to end. */
    Set<Object> takeAll() {
        synchronized (context.lock()) {
            Set<Object> all = new HashSet<>(inside);
            inside.clear();
            return all;
        }
    }

    void list(Listing into) {
        String owner = context.owner();
        into.domain(domain.id(), inside.size(), owner);
        for (Object thing : inside) {
            if (thing instanceof RcQueuePair pair) {
                into.pair(pair, QueuePairType.RC, 0, domain.id(), owner);
            } else {
                into.region((Region) thing, domain.id(), owner);
            }
        }
    }

    /** How many directions of its queue pairs use a completion queue. */
    int users(CompletionQueue queue) {
        return inside.stream().mapToInt(thing -> thing instanceof RcQueuePair pair ? pair.uses(queue) : 0).sum();
    }

    int count(Class<?> type) {
        synchronized (context.lock()) {
            return (int) inside.stream().filter(type::isInstance).count();
        }
    }

    /** The queue pair of a number, or {@code null}. */
    RcQueuePair pair(int number) {
        for (Object thing : inside) {
            if (thing instanceof RcQueuePair pair && pair.number() == number) {
                return pair;
            }
        }
        return null;
    }

    private void requireOpen() {
        if (closed) {
            throw new Refusal(Errno.EBADF, "The protection domain " + domain.id() + " of " + context.name() + " has been closed.");
        }
    }

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
        int regions = count(Region.class);
        int pairs = count(RcQueuePair.class);
        if (regions + pairs > 0) {
            throw new Refusal(Errno.EBUSY, "The protection domain " + domain.id() + " of " + context.name() + " has " + regions
                    + " regions and " + pairs + " queue pairs; close those first.");
        }
        closed = true;
        context.forget(this);
        domain.close();
    }

    /** Ends all that is inside, and then itself. */
    void release() {
        for (Object thing : all()) {
            context.device().quietly(thing instanceof RcQueuePair pair ? pair::close : ((Region) thing)::close);
        }
        context.device().quietly(this::close);
    }

    private Object[] all() {
        synchronized (context.lock()) {
            return inside.toArray();
        }
    }
}
