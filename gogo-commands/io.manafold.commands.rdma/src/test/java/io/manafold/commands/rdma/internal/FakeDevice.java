package io.manafold.commands.rdma.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.DeviceObjects;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.QueuePairType;
import io.manafold.api.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A device that says what it is, and of which nothing can be made. */
class FakeDevice implements RdmaDevice {
    private final String name;
    private final int ports;
    final List<Gid> gids = new ArrayList<>();

    FakeDevice(String name, int ports) {
        this.name = name;
        this.ports = ports;
        gids.add(Gid.linkLocal(MacAddress.parse("00:0d:3a:00:00:0a")));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String offeredBy() {
        return "mana.rdma." + name.substring(name.length() - 1);
    }

    @Override
    public String summary() {
        return "ports " + ports;
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(0x1414, 3, Gid.guid(gids.getFirst().mac()), ports, 4096, 65536, 2048, 4096, 4096,
                16, 15, 4096, 32, 32, 16 << 20);
    }

    @Override
    public PortAttributes port(int number) {
        return new PortAttributes("mana" + (number - 1), number == 1, 4096, 1024, 16, 200_000_000_000L);
    }

    @Override
    public List<Gid> gids(int port) {
        return gids;
    }

    @Override
    public ProtectionDomain allocateDomain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AsyncEvents events() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SortedMap<String, Integer> resources() {
        return new TreeMap<>(Map.of("pd", 1, "cq", 2, "qp", 2, "mr", 1));
    }

    @Override
    public DeviceObjects objects() {
        return new DeviceObjects(List.of(new DeviceObjects.Domain(7, 3, "org.example.app")),
                List.of(new DeviceObjects.Queue(5, 255, 2, "org.example.app")),
                List.of(new DeviceObjects.Pair(4100, 1, 4200, QueuePairType.RC, QueuePairState.RTS, 701, 1234567, 7,
                        "org.example.app",
                                Map.of("tx_send_requests", 12L)),
                        new DeviceObjects.Pair(4096, 0, 0, QueuePairType.RC, QueuePairState.RESET, 0, 0, 7,
                                "org.example.app", Map.of())),
                List.of(new DeviceObjects.Region(3, 65536, 7, "org.example.app")));
    }

    @Override
    public Map<String, Long> counters(int port) {
        return new TreeMap<>(Map.of("requester_timeout", 1L, "tx_bytes", 5_000_000_000L));
    }
}
