package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * What protection domains of all devices have: a life within a context, and regions. What is inside is guarded by the
 * context's lock.
 */
abstract sealed class PartDomain implements ProtectionDomain permits Domain, RawDomain {
    private final Context<?, ?> context;
    private final io.manafold.gdma.driver.ProtectionDomain domain;
    private final Set<Region> regions = new LinkedHashSet<>();
    private boolean closed;
    /** The device has gone. */
    private boolean ended;

    PartDomain(Context<?, ?> context, io.manafold.gdma.driver.ProtectionDomain domain) {
        this.context = context;
        this.domain = domain;
    }

    final io.manafold.gdma.driver.ProtectionDomain domain() {
        return domain;
    }

    final String who() {
        return "The protection domain " + domain.id() + " of " + context.name();
    }

    final void requireOpen() {
        if (closed) {
            throw new Refusal(Errno.EBADF, who() + " has been closed.");
        }
    }

    /** Refuses what a queue cannot have. */
    static void inside(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new Refusal(Errno.EINVAL, "A queue cannot be made for " + value + " " + what
                    + "; choose from " + least + " to " + most + ".");
        }
    }

    // ---- regions

    @Override
    public final MemoryRegion register(MemoryBlock block, long offset, long length, int access) {
        Region.check(block, offset, length, access);
        return context.make(() -> make(block, offset, length, access));
    }

    private synchronized Region make(MemoryBlock block, long offset, long length, int access) {
        requireOpen();
        Region region = Region.make(context.device().blocks(), domain, block, offset, length, access, this::end);
        synchronized (context.made().lock()) {
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
            synchronized (context.made().lock()) {
                there = regions.remove(region);
            }
            if (there) {
                region.end(context.device());
            }
        } finally {
            context.leave();
        }
    }

    // ---- what is inside

    /** Keeps what was made; false if the device went meanwhile, and did not wait any longer. */
    final <T> boolean keep(T made, Set<? super T> among) {
        synchronized (context.made().lock()) {
            return !ended && among.add(made);
        }
    }

    final <T> List<T> copy(Set<T> set) {
        synchronized (context.made().lock()) {
            return List.copyOf(set);
        }
    }

    /** How many queues and the like are inside, beside regions. */
    abstract int queues();

    /** Adds all that is inside. With the context's lock. */
    final void list(Listing into) {
        String owner = context.owner();
        into.domain(domain.id(), regions.size() + queues(), owner);
        regions.forEach(region -> into.region(region, domain.id(), owner));
        listQueues(into, owner);
    }

    abstract void listQueues(Listing into, String owner);

    /** Adds how many of everything are inside. With the context's lock. */
    final void count(SortedMap<String, Integer> into) {
        into.merge("mr", regions.size(), Integer::sum);
        into.merge("qp", pairs(), Integer::sum);
    }

    abstract int pairs();

    // ---- the end

    @Override
    public final void close() {
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
        synchronized (context.made().lock()) {
            if (regions.size() + users() > 0) {
                throw new Refusal(Errno.EBUSY, who() + " has " + regions.size() + " regions" + usersText()
                        + "; close those first.");
            }
        }
        closed = true;
        context.made().forget(this);
        domain.close();
    }

    /** How many things keep it open, beside regions. With the context's lock. */
    abstract int users();

    /** The same for a sentence, behind the number of regions. */
    abstract String usersText();

    /** Has those who use queues directly leave them, without waiting for that. */
    void withdraw() {
    }

    /** Ends all that is inside, and then itself. */
    final void release() {
        releaseQueues();
        copy(regions).forEach(region -> context.device().quietly(region::close));
        context.device().quietly(this::close);
    }

    abstract void releaseQueues();

    /** The device has gone. With the context's lock. */
    final void end(CommonTeardown teardown) {
        ended = true;
        teardown.add(this, regions);
        regions.clear();
    }
}
