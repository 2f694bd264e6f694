package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.AddressPair;
import io.manafold.rdma.internal.queue.RcQueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Where requests come in for one bundle, at one port of one address or of all. */
final class Listener implements RdmaListener {
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Connections owner;
    private final InetSocketAddress local;
    private final int backlog;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    /** No longer than the backlog. */
    private final BlockingQueue<Request> waiting = new LinkedBlockingQueue<>();
    private volatile boolean closed;
    private volatile Thread waiter;

    Listener(Connections owner, InetSocketAddress local, int backlog) {
        this.owner = owner;
        this.local = local;
        this.backlog = backlog;
    }

    Connections owner() {
        return owner;
    }

    /** Whether it is there for an address. */
    boolean isAt(Gid gid) {
        return local.getAddress().isAnyLocalAddress() || Gid.of(local.getAddress()).equals(gid);
    }

    /** Whether both cannot be. */
    boolean contradicts(InetSocketAddress other) {
        return local.getPort() == other.getPort() && (local.getAddress().isAnyLocalAddress()
                || other.getAddress().isAnyLocalAddress() || local.getAddress().equals(other.getAddress()));
    }

    List<Request> waiting() {
        return List.copyOf(waiting);
    }

    Connection connection(Management management, RcQueuePair pair, AddressPair ends, InetSocketAddress here,
            InetSocketAddress there) {
        return owner.connection(management, pair, ends, here, there);
    }

    // ---- requests; threads of devices

    boolean enter() {
        if (closed || inside.incrementAndGet() <= backlog) {
            return !closed;
        }
        inside.decrementAndGet();
        refused.incrementAndGet();
        return false;
    }

    boolean offer(Request request) {
        waiting.add(request);
        LockSupport.unpark(waiter);
        return !closed || !waiting.remove(request);
    }

    void leave(Request request) {
        inside.decrementAndGet();
        waiting.remove(request);
    }

    // ---- the user

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public Optional<ConnectionRequest> next(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            if (closed) {
                throw new Refusal(Errno.EBADF, "The listener at " + Sockets.text(local) + " has been closed.");
            }
            long left = deadline - System.nanoTime();
            Request request = waiting.poll(Math.clamp(left, 0, GLANCE_NANOS), TimeUnit.NANOSECONDS);
            if (request != null || left <= 0) {
                return Optional.ofNullable(request);
            }
        }
    }

    @Override
    public void unpark(Thread parked) {
        waiter = parked;
    }

    @Override
    public long refused() {
        return refused.get();
    }

    @Override
    public void close() {
        closed = true;
        owner.forget(this);
        for (Request request = waiting.poll(); request != null; request = waiting.poll()) {
            try {
                request.reject(new byte[0]);
            } catch (Refusal answered) {
                // by the user, at this moment
            }
        }
    }
}
