package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.rdma.internal.queue.PolledQueue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * What one bundle has made of a device.
 *
 * @param <D> protection domains
 * @param <Q> completion queues
 */
final class ContextResources<D extends PartDomain, Q extends PolledQueue> {
    private final Object lock = new Object();
    private final Set<D> domains = new HashSet<>();
    private final Set<Q> queues = new HashSet<>();

    /** Guards what there is, in domains too; never held while the device is asked. */
    Object lock() {
        return lock;
    }

    D add(D domain) {
        synchronized (lock) {
            domains.add(domain);
        }
        return domain;
    }

    Q add(Q queue) {
        synchronized (lock) {
            queues.add(queue);
        }
        return queue;
    }

    boolean has(CompletionQueue queue) {
        synchronized (lock) {
            return queues.contains(queue);
        }
    }

    void forget(PartDomain domain) {
        synchronized (lock) {
            domains.remove(domain);
        }
    }

    void forget(Q queue) {
        synchronized (lock) {
            queues.remove(queue);
        }
    }

    List<D> domains() {
        synchronized (lock) {
            return List.copyOf(domains);
        }
    }

    List<Q> queues() {
        synchronized (lock) {
            return List.copyOf(queues);
        }
    }

    /**
     * Adds all that there is.
     *
     * @param users says by how many queues a completion queue is used, with the lock
     */
    void list(Listing into, String owner, ToIntFunction<Q> users) {
        synchronized (lock) {
            domains.forEach(domain -> domain.list(into));
            queues.forEach(queue -> into.queue(queue.id(), queue.entries(), users.applyAsInt(queue), owner));
        }
    }

    /** Adds how many there are of everything. */
    void count(SortedMap<String, Integer> into) {
        synchronized (lock) {
            into.merge("pd", domains.size(), Integer::sum);
            into.merge("cq", queues.size(), Integer::sum);
            domains.forEach(domain -> domain.count(into));
        }
    }

    /** All of it is the caller's to end. */
    void takeAll(Consumer<D> domain, Consumer<Q> queue) {
        synchronized (lock) {
            domains.forEach(domain);
            queues.forEach(queue);
            domains.clear();
            queues.clear();
        }
    }
}
