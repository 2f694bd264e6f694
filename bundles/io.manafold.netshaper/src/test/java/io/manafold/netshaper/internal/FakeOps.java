package io.manafold.netshaper.internal;

import io.manafold.api.device.PciAddress;
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
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** A driver that can do everything, writes down what it is told, and refuses when it is told to. */
public class FakeOps implements ShaperOps {
    public final List<String> calls = new CopyOnWriteArrayList<>();
    public final List<ShaperWatcher> watchers = new CopyOnWriteArrayList<>();
    public final Map<ShaperScope, Set<ShaperCapability>> capabilities = new EnumMap<>(ShaperScope.class);
    /** It goes to those who want it in the order in which they came. */
    public final ReentrantLock lock = new ReentrantLock(true);
    public volatile int queues;
    public volatile boolean groups = true;
    /** Calls whose text begins so are refused. */
    public volatile String refuses;
    private final NetDevice device;

    public FakeOps(String name, int index, int queues) {
        this.queues = queues;
        this.device = device(name, index);
        for (ShaperScope scope : ShaperScope.values()) {
            capabilities.put(scope, EnumSet.allOf(ShaperCapability.class));
        }
        capabilities.get(ShaperScope.NETDEV).remove(ShaperCapability.NESTING);
    }

    /** A device that can nothing but say who it is. */
    public static NetDevice device(String name, int index) {
        return (NetDevice) Proxy.newProxyInstance(FakeOps.class.getClassLoader(), new Class<?>[] {NetDevice.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name", "toString" -> name;
                    case "index" -> index;
                    case "address" -> PciAddress.parse("7870:00:00.0");
                    case "port" -> 1;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** What it was told since the last time. */
    public List<String> told() {
        List<String> told = List.copyOf(calls);
        calls.clear();
        return told;
    }

    /** As the device does when it changes how many queues it has. */
    public void resize(int count) {
        lock.lock();
        try {
            watchers.forEach(watcher -> watcher.queues(count));
            queues = count;
        } finally {
            lock.unlock();
        }
    }

    /** As the device does when it has forgotten everything. */
    public void reset() {
        lock.lock();
        try {
            calls.add("reset");
            watchers.forEach(ShaperWatcher::forgotten);
        } finally {
            lock.unlock();
        }
    }

    private void call(String text) {
        if (!lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("the lock is not held");
        }
        calls.add(text);
        if (refuses != null && text.startsWith(refuses)) {
            throw new Refusal(Errno.ENOSPC, "fake: no room for that.");
        }
    }

    private static String name(ShaperHandle handle) {
        return handle == null ? "0:0" : handle.scope().ordinal() + ":" + handle.id();
    }

    /** The handle and what is set of it. */
    public static String text(Shaper shaper) {
        List<String> parts = new ArrayList<>(List.of(name(shaper.handle())));
        if (shaper.bwMin() != 0) {
            parts.add("min" + shaper.bwMin());
        }
        if (shaper.bwMax() != 0) {
            parts.add("max" + shaper.bwMax());
        }
        if (shaper.burst() != 0) {
            parts.add("burst" + shaper.burst());
        }
        if (shaper.priority() != 0) {
            parts.add("p" + shaper.priority());
        }
        if (shaper.weight() != 0) {
            parts.add("w" + shaper.weight());
        }
        return String.join(" ", parts);
    }

    @Override
    public NetDevice device() {
        return device;
    }

    @Override
    public ReentrantLock lock() {
        return lock;
    }

    @Override
    public int queues() {
        return queues;
    }

    @Override
    public Set<ShaperCapability> capabilities(ShaperScope scope) {
        return capabilities.get(scope);
    }

    @Override
    public boolean groups() {
        return groups;
    }

    @Override
    public void set(Shaper shaper) {
        call("set " + text(shaper) + " parent " + name(shaper.parent()));
    }

    @Override
    public void delete(ShaperHandle handle) {
        call("del " + name(handle));
    }

    @Override
    public void group(Shaper node, List<Shaper> leaves) {
        leaves.forEach(leaf -> {
            if (!node.handle().equals(leaf.parent())) {
                throw new IllegalStateException(leaf + " is not below " + node);
            }
        });
        call("g " + text(node) + " <- {" + leaves.stream().map(FakeOps::text).collect(Collectors.joining(", "))
                + "} parent " + name(node.parent()));
    }

    @Override
    public List<ShaperStatus> status() {
        return List.of(new ShaperStatus(ShaperHandle.NETDEV, 10, 1_000, 0, 1, 2));
    }

    @Override
    public AutoCloseable watch(ShaperWatcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }
}
