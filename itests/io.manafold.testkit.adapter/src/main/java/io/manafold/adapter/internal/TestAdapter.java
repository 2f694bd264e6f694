package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.UnpluggedPortAgent;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Link;
import io.manafold.memory.DmaTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The real adapter, without a framework around it. */
public class TestAdapter implements AutoCloseable {
    private static final AtomicInteger MADE = new AtomicInteger();
    private final UnpluggedPortAgent spare;
    private final AdapterFunction function;
    private final Adapter adapter;
    private final LinkPlugs plugs = new LinkPlugs();
    private final Faults faults = new Faults();

    /** @param settings pairs of key and value, as in a configuration; without RDMA unless they say so */
    public TestAdapter(String name, Object... settings) {
        Map<String, Object> map = new HashMap<>();
        map.put("name", name);
        map.put("rdma", "off");
        for (int i = 0; i < settings.length; i += 2) {
            map.put((String) settings[i], settings[i + 1]);
        }
        AdapterSettings asked = AdapterSettings.read(map);
        AdapterSettings all = asked.at(nextAddress());
        RejectionLog rejections = new RejectionLog();
        spare = new UnpluggedPortAgent(name);
        List<EthernetPort> ports = new ArrayList<>();
        for (int i = 0; i < all.ports(); i++) {
            ports.add(new EthernetPort(name + "/" + (i + 1), all.macs().get(i), all.queues(), all.speedBits(),
                    all.frame(), rejections, spare));
        }
        function = new AdapterFunction(new FunctionParts(all, new DmaTable(),
                new VectorTable(all.limits().most(ObjectLimit.VECTORS)), List.copyOf(ports), rejections, faults));
        adapter = new SoftwareAdapter(function, new FunctionRegistration(null, function, null));
        plugs.open(function);
    }

    public PciFunction function() {
        return function;
    }

    public Adapter adapter() {
        return adapter;
    }

    public void plug(Link link, String... ports) {
        plugs.add(link, Map.of(Link.PORTS, ports));
        function.control().await(() -> { });
    }

    /** Has something go wrong with answers. */
    public void add(Fault fault) {
        faults.add(fault);
    }

    public void unplug(Link link) {
        plugs.remove(link);
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
