package io.manafold.commands.net.internal;

import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Devices as {@code ethtool} shows them. */
final class EthtoolViews {
    private static final String NONE = "n/a";
    private static final int ENTRIES_PER_LINE = 8;
    private static final List<Boolean> DIRECTIONS = List.of(true, false);
    private static final List<String> KINDS_OF_CHANNEL = List.of("RX", "TX", "Other");

    private EthtoolViews() {
    }

    /** Prints one device's object as the real tool does: in an array. */
    static void json(Call call, NetDevice device, Fields fields) {
        Fields named = Fields.of("ifname", device.name());
        fields.values().forEach(named::and);
        call.print(List.of(named));
    }

    static void settings(Call call, NetDevice device) {
        if (call.json()) {
            json(call, device, Fields.of("supported-ports", List.of()).and("supported-link-modes", List.of())
                    .and("supported-pause-frame-use", "No").and("supports-auto-negotiation", false)
                    .and("supported-fec-modes", List.of()).and("advertised-link-modes", List.of())
                    .and("advertised-pause-frame-use", "No").and("advertised-auto-negotiation", false)
                    .and("advertised-fec-modes", List.of())
                    .and("speed", device.speed() == 0 ? null : device.speed() / 1_000_000).and("duplex", "Full")
                    .and("auto-negotiation", false).and("port", "Other").and("phyad", 0)
                    .and("transceiver", "internal").and("link-detected", device.hasCarrier()));
            return;
        }
        PrintStream out = call.out();
        out.println("Settings for " + device.name() + ":");
        out.println("\tSupported ports: [  ]");
        out.println("\tSupported link modes:   Not reported");
        out.println("\tSupported pause frame use: No");
        out.println("\tSupports auto-negotiation: No");
        out.println("\tSupported FEC modes: Not reported");
        out.println("\tAdvertised link modes:  Not reported");
        out.println("\tAdvertised pause frame use: No");
        out.println("\tAdvertised auto-negotiation: No");
        out.println("\tAdvertised FEC modes: Not reported");
        out.println("\tSpeed: " + (device.speed() == 0 ? "Unknown!" : device.speed() / 1_000_000 + "Mb/s"));
        out.println("\tDuplex: Full");
        out.println("\tAuto-negotiation: off");
        out.println("\tPort: Other");
        out.println("\tPHYAD: 0");
        out.println("\tTransceiver: internal");
        out.println("\tLink detected: " + (device.hasCarrier() ? "yes" : "no"));
    }

    static void driver(Call call, NetDevice device) {
        Fields fields = new Fields();
        device.driverInfo().forEach(fields::and);
        if (call.json()) {
            json(call, device, fields);
        } else {
            device.driverInfo().forEach((label, value) -> call.out().println(label + ": " + value));
        }
    }

    static void statistics(Call call, NetDevice device) {
        List<Counter> counters = device.statistics();
        if (call.json()) {
            Fields fields = new Fields();
            counters.forEach(counter -> fields.and(counter.name(), counter.value()));
            json(call, device, fields);
            return;
        }
        call.out().println("NIC statistics:");
        counters.forEach(counter -> call.out().println("     " + counter.name() + ": " + counter.value()));
    }

    static void channels(Call call, NetDevice device) {
        if (call.json()) {
            json(call, device, Fields.of("combined-max", device.maxChannels())
                    .and("combined", device.channels()));
            return;
        }
        call.out().println("Channel parameters for " + device.name() + ":");
        call.out().println("Pre-set maximums:");
        channels(call.out(), device.maxChannels());
        call.out().println("Current hardware settings:");
        channels(call.out(), device.channels());
    }

    private static void channels(PrintStream out, int combined) {
        KINDS_OF_CHANNEL.forEach(kind -> out.println(kind + ":\t\t" + NONE));
        out.println("Combined:\t" + combined);
    }

    static void rings(Call call, NetDevice device) {
        Rings rings = device.rings();
        if (call.json()) {
            json(call, device, Fields.of("rx-max", rings.maxReceive()).and("tx-max", rings.maxTransmit())
                    .and("rx", rings.receive()).and("tx", rings.transmit())
                    .and("tx-push", false).and("rx-push", false));
            return;
        }
        PrintStream out = call.out();
        out.println("Ring parameters for " + device.name() + ":");
        out.println("Pre-set maximums:");
        rings(out, rings.maxReceive(), rings.maxTransmit());
        out.println("TX push buff len:\t" + NONE);
        out.println("HDS thresh:\t\t" + NONE);
        out.println("Current hardware settings:");
        rings(out, rings.receive(), rings.transmit());
        out.println("RX Buf Len:\t\t" + NONE);
        out.println("CQE Size:\t\t" + NONE);
        out.println("TX Push:\t\toff");
        out.println("RX Push:\t\toff");
        out.println("TX push buff len:\t" + NONE);
        out.println("TCP data split:\t\t" + NONE);
        out.println("HDS thresh:\t\t" + NONE);
    }

    private static void rings(PrintStream out, int receive, int transmit) {
        out.println("RX:\t\t\t" + receive);
        out.println("RX Mini:\t\t" + NONE);
        out.println("RX Jumbo:\t\t" + NONE);
        out.println("TX:\t\t\t" + transmit);
    }

    static void spreading(Call call, NetDevice device) {
        Spreading spreading = device.spreading();
        int[] table = spreading.table();
        if (call.json()) {
            List<Integer> entries = new ArrayList<>();
            for (int entry : table) {
                entries.add(entry);
            }
            List<Integer> key = new ArrayList<>();
            for (byte octet : spreading.key()) {
                key.add(Byte.toUnsignedInt(octet));
            }
            json(call, device, Fields.of("rss-indirection-table", entries).and("rss-hash-key", key)
                    .and("rss-hash-function", "toeplitz").and("rss-input-transformation",
                            Fields.of("symmetric-xor", false).and("symmetric-or-xor", false)));
            return;
        }
        PrintStream out = call.out();
        out.println("RX flow hash indirection table for " + device.name() + " with " + spreading.queues()
                + " RX ring(s):");
        for (int from = 0; from < table.length; from += ENTRIES_PER_LINE) {
            StringBuilder line = new StringBuilder("%5d: ".formatted(from));
            for (int i = from; i < Math.min(table.length, from + ENTRIES_PER_LINE); i++) {
                line.append(" %5d".formatted(table[i]));
            }
            out.println(line);
        }
        out.println("RSS hash key:");
        out.println(HexFormat.ofDelimiter(":").formatHex(spreading.key()));
        out.println("RSS hash function:");
        out.println("    toeplitz: on");
        out.println("    xor: off");
        out.println("    crc32: off");
        out.println("RSS input transformation:");
        out.println("    symmetric-xor: off");
        out.println("    symmetric-or-xor: off");
    }

    static void coalescing(Call call, NetDevice device) {
        Coalescing coalescing = device.coalescing();
        if (call.json()) {
            Fields fields = new Fields();
            for (boolean receive : DIRECTIONS) {
                String direction = direction(receive);
                device.moderation(receive).ifPresent(now -> fields.and("adaptive-" + direction, now.adaptive())
                        .and(direction + "-usecs", now.micros()).and(direction + "-frames", now.frames()));
            }
            json(call, device, fields.and("rx-cqe-frames", coalescing.frames())
                    .and("rx-cqe-nsecs", coalescing.nanos()));
            return;
        }
        PrintStream out = call.out();
        out.println("Coalesce parameters for " + device.name() + ":");
        out.println("Adaptive RX: " + shown(device, true, now -> Words.onOff(now.adaptive()))
                + "  TX: " + shown(device, false, now -> Words.onOff(now.adaptive())));
        rows(out, "stats-block-usecs:\t", "sample-interval:\t", "pkt-rate-low:\t\t", "pkt-rate-high:\t\t");
        for (boolean receive : DIRECTIONS) {
            String direction = direction(receive);
            out.println();
            out.println(direction + "-usecs:\t" + shown(device, receive, Moderation::micros));
            out.println(direction + "-frames:\t" + shown(device, receive, Moderation::frames));
            out.println(direction + "-usecs-irq:\t" + NONE);
            out.println(direction + "-frames-irq:\t" + NONE);
        }
        for (String load : List.of("low", "high")) {
            out.println();
            rows(out, "rx-usecs-" + load + ":\t", "rx-frame-" + load + ":\t", "tx-usecs-" + load + ":\t",
                    "tx-frame-" + load + ":\t");
        }
        out.println();
        out.println("CQE mode RX: " + NONE + "  TX: " + NONE);
        out.println();
        rows(out, "tx-aggr-max-bytes:\t", "tx-aggr-max-frames:\t", "tx-aggr-time-usecs:\t");
        out.println();
        out.println("rx-cqe-frames:\t\t" + coalescing.frames());
        out.println("rx-cqe-nsecs:\t\t" + coalescing.nanos());
        out.println();
    }

    /** What the real tool asks every driver for and no driver of this kind has. */
    private static void rows(PrintStream out, String... labels) {
        for (String label : labels) {
            out.println(label + NONE);
        }
    }

    private static String direction(boolean receive) {
        return receive ? "rx" : "tx";
    }

    private static Object shown(NetDevice device, boolean receive, Function<Moderation, Object> what) {
        return device.moderation(receive).map(what).orElse(NONE);
    }

    static void privateFlags(Call call, NetDevice device) {
        Map<String, Boolean> flags = device.privateFlags();
        if (call.json()) {
            Fields fields = new Fields();
            flags.forEach(fields::and);
            json(call, device, fields);
            return;
        }
        int widest = flags.keySet().stream().mapToInt(String::length).max().orElse(0);
        call.out().println("Private flags for " + device.name() + ":");
        flags.forEach((flag, on) -> call.out().println(flag + " ".repeat(widest - flag.length()) + ": "
                + Words.onOff(on)));
    }
}
