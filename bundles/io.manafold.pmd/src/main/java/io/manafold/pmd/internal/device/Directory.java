package io.manafold.pmd.internal.device;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The devices that there are at the moment. Any thread may ask, and wait for some. */
final class Directory {
    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<RdmaDevice, String> rdma = new ConcurrentHashMap<>();
    private final Map<RdmaDevice, String> names = new ConcurrentHashMap<>();
    private final Map<TurnHost, PortKey> hosts = new ConcurrentHashMap<>();
    private final List<SyntheticDevice> synthetic = new CopyOnWriteArrayList<>();
    private final List<NetDevice> network = new ArrayList<>();

    void add(SyntheticDevice device) {
        synthetic.add(device);
    }

    void remove(SyntheticDevice device) {
        synthetic.remove(device);
    }

    /** The synthetic devices of pairs, by their names. */
    List<SyntheticDevice> synthetic() {
        return synthetic.stream().sorted(Comparator.comparing(SyntheticDevice::name)).toList();
    }

    synchronized void add(RdmaDevice device, String address, String name) {
        names.put(device, name);
        rdma.put(device, address);
        notifyAll();
    }

    synchronized void remove(RdmaDevice device) {
        rdma.remove(device);
        names.remove(device);
        notifyAll();
    }

    /** By which name the RDMA driver has a device; empty for one that has gone. */
    String name(RdmaDevice device) {
        return names.getOrDefault(device, "");
    }

    boolean has(RdmaDevice device) {
        return rdma.containsKey(device);
    }

    synchronized boolean has(NetDevice device) {
        return network.contains(device);
    }

    /** A port of a function. */
    private record PortKey(String address, int port) {
    }

    void add(TurnHost host, String address, int port) {
        hosts.put(host, new PortKey(address, port));
    }

    void remove(TurnHost host) {
        hosts.remove(host);
    }

    /** Who lets others take turns with a port, or {@code null}. */
    TurnHost host(String address, int port) {
        PortKey wanted = new PortKey(address, port);
        return hosts.entrySet().stream().filter(one -> one.getValue().equals(wanted)).map(Map.Entry::getKey).findFirst()
                .orElse(null);
    }

    synchronized void add(NetDevice device) {
        if (!network.contains(device)) {
            network.add(device);
        }
        notifyAll();
    }

    synchronized void remove(NetDevice device) {
        network.remove(device);
        notifyAll();
    }

    /** A thread that waits looks again whether that is over. */
    synchronized void wake() {
        notifyAll();
    }

    /**
     * Waits for the device for raw packets of a port, and for its network device.
     *
     * @param deadline as {@link System#nanoTime} will say
     * @param isOver whether nothing is waited for any more
     * @return {@code null} if the time has passed or it is over
     */
    synchronized RdmaDevice await(String address, int port, long deadline, BooleanSupplier isOver)
            throws InterruptedException {
        while (true) {
            RdmaDevice there = rdma().get(address);
            long left = deadline - System.nanoTime();
            if (left <= 0 || isOver.getAsBoolean()) {
                return null;
            }
            if (there != null && there.departure() == null && network(address, port) != null) {
                return there;
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, LONGEST_WAIT));
        }
    }

    /** The devices for raw packets by the addresses of their functions. */
    Map<String, RdmaDevice> rdma() {
        Map<String, RdmaDevice> sorted = new TreeMap<>(Comparator.naturalOrder());
        rdma.forEach((device, address) -> sorted.put(address, device));
        return sorted;
    }

    /** The network device of a port, or {@code null}. */
    synchronized NetDevice network(String address, int port) {
        for (NetDevice device : network) {
            if (device.port() == port && device.address().toString().equals(address)) {
                return device;
            }
        }
        return null;
    }
}
