package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.SpareAgent;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Link;
import io.manafold.memory.DmaTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The real adapter without a framework around it, for the tests of who lends it. */
public final class LentAdapter implements AutoCloseable {
    private static final AtomicInteger MADE = new AtomicInteger();
    private final RejectionLog rejections = new RejectionLog();
    private final LinkPlugs plugs = new LinkPlugs();
    private final SpareAgent spare;
    private final AdapterFunction function;

    public LentAdapter(String name, int ports) {
        AdapterSettings asked = AdapterSettings.read(Map.of("name", name, "ports", ports, "queues", 4));
        AdapterSettings settings = asked.at(nextAddress());
        spare = new SpareAgent(name);
        List<EthernetPort> all = new ArrayList<>();
        for (int i = 0; i < ports; i++) {
            all.add(new EthernetPort(name + "/" + (i + 1), settings.macs().get(i), settings.queues(),
                    settings.speedBits(), settings.frame(), rejections, spare));
        }
        function = new AdapterFunction(new Hardware(settings, new DmaTable(),
                new VectorTable(AdapterFunction.VECTORS), List.copyOf(all), rejections, new Faults()));
        plugs.open(function);
    }

    public PciFunction function() {
        return function;
    }

    /** What it has refused, as sentences. */
    public List<String> rejections() {
        return new SoftwareAdapter(function, new Presence(null, function, null)).rejections().stream()
                .map(Object::toString).toList();
    }

    /** Plugs ports into a link, and returns when they are. */
    public void plug(Link link, String... ports) {
        plugs.add(link, Map.of(Link.PORTS, ports));
        function.control().await(() -> { });
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
