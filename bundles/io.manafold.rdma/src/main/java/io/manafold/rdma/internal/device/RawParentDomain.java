package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.RssQueuePair;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.concurrent.atomic.AtomicBoolean;

/** A protection domain with a port. What is made in it is in the domain. */
final class RawParentDomain implements ParentDomain {
    private final RawDomain domain;
    private final int port;
    private final AtomicBoolean closed = new AtomicBoolean();

    RawParentDomain(RawDomain domain, int port) {
        this.domain = domain;
        this.port = port;
    }

    private RawDomain open() {
        if (closed.get()) {
            throw new Refusal(Errno.EBADF, "The parent domain for port " + port + " of " + domain.context().name()
                    + " has been closed.");
        }
        return domain;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public MemoryRegion register(MemoryBlock block, long offset, long length, int access) {
        return open().register(block, offset, length, access);
    }

    @Override
    public QueuePair createQueuePair(QueuePairPlan plan) {
        return open().createQueuePair(plan, port);
    }

    @Override
    public ReceiveWorkQueue createReceiveWorkQueue(CompletionQueue queue, int receives, int pieces) {
        return open().createReceiveWorkQueue(queue, receives, pieces, port);
    }

    @Override
    public RssQueuePair createRssQueuePair(RssPlan plan) {
        return open().createRssQueuePair(plan, port);
    }

    @Override
    public ParentDomain createParentDomain(int other) {
        throw new Refusal(Errno.EINVAL, "A parent domain is made of a protection domain, not of another parent "
                + "domain.");
    }

    /** Its queues and regions stay in the domain below. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            domain.forgetParent();
        }
    }
}
