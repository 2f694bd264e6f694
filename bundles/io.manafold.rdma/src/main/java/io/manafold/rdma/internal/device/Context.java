package io.manafold.rdma.internal.device;

import io.manafold.api.device.Removal;
import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.DeviceObjects;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.memory.DmaPiece;
import io.manafold.rdma.internal.queue.PolledQueue;
import io.manafold.rdma.internal.queue.QueueDevice;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * A device as one bundle has it: with a doorbell page of its own, and all that the bundle has made.
 *
 * @param <D> its protection domains
 * @param <Q> its completion queues
 */
abstract class Context<D extends PartDomain, Q extends PolledQueue> implements RdmaDevice, QueueDevice {
    private final PartDevice device;
    private final ContextResources<D, Q> made = new ContextResources<>();
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();
    private DoorbellPage page;
    /** Read by those who make something, written by the end, which must find all that was made. */
    private final ReentrantReadWriteLock making = new ReentrantReadWriteLock();
    private volatile String owner = "";
    private volatile boolean released;

    Context(PartDevice device) {
        this.device = device;
    }

    PartDevice device() {
        return device;
    }

    final ContextResources<D, Q> made() {
        return made;
    }

    @Override
    public final boolean enter() {
        return device.enter();
    }

    @Override
    public final void leave() {
        device.leave();
    }

    /** Something is made, while the device stays. */
    final <T> T make(Supplier<T> maker) {
        if (!enter()) {
            throw gone();
        }
        try {
            making.readLock().lock();
            try {
                if (released) {
                    throw new Refusal(Errno.EBADF, name()
                            + " has been given back by this bundle; get the service again.");
                }
                return maker.get();
            } finally {
                making.readLock().unlock();
            }
        } finally {
            leave();
        }
    }

    // ---- what is made

    @Override
    public final ProtectionDomain allocateDomain() {
        return make(() -> made.add(domain(client().createDomain())));
    }

    abstract D domain(io.manafold.gdma.driver.ProtectionDomain created);

    @Override
    public final CompletionQueue createCompletionQueue(int entries) {
        checkEntries(entries);
        return make(() -> made.add(queue(entries)));
    }

    abstract Q queue(int entries);

    /** By how many queues a completion queue is used. With the lock of what is made. */
    abstract int users(Q queue);

    // ---- what there is

    @Override
    public final String name() {
        return device.name();
    }

    @Override
    public final String offeredBy() {
        return device.part();
    }

    @Override
    public final String summary() {
        return device.summary();
    }

    @Override
    public final DeviceAttributes attributes() {
        return device.attributes();
    }

    @Override
    public final PortAttributes port(int number) {
        return device.port(number);
    }

    @Override
    public final Removal departure() {
        return device.departure();
    }

    @Override
    public final List<Gid> gids(int port) {
        return device.gids(port);
    }

    @Override
    public final SortedMap<String, Integer> resources() {
        return device.resources();
    }

    @Override
    public final DeviceObjects objects() {
        Listing listing = new Listing();
        device.contexts().forEach(context -> context.list(listing));
        return listing.objects();
    }

    private void list(Listing into) {
        made.list(into, owner, this::users);
    }

    @Override
    public final Map<String, Long> counters(int port) {
        device.at(port);
        if (!enter()) {
            throw gone();
        }
        try {
            return device.counters();
        } finally {
            leave();
        }
    }

    /** The symbolic name of the bundle that has it. */
    final String owner() {
        return owner;
    }

    final void ownedBy(String bundle) {
        owner = bundle;
    }

    private void checkEntries(int entries) {
        int most = attributes().maxCompletions();
        if (entries < 1 || entries > most) {
            throw new Refusal(Errno.EINVAL, "A completion queue of " + name() + " cannot have " + entries
                    + " entries; choose from 1 to " + most + ".");
        }
    }

    // ---- for its queues

    @Override
    public final boolean checksThreads() {
        return device.checksThreads();
    }

    @Override
    public final ClientSession client() {
        return device.client();
    }

    /** On which the queues are rung. */
    public final DoorbellPage page() {
        synchronized (device) {
            if (page == null) {
                page = client().allocatePage();
            }
            return page;
        }
    }

    @Override
    public final String toString() {
        return name();
    }

    @Override
    public final boolean isGone() {
        return device.isGone();
    }

    @Override
    public final Refusal gone() {
        return device.gone();
    }

    @Override
    public final void free(List<DmaPiece> pieces) {
        client().memory().free(pieces);
    }

    // ---- events

    @Override
    public final AsyncEvents events() {
        EventStream stream = new EventStream(streams::remove);
        streams.add(stream);
        return stream;
    }

    @Override
    public void tell(AsyncEvent event) {
        streams.forEach(stream -> stream.add(event));
    }

    // ---- the end

    /** The bundle has given it back: all that it made ends, unless the device has gone and sees to that. */
    final boolean release() {
        if (!enter()) {
            return false;
        }
        try {
            boolean alone = PartDevice.lockForEnd(making);
            released = true;
            if (alone) {
                making.writeLock().unlock();
            }
            end();
            closePage();
            return true;
        } finally {
            leave();
        }
    }

    private void end() {
        List<D> all = made.domains();
        all.forEach(PartDomain::withdraw);
        all.forEach(PartDomain::release);
        made.queues().forEach(queue -> device.quietly(queue::close));
    }

    final void closePage() {
        DoorbellPage last;
        synchronized (device) {
            last = page;
            page = null;
        }
        if (last != null) {
            device.quietly(last::close);
        }
    }
}
