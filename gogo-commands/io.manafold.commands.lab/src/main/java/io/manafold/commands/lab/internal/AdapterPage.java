package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An adapter as a person reads it: in groups, with units, what is used beside what is allowed. */
final class AdapterPage {
    /** What usage has that is no object: they stand in the groups that they belong to. */
    private static final String REQUESTS = "channel_requests";
    private static final List<String> NO_OBJECTS = List.of(REQUESTS, "rejections");
    private static final String BYTES = "_bytes";
    private static final Duration LONG_AGO = Duration.ofMinutes(2);

    private final Topology topology;
    private final Adapter adapter;

    AdapterPage(Topology topology, Adapter adapter) {
        this.topology = topology;
        this.adapter = adapter;
    }

    void print(Call call, Optional<String> id, Optional<ExportStatus> export) {
        Map<String, Long> usage = adapter.usage();
        RdmaStatus rdma = adapter.rdma().status();
        call.out().println("ADAPTER");
        call.print(Fields.of("name", adapter.name()).and("address", adapter.address()).and("id", id)
                .and("firmware", adapter.firmware()).and("shapers", adapter.shapers()).and("state", adapter.state())
                .and("serial", AdapterViews.serial(adapter)));
        title(call, "DRIVER");
        call.print(Fields.of("driven by", driver(export))
                .and("vectors", adapter.armedVectors() + " of " + adapter.vectors() + " armed")
                .and("messages", usage.get(REQUESTS))
                .and("last message", adapter.lastMessage().map(last -> sentence(last, Instant.now())))
                .and("rdma", RdmaViews.words(adapter.rdma().mode(), rdma)));
        title(call, "PORTS");
        call.print(ports(adapter.ports()));
        title(call, "OBJECTS");
        call.print(objects(usage, adapter.limits()));
        title(call, "TROUBLE");
        int rejections = adapter.rejections().size();
        call.print(Fields.of("faults", adapter.faults().stream().map(Fault::name).toList())
                .and("errors", rejections == 0 ? "none"
                        : rejections + ", see 'adapter show " + adapter.name() + " --errors'"));
        RdmaViews.show(call, rdma);
    }

    private static void title(Call call, String title) {
        call.out().println();
        call.out().println(title);
    }

    /** A driver that lends the function is named by whom it is lent to. */
    private String driver(Optional<ExportStatus> export) {
        return export.map(VfioViews::sentence).orElseGet(() -> topology.driver(adapter).orElse("none"));
    }

    static String sentence(ChannelMessage last, Instant now) {
        Duration age = Duration.between(last.time(), now);
        String ago = age.compareTo(LONG_AGO) > 0 ? age.toMinutes() + " min"
                : String.format(Locale.ROOT, "%.1f s", Math.max(0, age.toMillis()) / 1000.0);
        String status = last.status() == 0 ? "" : " (" + Quantity.showStatus(last.status()) + ")";
        return last.name() + ": " + last.outcome() + status + ", " + ago + " ago";
    }

    private static Table ports(List<PortStatus> ports) {
        boolean clamped = ports.stream().anyMatch(port -> port.clampBits() != 0);
        Table table = new Table().column("PORT", "port").column("STATE", "state").column("MAC", "mac")
                .column("LINK", "link").column("SPEED", "speed");
        if (clamped) {
            table.column("CLAMP", "clamp");
        }
        table.column("QUEUES", "queues").column("TX PACKETS", "tx").column("RX PACKETS", "rx");
        for (PortStatus port : ports) {
            String state = port.open() ? "open" : "closed";
            String speed = Quantity.showRate(port.speedBits());
            long sent = AdapterViews.counter(port, "tx_packets");
            long received = AdapterViews.counter(port, "rx_packets");
            if (clamped) {
                table.row(port.name(), state, port.mac(), port.link(), speed, port.clampBits() == 0 ? null
                        : Quantity.showRate(port.clampBits()), port.queues().size(), sent, received);
            } else {
                table.row(port.name(), state, port.mac(), port.link(), speed, port.queues().size(), sent, received);
            }
        }
        return table;
    }

    /** What the driver has had the adapter make: of that which has no limit of its own, all that fits is allowed. */
    private static Table objects(Map<String, Long> usage, Map<String, Long> limits) {
        Table table = new Table().column("WHAT", "what").column("USED", "used").column("ALLOWED", "allowed");
        usage.forEach((name, used) -> {
            if (!NO_OBJECTS.contains(name)) {
                boolean bytes = name.endsWith(BYTES);
                String what = (bytes ? name.substring(0, name.length() - BYTES.length()) + " memory" : name)
                        .replace('_', ' ');
                table.row(what, amount(used, bytes), amount(limits.get(name), bytes));
            }
        });
        return table;
    }

    private static Object amount(Long number, boolean bytes) {
        return number == null || !bytes ? number : Quantity.showBytes(number);
    }
}
