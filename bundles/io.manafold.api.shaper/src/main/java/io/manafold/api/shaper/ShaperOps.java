package io.manafold.api.shaper;

import io.manafold.api.net.NetDevice;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * What a driver carries out of the shapers of a network device; a service beside the {@link NetDevice}. It keeps no
 * records: the caller holds them, and tells all again after a reset. Values are complete, never differences, and
 * set and group serve for new and existing shapers alike. Any of them may refuse with a
 * {@link io.manafold.api.refusal.Refusal}; then everything is as before.
 */
@ConsumerType
public interface ShaperOps {
    NetDevice device();

    /**
     * The device's own lock. It is held around {@link #set}, {@link #delete} and {@link #group}, and by the driver when
     * it tells watchers something: there is one lock only, so that there is no order to get wrong.
     */
    Lock lock();

    /** Queues that send, just now. */
    int queues();

    /** Says the same at any time, and needs no lock. */
    Set<ShaperCapability> capabilities(ShaperScope scope);

    /** Whether there can be nodes. */
    boolean groups();

    void set(Shaper shaper);

    /** What it held goes on without limits. */
    void delete(ShaperHandle handle);

    /**
     * Puts leaves below a node, or below the device, and sets its values; only new or changed leaves are named.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if the device has no nodes
     */
    void group(Shaper node, List<Shaper> leaves);

    /** What shapers have done; empty if the device does not count. Needs no lock. */
    List<ShaperStatus> status();

    /** Has a watcher told of what happens to the device; several may be. */
    AutoCloseable watch(ShaperWatcher watcher);
}
