package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.refusal.Errno;
import io.manafold.gdma.message.SetQpState;
import io.manafold.rdma.internal.queue.Home;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** An RDMA adapter's device as one bundle has it. */
final class VerbsContext extends Context implements Home {
    private final VerbsDevice device;
    private final Set<Domain> domains = new HashSet<>();
    private final Set<SharedCompletionQueue> queues = new HashSet<>();

    VerbsContext(VerbsDevice device) {
        super(device);
        this.device = device;
    }

    @Override
    VerbsDevice device() {
        return device;
    }

    SetQpState.Path path(Path path, int port, int from, int peer) {
        return device.path(path, port, from, peer);
    }

    // ---- what is made

    @Override
    public ProtectionDomain allocateDomain() {
        return make(() -> {
            Domain domain = new Domain(this, client().createDomain());
            synchronized (lock()) {
                domains.add(domain);
            }
            return domain;
        });
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries) {
        checkEntries(entries);
        return make(() -> {
            SharedCompletionQueue queue = new SharedCompletionQueue(this, entries, this::forget);
            device.add(queue);
            synchronized (lock()) {
                queues.add(queue);
            }
            return queue;
        });
    }

    boolean has(CompletionQueue queue) {
        synchronized (lock()) {
            return queue instanceof SharedCompletionQueue && queues.contains(queue);
        }
    }

    void forget(Domain domain) {
        synchronized (lock()) {
            domains.remove(domain);
        }
    }

    private void forget(SharedCompletionQueue queue) {
        device.remove(queue);
        synchronized (lock()) {
            queues.remove(queue);
        }
    }

    @Override
    void list(Listing into) {
        synchronized (lock()) {
            domains.forEach(domain -> domain.list(into));
            for (SharedCompletionQueue queue : queues) {
                into.queue(queue.id(), queue.entries(), domains.stream().mapToInt(domain -> domain.users(queue)).sum(), owner());
            }
        }
    }

    @Override
    void count(SortedMap<String, Integer> into) {
        synchronized (lock()) {
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
        synchronized (lock()) {
            return domains.stream().map(domain -> domain.pair(number)).filter(pair -> pair != null).findFirst().orElse(null);
        }
    }

    // ---- for its queues

    @Override
    public long adapter() {
        return device.adapter();
    }

    @Override
    public int eventQueue() {
        return device.eventQueue();
    }

    @Override
    public void tell(AsyncEvent event) {
        super.tell(event);
        if (event.type() == AsyncEvent.Type.QP_FATAL) {
            device.management().ends(event.number(), Errno.ECONNRESET, event.sentence());
        }
    }

    @Override
    public void soon(Runnable errand) {
        device.soon(errand);
    }

    // ---- the end

    @Override
    void end() {
        List<Domain> allDomains;
        List<SharedCompletionQueue> allQueues;
        synchronized (lock()) {
            allDomains = new ArrayList<>(domains);
            allQueues = new ArrayList<>(queues);
        }
        allDomains.forEach(Domain::release);
        allQueues.forEach(queue -> device.quietly(queue::close));
    }

    /** The device has gone: all that was made goes, after no thread is in its memory any more. */
    void end(Farewell farewell) {
        synchronized (lock()) {
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
