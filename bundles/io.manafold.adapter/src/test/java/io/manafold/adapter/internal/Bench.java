package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.UnpluggedPortAgent;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.api.device.PciAddress;
import io.manafold.api.fabric.Link;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.EventHandler;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** An adapter on a workbench: no framework around it. */
final class Bench implements AutoCloseable {
    private static final AtomicInteger MADE = new AtomicInteger();
    static final ChannelLimits LIMITS =
            new ChannelLimits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30),
            Duration.ofSeconds(30), 32);
    static final long BASE = 0x1_0000_0000L;

    final RejectionLog rejections = new RejectionLog();
    final UnpluggedPortAgent spare;
    final AdapterFunction function;
    final Adapter adapter;
    final LinkPlugs plugs = new LinkPlugs();

    /** @param settings pairs of key and value, as in a configuration */
    Bench(String name, Object... settings) {
        this(ObjectBudget.OF_PLATFORM, name, settings);
    }

    Bench(ObjectBudget budget, String name, Object... settings) {
        this(budget, System::nanoTime, FunctionParts::devices, name, settings);
    }

    /** Ports that go by a clock of the test's. */
    Bench(LongSupplier nanoTime, String name, Object... settings) {
        this(ObjectBudget.OF_PLATFORM, nanoTime, FunctionParts::devices, name, settings);
    }

    /** With another device in its list. */
    Bench(Client more, String name, Object... settings) {
        this(ObjectBudget.OF_PLATFORM, System::nanoTime,
                all -> List.of(EthernetClient::new, (hardware, objects, registration) -> more), name, settings);
    }

    private Bench(ObjectBudget budget, LongSupplier nanoTime, Function<AdapterSettings, List<Client.Maker>> clients,
            String name, Object... settings) {
        Map<String, Object> map = new HashMap<>();
        map.put("name", name);
        for (int i = 0; i < settings.length; i += 2) {
            map.put((String) settings[i], settings[i + 1]);
        }
        AdapterSettings asked = AdapterSettings.read(map);
        AdapterSettings all = asked.at(nextAddress());
        spare = new UnpluggedPortAgent(name);
        List<EthernetPort> ports = new ArrayList<>();
        for (int i = 0; i < all.ports(); i++) {
            ports.add(new EthernetPort(name + "/" + (i + 1), all.macs().get(i), all.queues(), all.speedBits(),
                    all.frame(), rejections, spare, nanoTime));
        }
        function = new AdapterFunction(new FunctionParts(all, new DmaTable(),
                new VectorTable(all.limits().most(ObjectLimit.VECTORS)), List.copyOf(ports), rejections, new Faults(),
                budget.share(), clients.apply(all)));
        adapter = new SoftwareAdapter(function, new FunctionRegistration(null, function, null));
        plugs.open(function);
    }

    DmaArena memory(int megabytes) {
        return new DmaArena(function.dma(), "test", BASE, megabytes << 20);
    }

    EthernetSession session(DmaArena memory) {
        return session(memory, (type, data) -> { });
    }

    EthernetSession session(DmaArena memory, EventHandler listener) {
        return EthernetSession.open(function, memory, LIMITS, listener);
    }

    void plug(Link link, String... ports) {
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
