package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.SpareAgent;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Link;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An adapter as the framework would make it, without the framework. */
public final class LoopAdapter implements AutoCloseable {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final long BASE = 0x1_0000_0000L;

    private final RejectionLog rejections = new RejectionLog();
    private final SpareAgent spare;
    private final AdapterFunction function;
    private final LinkPlugs plugs = new LinkPlugs();

    public LoopAdapter(String name, int ports, int queues) {
        AdapterSettings asked = AdapterSettings.read(Map.of("name", name, "ports", ports, "queues", queues));
        AdapterSettings all = asked.at(nextAddress());
        spare = new SpareAgent(name);
        List<EthernetPort> made = new ArrayList<>();
        for (int i = 0; i < all.ports(); i++) {
            made.add(new EthernetPort(name + "/" + (i + 1), all.macs().get(i), all.queues(), all.speedBits(),
                    all.frame(), rejections, spare));
        }
        function = new AdapterFunction(new Hardware(all, new DmaTable(), new VectorTable(AdapterFunction.VECTORS),
                List.copyOf(made), rejections, new Faults()));
        plugs.open(function);
    }

    public PciFunction function() {
        return function;
    }

    public DmaArena memory(int megabytes) {
        return new DmaArena(function.dma(), "loop", BASE, megabytes << 20);
    }

    /** Plugs its ports into a link; on return they are. */
    public void plug(Link link, String... ports) {
        plugs.add(link, Map.of(Link.PORTS, ports));
        function.control().await(() -> { });
    }

    /** What it refused, for people; empty after a good run. */
    public List<?> refused() {
        return rejections.all();
    }

    private static PciAddress nextAddress() {
        int number = MADE.getAndIncrement();
        return new PciAddress(PortMacs.DOMAIN, number >> 5 & 0xff, number & 0x1f, 0);
    }

    @Override
    public void close() {
        function.close();
        spare.close();
    }
}
