package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.SpareAgent;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Link;
import io.manafold.memory.DmaTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An adapter as the framework would make it, without the framework. */
public final class BareAdapter implements AutoCloseable {
    private static final AtomicInteger MADE = new AtomicInteger();
    private final RejectionLog rejections = new RejectionLog();
    private final SpareAgent spare;
    private final AdapterFunction function;
    private final Adapter adapter;
    private final LinkPlugs plugs = new LinkPlugs();

    public BareAdapter(String name, int ports, int queues) {
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
        adapter = new SoftwareAdapter(function, new Presence(null, function, null));
        plugs.open(function);
    }

    public PciFunction function() {
        return function;
    }

    /** What its administrator sees. */
    public Adapter adapter() {
        return adapter;
    }

    /** Plugs its ports into a link; on return they are. */
    public void plug(Link link, String... ports) {
        plugs.add(link, Map.of(Link.PORTS, ports));
        function.control().await(() -> { });
    }

    /** Until the control thread has done all that the driver's last access asks for. */
    public void settle() {
        Session session;
        do {
            function.control().await(() -> { });
            session = function.session();
        } while (session != null && !session.channel().isIdle());
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
