package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.DmaPiece;
import io.manafold.rdma.internal.queue.Home;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The device as one bundle has it: with a doorbell page of its own, and all that the bundle has made. */
final class VerbsContext implements RdmaDevice, Home {
    private final VerbsDevice device;
    private final Object lock = new Object();
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();
    private final Set<Domain> domains = new HashSet<>();
    private final Set<SharedCompletionQueue> queues = new HashSet<>();
    private DoorbellPage page;
    private volatile boolean released;

    VerbsContext(VerbsDevice device) {
        this.device = device;
    }

    VerbsDevice device() {
        return device;
    }

    /** Guards what there is; never held while the device is asked. */
    Object lock() {
        return lock;
    }

    @Override
    public boolean enter() {
        return device.enter();
    }

    @Override
    public void leave() {
        device.leave();
    }

    /** Something is made, while the device stays. */
    <T> T make(Supplier<T> making) {
        if (!enter()) {
            throw gone();
        }
        try {
            requireOpen();
            return making.get();
        } finally {
            leave();
        }
    }

    private void requireOpen() {
        if (released) {
            throw new Refusal(Errno.EBADF, name() + " has been given back by this bundle; get the service again.");
        }
    }

    // ---- what there is

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public String offeredBy() {
        return device.part();
    }

    @Override
    public String summary() {
        return device.summary();
    }

    @Override
    public DeviceAttributes attributes() {
        return device.attributes();
    }

    @Override
    public PortAttributes port(int number) {
        return device.port(number);
    }

    @Override
    public List<Gid> gids(int port) {
        return device.gids(port);
    }

    @Override
    public SortedMap<String, Integer> resources() {
        return device.resources();
    }

    SetQpState.Path path(Path path, int port, int from, int peer) {
        return device.path(path, port, from, peer);
    }

    // ---- what is made

    @Override
    public ProtectionDomain allocateDomain() {
        return make(() -> {
            Domain domain = new Domain(this, client().createDomain());
            synchronized (lock) {
                domains.add(domain);
            }
            return domain;
        });
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries) {
        int most = attributes().maxCompletions();
        if (entries < 1 || entries > most) {
            throw new Refusal(Errno.EINVAL, "A completion queue of " + name() + " cannot have " + entries
                    + " entries; choose from 1 to " + most + ".");
        }
        return make(() -> {
            SharedCompletionQueue queue = new SharedCompletionQueue(this, entries, this::forget);
            device.add(queue);
            synchronized (lock) {
                queues.add(queue);
            }
            return queue;
        });
    }

    boolean has(CompletionQueue queue) {
        synchronized (lock) {
            return queue instanceof SharedCompletionQueue && queues.contains(queue);
        }
    }

    void forget(Domain domain) {
        synchronized (lock) {
            domains.remove(domain);
        }
    }

    private void forget(SharedCompletionQueue queue) {
        device.remove(queue);
        synchronized (lock) {
            queues.remove(queue);
        }
    }

    @Override
    public AsyncEvents events() {
        EventStream stream = new EventStream(streams::remove);
        streams.add(stream);
        return stream;
    }

    void count(SortedMap<String, Integer> into) {
        synchronized (lock) {
            into.merge("pd", domains.size(), Integer::sum);
            into.merge("cq", queues.size(), Integer::sum);
            for (Domain domain : domains) {
                into.merge("mr", domain.count(Region.class), Integer::sum);
                into.merge("qp", domain.count(RcQueuePair.class), Integer::sum);
            }
        }
    }

    /** The queue pair of a number, or {@code null}. */
    RcQueuePair pair(int number) {
        synchronized (lock) {
            return domains.stream().map(domain -> domain.pair(number)).filter(pair -> pair != null).findFirst().orElse(null);
        }
    }

    // ---- for its queues

    @Override
    public ClientSession client() {
        return device.client();
    }

    @Override
    public long adapter() {
        return device.adapter();
    }

    @Override
    public DoorbellPage page() {
        synchronized (device) {
            if (page == null) {
                page = client().allocatePage();
            }
            return page;
        }
    }

    @Override
    public int eventQueue() {
        return device.eventQueue();
    }

    @Override
    public String toString() {
        return name();
    }

    @Override
    public boolean isGone() {
        return device.isGone();
    }

    @Override
    public Refusal gone() {
        return device.gone();
    }

    @Override
    public void tell(AsyncEvent event) {
        streams.forEach(stream -> stream.add(event));
    }

    @Override
    public void soon(Runnable errand) {
        device.soon(errand);
    }

    @Override
    public void free(List<DmaPiece> pieces) {
        client().memory().free(pieces);
    }

    // ---- the end

    /** The bundle has given it back: all that it made ends. */
    void release() {
        if (!enter()) {
            return;
        }
        try {
            end();
        } finally {
            leave();
        }
    }

    private void end() {
        released = true;
        List<Domain> allDomains;
        List<SharedCompletionQueue> allQueues;
        synchronized (lock) {
            allDomains = new ArrayList<>(domains);
            allQueues = new ArrayList<>(queues);
        }
        allDomains.forEach(Domain::release);
        allQueues.forEach(queue -> device.quietly(queue::close));
        closePage();
    }

    private void closePage() {
        DoorbellPage last;
        synchronized (device) {
            last = page;
            page = null;
        }
        if (last != null) {
            device.quietly(last::close);
        }
    }

    /** The device has gone: all that was made goes, after no thread is in its memory any more. */
    void end(Farewell farewell) {
        synchronized (lock) {
            for (Domain domain : domains) {
                for (Object thing : domain.takeAll()) {
                    if (thing instanceof RcQueuePair pair) {
                        farewell.add(pair);
                    } else {
                        farewell.add((Region) thing);
                    }
                }
                farewell.add(domain);
            }
            queues.forEach(farewell::add);
            domains.clear();
            queues.clear();
        }
        farewell.add(this::closePage);
    }
}
