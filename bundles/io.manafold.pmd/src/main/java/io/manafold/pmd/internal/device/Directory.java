package io.manafold.pmd.internal.device;

import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The devices that there are at the moment. Any thread may ask. */
final class Directory {
    private final Map<RdmaDevice, String> rdma = new ConcurrentHashMap<>();
    private final List<NetDevice> network = new ArrayList<>();

    void add(RdmaDevice device, String address) {
        rdma.put(device, address);
    }

    /** Returns the address of the function that it was of. */
    String remove(RdmaDevice device) {
        return rdma.remove(device);
    }

    synchronized void add(NetDevice device) {
        network.add(device);
    }

    synchronized void remove(NetDevice device) {
        network.remove(device);
    }

    /** The devices for raw packets by the addresses of their functions. */
    Map<String, RdmaDevice> rdma() {
        Map<String, RdmaDevice> sorted = new TreeMap<>(Comparator.naturalOrder());
        rdma.forEach((device, address) -> sorted.put(address, device));
        return sorted;
    }

    /** How many devices of both kinds there are. */
    synchronized int size() {
        return rdma.size() + network.size();
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
