package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.RegionState;
import io.manafold.api.sockets.SocketStatistics;
import io.manafold.api.sockets.Sockets;
import io.manafold.api.sockets.Transfer;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import io.manafold.shell.Table.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How connections and what belongs to them are shown. */
final class Views {
    private Views() {
    }

    static Table offers(List<Sockets> transports) {
        Table table = new Table().column("TRANSPORT", "transport").column("KNOB", "knob").column("VALUE", "value")
                .column("AVAILABLE", "available").column("WHY", "why").column("ERRNO", "errno");
        for (Sockets transport : transports) {
            for (KnobOffer offer : transport.probe()) {
                table.row(transport.transport(), offer.knob().word(), offer.value(),
                        new Cell(offer.available() ? "yes" : "no", offer.available()), offer.why(), offer.errno() == 0
                        ? null : offer.errno());
            }
        }
        return table;
    }

    static Table list(List<ListenerState> listeners, List<EndpointState> endpoints) {
        Table table = new Table().column("NAME", "name").column("TRANSPORT", "transport").column("LOCAL", "local")
                .column("REMOTE", "remote").column("STATE", "state").column("NAPI", "napi").column("CPU", "cpu")
                .column("QUEUE", "queue")
                .column("KNOBS", "knobs").unwrapped();
        for (ListenerState one : listeners) {
            table.row(one.name(), one.transport(), Words.text(one.local()), null, one.resting() == null ? "listening"
                    : "resting", null, null, null, knobs(one.knobs()));
        }
        for (EndpointState one : endpoints) {
            table.row(one.name(), one.transport(), Words.text(one.local()), Words.text(one.remote()), word(one.phase()),
                    number(one.napi()), number(one.cpu()), number(one.queue()), knobs(one.knobs()));
        }
        return table;
    }

    /** Those that are not as with the classic socket, for people; all for programs. */
    private static Cell knobs(List<KnobState> knobs) {
        List<String> set = knobs.stream().filter(knob -> !knob.got().equals(knob.knob().classic()))
                .map(knob -> knob.knob().word() + "=" + knob.got()).toList();
        return new Cell(set.isEmpty() ? "-" : String.join(" ", set), fields(knobs));
    }

    private static List<Fields> fields(List<KnobState> knobs) {
        return knobs.stream().map(knob -> Fields.of("knob", knob.knob().word()).and("asked", knob.asked())
                .and("got", knob.got())
                .and("why", knob.why())).toList();
    }

    private static Integer number(int value) {
        return value < 0 ? null : value;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static Fields show(EndpointState one) {
        return Fields.of("name", one.name()).and("transport", one.transport()).and("local", Words.text(one.local()))
                .and("remote", Words.text(one.remote())).and("state", word(one.phase())).and("napi", number(one.napi()))
                .and("cpu", number(one.cpu())).and("queue", number(one.queue())).and("knobs", fields(one.knobs()))
                .and("owner", one.owner());
    }

    static Fields show(ListenerState one) {
        return Fields.of("name", one.name()).and("transport", one.transport()).and("local", Words.text(one.local()))
                .and("remote", null)
                .and("state", one.resting() == null ? "listening" : "resting").and("napi", null).and("cpu", null)
                .and("queue", null)
                .and("knobs", fields(one.knobs())).and("owner", one.owner()).and("accepted", one.accepted())
                .and("resting", one.resting());
    }

    static Table knobTable(List<KnobState> knobs) {
        Table table = new Table().column("KNOB", "knob").column("ASKED", "asked").column("GOT", "got")
                .column("WHY", "why");
        knobs.forEach(knob -> table.row(knob.knob().word(), knob.asked(), knob.got(), knob.why()));
        return table;
    }

    static List<Fields> statistics(List<EndpointState> endpoints) {
        return endpoints.stream().map(one -> {
            SocketStatistics counted = one.statistics();
            return Fields.of("name", one.name()).and("tx_bytes", counted.sentBytes()).and("rx_bytes",
                    counted.receivedBytes())
                    .and("tx_transfers", counted.sentTransfers()).and("rx_transfers", counted.receivedTransfers())
                    .and("syscalls", counted.systemCalls()).and("tx_zerocopy", counted.zeroCopy()).and("tx_copied",
                    counted.copied())
                    .and("tx_unreported", counted.unreported()).and("rx_pool", counted.pooled())
                    .and("rx_area", counted.area())
                    .and("in_flight", counted.inFlight()).and("pinned_bytes", counted.pinnedBytes())
                    .and("errors", counted.errors());
        }).toList();
    }

    static Table transfers(List<Transfer> transfers) {
        Table table = new Table().column("TRANSFER", "transfer").column("OPERATION", "operation").column("BYTES",
                "bytes")
                .column("PATH", "path").column("KERNEL", "kernel").column("BECAUSE", "because").column("INFERRED",
                "inferred")
                .column("GATHERED", "gathered").column("SYSCALLS", "syscalls").column("PINNED", "pinned_bytes")
                .column("POSTED", "posted_ns")
                .column("ACCEPTED", "accepted_ns")
                .column("FREE", "free_ns").column("STATUS", "status").unwrapped();
        for (Transfer one : transfers) {
            table.row(one.number(), word(one.operation()), one.bytes(), one.path(), one.kernel(), one.because(),
                    new Cell(one.inferred() ? "yes" : "no", one.inferred()), one.gathered(), one.systemCalls(),
                    one.pinnedBytes(), new Cell("0", one.postedNanos()), since(one.acceptedNanos(), one.postedNanos()),
                    since(one.freeNanos(), one.postedNanos()), one.status());
        }
        return table;
    }

    /** For people what has passed since it was posted, in microseconds. */
    private static Cell since(long time, long posted) {
        return time == 0 ? new Cell("-", null) : new Cell(
                String.format(Locale.ROOT, "+%.1f µs", (time - posted) / 1e3), time);
    }

    /** For people: a line for each holder. */
    static Table holders(List<Fields> regions) {
        Table table = new Table().column("BLOCK", "block").column("HOLDER", "who").column("KEY", "key").column("BYTES",
                "bytes")
                .column("IN FLIGHT", "in_flight").column("RIGHTS", "rights").unwrapped();
        for (Fields region : regions) {
            for (Object holder : (List<?>) region.values().get("holders")) {
                Map<String, Object> values = ((Fields) holder).values();
                table.row(region.values().get("block"), values.get("who"), values.get("key"), values.get("bytes"),
                        values.get("in_flight"), values.get("rights"));
            }
        }
        return table;
    }

    /** Blocks that transports hold, with all their holders. */
    static List<Fields> regions(List<MemoryBlock> blocks, List<Sockets> transports) {
        Map<String, RegionState> regions = new TreeMap<>();
        // each transport tells of all bundles
        transports.forEach(transport -> transport.regions().forEach(region -> regions.put(region.who(), region)));
        List<Fields> shown = new ArrayList<>();
        for (MemoryBlock block : blocks) {
            Map<String, Integer> holders = block.holders();
            if (holders.keySet().stream().anyMatch(regions::containsKey)) {
                shown.add(Fields.of("block", block.name()).and("bytes", block.size())
                        .and("holders", holders.keySet().stream()
                        .map(who -> holder(who, regions.get(who))).toList()));
            }
        }
        return shown;
    }

    private static Fields holder(String who, RegionState region) {
        if (region == null) {
            return Fields.of("who", who).and("key", null).and("bytes", null).and("in_flight", null).and("rights", null);
        }
        return Fields.of("who", who).and("key", region.key()).and("bytes", region.length()).and("in_flight",
                region.inFlight())
                .and("rights", rights(region.rights()) + (region.closed() ? ", closed" : ""));
    }

    private static String rights(int rights) {
        return switch (rights) {
            case Region.SEND -> "send";
            case Region.RECEIVE -> "receive";
            default -> "send, receive";
        };
    }
}
