package io.manafold.ethernet.internal.port;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperOps;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.ShaperWatcher;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shapers of a network device: trees, if driver and adapter both have them, else the one clamp of the port. All
 * that changes something is called with the port's lock held.
 */
public final class PortShapers implements ShaperOps, PortLife.Limits {
    private static final Logger LOG = LoggerFactory.getLogger(PortShapers.class);

    private final NetDevice device;
    private final PortLife life;
    private final ClampShaper clamp;
    private final TreeShapers trees;
    private final List<ShaperWatcher> watchers = new CopyOnWriteArrayList<>();
    /** Queues whose limits the device knows. */
    private final BitSet limited = new BitSet();
    /** Whether the device knows a limit of the port itself. */
    private boolean portLimited;

    PortShapers(NetDevice device, PortLife life) {
        this.device = device;
        this.life = life;
        clamp = new ClampShaper(device.name(), life);
        trees = new TreeShapers(device.name(), life);
    }

    private boolean hasTrees() {
        return life.port().trees();
    }

    @Override
    public NetDevice device() {
        return device;
    }

    @Override
    public Lock lock() {
        return life.lock();
    }

    @Override
    public int queues() {
        return life.config().channels();
    }

    @Override
    public Set<ShaperCapability> capabilities(ShaperScope scope) {
        return hasTrees() ? trees.capabilities(scope) : ClampShaper.CAPABILITIES;
    }

    @Override
    public boolean groups() {
        return hasTrees();
    }

    @Override
    public void set(Shaper shaper) {
        life.checkThere();
        if (hasTrees()) {
            boolean there = shaper.handle().scope() != ShaperScope.NETDEV || limits(shaper);
            if (there) {
                trees.set(shaper);
            } else if (portLimited) {
                trees.delete(shaper.handle());
            }
            note(shaper.handle(), there);
        } else {
            clamp.set(shaper);
        }
    }

    @Override
    public void delete(ShaperHandle handle) {
        life.checkThere();
        if (hasTrees()) {
            if (handle.scope() != ShaperScope.NETDEV || portLimited) {
                trees.delete(handle);
            }
            note(handle, false);
        } else {
            clamp.delete();
        }
    }

    @Override
    public void group(Shaper node, List<Shaper> leaves) {
        life.checkThere();
        if (!hasTrees()) {
            throw new Refusal(Errno.EOPNOTSUPP, device.name() + " has one limit for all it sends and no groups of "
                    + "queues. Set the limit of scope netdev.");
        }
        trees.group(node, leaves);
        leaves.forEach(leaf -> note(leaf.handle(), true));
        if (node.handle().scope() == ShaperScope.NETDEV && !portLimited) {
            portLimited = true;
            if (!limits(node)) {
                forgetPort();
            }
        }
    }

    /** Without values a port is not limited, and is spared the cost of a tree: it is only what leaves are below. */
    private static boolean limits(Shaper port) {
        return port.bwMax() != 0 || port.burst() != 0;
    }

    /** Leaves were put below the port, which has no limit: the device made one without values, and that would cost. */
    private void forgetPort() {
        try {
            trees.delete(ShaperHandle.NETDEV);
            portLimited = false;
        } catch (Refusal refused) {
            LOG.warn("{}: a limit without values stays with the device: {}", device.name(), refused.getMessage());
        }
    }

    private void note(ShaperHandle handle, boolean there) {
        if (handle.scope() == ShaperScope.QUEUE) {
            limited.set(handle.id(), there);
        } else if (handle.scope() == ShaperScope.NETDEV) {
            portLimited = there;
        }
    }

    @Override
    public List<ShaperStatus> status() {
        return hasTrees() ? trees.status() : List.of();
    }

    @Override
    public AutoCloseable watch(ShaperWatcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    // ---- what happens to the port, with its lock held

    @Override
    public void channels(int count) {
        for (int queue = limited.nextSetBit(count); queue >= 0; queue = limited.nextSetBit(queue + 1)) {
            try {
                trees.delete(ShaperHandle.queue(queue));
            } catch (Refusal refused) {
                LOG.warn("{}: the limits of queue {}, which is gone, stay with the device: {}", device.name(), queue,
                        refused.getMessage());
            }
        }
        limited.clear(count, Math.max(count, limited.length()));
        for (ShaperWatcher watcher : watchers) {
            try {
                watcher.queues(count);
            } catch (RuntimeException mistake) {
                complain(mistake);
            }
        }
    }

    @Override
    public void forgotten() {
        limited.clear();
        portLimited = false;
        clamp.forgotten();
        for (ShaperWatcher watcher : watchers) {
            try {
                watcher.forgotten();
            } catch (RuntimeException mistake) {
                complain(mistake);
            }
        }
    }

    private void complain(RuntimeException mistake) {
        LOG.warn("{}: a keeper of its limits has failed: {}", device.name(), mistake.toString());
    }
}
