package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.device.PciFunction;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Adapters as tables and objects. */
final class AdapterViews {
    /** The counters that every port has, in the order to show them. */
    private static final List<String> FIRST = List.of("tx_packets", "tx_bytes", "rx_packets", "rx_bytes");
    private static final String QUEUE = "queue";

    private final Topology topology;
    private final Entries entries;

    AdapterViews(Topology topology, Entries entries) {
        this.topology = topology;
        this.entries = entries;
    }

    Table list() {
        Map<String, Map<String, Object>> contents = entries.contents(Entries.Kind.ADAPTER);
        Table table = new Table().column("NAME", "name").column("ADDRESS", "address").column("ID", "id")
                .column("FIRMWARE", "firmware").column("PORTS", "ports").column("QUEUES", "queues")
                .column("STATE", "state").column("LENT", "lent");
        for (Adapter adapter : topology.adapters()) {
            Optional<ExportStatus> export = export(adapter);
            table.row(adapter.name(), adapter.address(), id(adapter), adapter.firmware(), adapter.ports().size(),
                    contents.getOrDefault(adapter.name(), Map.of()).get("queues"), adapter.state(),
                    new Table.Cell(export.map(lent -> lent.connected() ? "to a guest" : "waiting").orElse("no"),
                            export.isPresent()));
        }
        return table;
    }

    private Optional<String> id(Adapter adapter) {
        return topology.function(adapter).map(PciFunction::identity)
                .map(id -> "%04x:%04x".formatted(id.vendor(), id.device()));
    }

    private Optional<ExportStatus> export(Adapter adapter) {
        return topology.exportsIfAny().stream().filter(export -> export.adapter().equals(adapter.name())).findFirst();
    }

    void show(Call call, Adapter adapter) {
        if (!call.json()) {
            new AdapterPage(topology, adapter).print(call, id(adapter), export(adapter));
            return;
        }
        call.print(Fields.of("name", adapter.name()).and("address", adapter.address()).and("id", id(adapter))
                .and("firmware", adapter.firmware()).and("shapers", adapter.shapers())
                .and("state", adapter.state()).and("serial", adapter.serial())
                .and("announced", adapter.announced())
                .and("export", export(adapter).map(VfioViews::fields))
                .and("ports", adapter.ports().stream().map(AdapterViews::port).toList())
                .and("rdma", RdmaViews.fields(adapter.rdma().mode(), adapter.rdma().status()))
                .and("usage", adapter.usage())
                .and("faults", adapter.faults().stream().map(Fault::name).toList())
                .and("rejections", adapter.rejections().size()));
    }

    static String serial(Adapter adapter) {
        return adapter.serial() + (adapter.serial() == adapter.announced() ? "" : ", announced as "
                + adapter.announced());
    }

    private static Fields port(PortStatus port) {
        return Fields.of("port", port.name()).and("mac", port.mac()).and("link", port.link())
                .and("open", port.open()).and("speed", port.speedBits()).and("clamp", port.clampBits())
                .and("queues", port.queues().size());
    }

    static long counter(PortStatus port, String name) {
        return port.counters().getOrDefault(name, 0L);
    }

    /** What was refused: in JSON, or as lines that a person reads one refusal after the other. */
    static void errors(Call call, Adapter adapter) {
        List<Rejection> rejections = adapter.rejections();
        if (call.json() || !rejections.isEmpty()) {
            call.print(rejections.stream().map(rejection -> rejection(rejection, call.json())).toList());
        } else {
            call.print(new Table().column("TIME", "time").column("WHERE", "where").column("BYTES", "bytes")
                    .column("RULE", "rule").column("RIGHT", "right").column("CONSEQUENCE", "consequence")
                    .column("TIMES", "times"));
        }
    }

    private static Fields rejection(Rejection rejection, boolean json) {
        DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
        return Fields.of("time", json ? rejection.time() : clock.format(rejection.time()))
                .and("where", rejection.where()).and("bytes", rejection.bytes()).and("rule", rejection.rule())
                .and("right", rejection.right()).and("consequence", rejection.consequence())
                .and("times", rejection.times());
    }

    static Table limits(List<Adapter> adapters) {
        Table table = new Table().column("ADAPTER", "adapter").column("WHAT", "what").column("LIMIT", "limit")
                .column("USED", "used");
        for (Adapter adapter : adapters) {
            Map<String, Long> limits = adapter.limits();
            Map<String, Long> usage = adapter.usage();
            Set<String> names = new LinkedHashSet<>(limits.keySet());
            names.addAll(usage.keySet());
            names.forEach(name -> table.row(adapter.name(), name, limits.get(name), usage.get(name)));
        }
        return table;
    }

    /** The few numbers that matter most, or with {@code all} every counter of every queue. */
    static void stats(Call call, List<Adapter> adapters, boolean all) {
        if (call.json()) {
            List<Fields> ports = new ArrayList<>();
            adapters.forEach(adapter -> adapter.ports().forEach(port -> ports.add(stats(adapter, port))));
            call.print(ports);
        } else if (all) {
            call.print(everyCounter(adapters));
        } else {
            Table table = new Table().column("PORT", "port");
            FIRST.forEach(name -> table.column(name.toUpperCase(Locale.ROOT).replace('_', ' '), name));
            adapters.forEach(adapter -> adapter.ports().forEach(port -> table.row(port.name(),
                    counter(port, FIRST.get(0)), counter(port, FIRST.get(1)), counter(port, FIRST.get(2)),
                    counter(port, FIRST.get(3)))));
            call.print(table);
            RdmaViews.stats(call, adapters);
        }
    }

    private static Table everyCounter(List<Adapter> adapters) {
        Table table = new Table().column("PORT", "port").column("QUEUE", QUEUE).column("COUNTER", "counter")
                .column("VALUE", "value");
        for (Adapter adapter : adapters) {
            for (PortStatus port : adapter.ports()) {
                counters(port).forEach((name, value) -> table.row(port.name(), null, name, value));
                RdmaViews.prefixed(adapter, port.name())
                        .forEach((name, value) -> table.row(port.name(), null, name, value));
                for (Map<String, Long> queue : port.queues()) {
                    queue.forEach((name, value) -> {
                        if (!name.equals(QUEUE)) {
                            table.row(port.name(), queue.get(QUEUE), name, value);
                        }
                    });
                }
            }
        }
        return table;
    }

    private static Fields stats(Adapter adapter, PortStatus port) {
        Fields fields = Fields.of("adapter", adapter.name()).and("port", port.name()).and("mac", port.mac())
                .and("link", port.link()).and("open", port.open());
        counters(port).forEach(fields::and);
        Map<String, Long> rdma = RdmaViews.counters(adapter, port.name());
        if (!rdma.isEmpty()) {
            fields.and("rdma", rdma);
        }
        return fields.and("queues", port.queues());
    }

    /** All counters of a port, the ones that every port has first. */
    private static Map<String, Long> counters(PortStatus port) {
        Map<String, Long> counters = new LinkedHashMap<>();
        FIRST.forEach(name -> counters.put(name, counter(port, name)));
        port.counters().forEach(counters::putIfAbsent);
        return counters;
    }
}
