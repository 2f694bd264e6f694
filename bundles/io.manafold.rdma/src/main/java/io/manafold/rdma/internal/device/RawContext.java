package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.rdma.internal.queue.RawCompletionQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** The device of raw packets as one bundle has it. */
final class RawContext extends Context {
    private final RawDevice device;
    private final Set<RawDomain> domains = new HashSet<>();
    private final Set<RawCompletionQueue> queues = new HashSet<>();

    RawContext(RawDevice device) {
        super(device);
        this.device = device;
    }

    @Override
    RawDevice device() {
        return device;
    }

    @Override
    public ProtectionDomain allocateDomain() {
        return make(() -> {
            RawDomain domain = new RawDomain(this, client().createDomain());
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
            RawCompletionQueue queue = new RawCompletionQueue(this, entries, this::forget);
            synchronized (lock()) {
                queues.add(queue);
            }
            return queue;
        });
    }

    boolean has(CompletionQueue queue) {
        synchronized (lock()) {
            return queue instanceof RawCompletionQueue && queues.contains(queue);
        }
    }

    void forget(RawDomain domain) {
        synchronized (lock()) {
            domains.remove(domain);
        }
    }

    private void forget(RawCompletionQueue queue) {
        synchronized (lock()) {
            queues.remove(queue);
        }
    }

    /** A completion queue has something. */
    void signal(int id) {
        synchronized (lock()) {
            for (RawCompletionQueue queue : queues) {
                if (queue.id() == id) {
                    queue.signal();
                }
            }
        }
    }

    @Override
    void list(Listing into) {
        synchronized (lock()) {
            domains.forEach(domain -> domain.list(into));
            queues.forEach(queue -> into.queue(queue.id(), queue.entries(), queue.id() < 0 ? 0 : 1, owner()));
        }
    }

    @Override
    void count(SortedMap<String, Integer> into) {
        synchronized (lock()) {
            into.merge("pd", domains.size(), Integer::sum);
            into.merge("cq", queues.size(), Integer::sum);
            domains.forEach(domain -> domain.count(into));
        }
    }

    @Override
    void end() {
        List<RawDomain> allDomains;
        List<RawCompletionQueue> allQueues;
        synchronized (lock()) {
            allDomains = new ArrayList<>(domains);
            allQueues = new ArrayList<>(queues);
        }
        allDomains.forEach(RawDomain::withdraw);
        allDomains.forEach(RawDomain::release);
        allQueues.forEach(queue -> device.quietly(queue::close));
    }

    /** The device has gone: all that was made goes, after no thread is in its memory any more. */
    void end(RawFarewell farewell) {
        synchronized (lock()) {
            domains.forEach(domain -> domain.end(farewell));
            queues.forEach(farewell::add);
            domains.clear();
            queues.clear();
        }
        farewell.add(this::closePage);
    }
}
