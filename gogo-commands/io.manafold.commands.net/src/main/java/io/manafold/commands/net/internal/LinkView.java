package io.manafold.commands.net.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Devices as {@code ip} shows links. */
final class LinkView {
    private static final String[][] RECEIVED = {{"bytes", "rx_bytes"}, {"packets", "rx_packets"},
            {"errors", "rx_errors"}, {"dropped", "rx_dropped"}, {"missed", "rx_missed"}, {"mcast", "rx_multicast"}};
    private static final String[][] SENT = {{"bytes", "tx_bytes"}, {"packets", "tx_packets"}, {"errors", "tx_errors"},
            {"dropped", "tx_dropped"}, {"carrier", "tx_carrier"}, {"collsns", "tx_collisions"}};
    private static final int[] WIDTHS = {6, 7, 6, 7, 7, 7};
    private static final String[][] RECEIVE_ERRORS = {{"length", "rx_length_errors"}, {"crc", "rx_crc_errors"},
            {"frame", "rx_frame_errors"}, {"fifo", "rx_fifo_errors"}, {"overrun", "rx_over_errors"}};
    private static final String[][] SEND_ERRORS = {{"aborted", "tx_aborted_errors"}, {"fifo", "tx_fifo_errors"},
            {"window", "tx_window_errors"}, {"heartbt", "tx_heartbeat_errors"}, {"transns", "carrier_changes"}};
    private static final int[] ERROR_WIDTHS = {7, 6, 7, 7, 7};

    private LinkView() {
    }

    static void show(Call call, IpOptions options, List<NetDevice> devices) {
        if (call.json()) {
            call.print(devices.stream().map(device -> options.brief() ? brief(device) : fields(device, options))
                    .toList());
            return;
        }
        for (NetDevice device : devices) {
            print(call, options, options.brief() ? List.of(briefLine(device)) : lines(device, options));
        }
    }

    /** Prints what belongs to one thing. */
    static void print(Call call, IpOptions options, List<String> lines) {
        call.out().println(String.join(options.oneLine() ? "\\" : "\n", lines));
    }

    static List<String> flags(NetDevice device) {
        List<String> flags = new ArrayList<>();
        if (device.isUp() && !device.hasCarrier()) {
            flags.add("NO-CARRIER");
        }
        flags.add("BROADCAST");
        flags.add("MULTICAST");
        if (device.isAllMulticast()) {
            flags.add("ALLMULTI");
        }
        if (device.isPromiscuous()) {
            flags.add("PROMISC");
        }
        if (device.isUp()) {
            flags.add("UP");
        }
        if (device.hasCarrier()) {
            flags.add("LOWER_UP");
        }
        return flags;
    }

    static String state(NetDevice device) {
        return device.hasCarrier() ? "UP" : "DOWN";
    }

    static String shownFlags(NetDevice device) {
        return "<" + String.join(",", flags(device)) + ">";
    }

    /** The first line that links and addresses have in common, its end left to them. */
    static String head(NetDevice device) {
        return device.index() + ": " + device.name() + ": " + shownFlags(device) + " mtu " + device.mtu()
                + " qdisc noqueue" + (device.master().isEmpty() ? "" : " master " + device.master()) + " state "
                + state(device);
    }

    static String ether(NetDevice device) {
        return "    link/ether " + device.mac() + " brd " + MacAddress.BROADCAST;
    }

    private static List<String> lines(NetDevice device, IpOptions options) {
        List<String> lines = new ArrayList<>();
        lines.add(head(device) + " mode DEFAULT group default");
        lines.add(ether(device) + (options.details() ? details(device) : ""));
        if (options.statistics()) {
            Map<String, Long> totals = device.totals();
            statistics(lines, "RX:", RECEIVED, WIDTHS, totals);
            if (options.errors()) {
                statistics(lines, "RX errors:", RECEIVE_ERRORS, ERROR_WIDTHS, totals);
            }
            statistics(lines, "TX:", SENT, WIDTHS, totals);
            if (options.errors()) {
                statistics(lines, "TX errors:", SEND_ERRORS, ERROR_WIDTHS, totals);
            }
        }
        return lines;
    }

    private static String details(NetDevice device) {
        return " promiscuity " + (device.isPromiscuous() ? 1 : 0) + "  allmulti " + (device.isAllMulticast() ? 1 : 0)
                + " minmtu " + device.minMtu() + " maxmtu " + device.maxMtu() + " numtxqueues " + device.maxChannels()
                + " numrxqueues " + device.maxChannels() + " parentbus pci parentdev " + device.address();
    }

    /** Labels above numbers; a column grows with its number. */
    private static void statistics(List<String> lines, String direction, String[][] columns, int[] widths,
            Map<String, Long> totals) {
        StringBuilder labels = new StringBuilder("    " + direction);
        StringBuilder numbers = new StringBuilder("    " + " ".repeat(direction.length()));
        for (int i = 0; i < columns.length; i++) {
            String number = String.valueOf(totals.getOrDefault(columns[i][1], 0L));
            int width = Math.max(widths[i], number.length());
            labels.append(" ").append(" ".repeat(width - columns[i][0].length())).append(columns[i][0]);
            numbers.append(" ").append(" ".repeat(width - number.length())).append(number);
        }
        lines.add(labels.toString());
        lines.add(numbers.toString());
    }

    private static Fields fields(NetDevice device, IpOptions options) {
        Fields fields = fields(device).and("linkmode", "DEFAULT").and("group", "default");
        address(fields, device);
        if (options.details()) {
            fields.and("promiscuity", device.isPromiscuous() ? 1 : 0)
                    .and("allmulti", device.isAllMulticast() ? 1 : 0)
                    .and("min_mtu", device.minMtu()).and("max_mtu", device.maxMtu())
                    .and("num_tx_queues", device.maxChannels()).and("num_rx_queues", device.maxChannels())
                    .and("parentbus", "pci").and("parentdev", device.address());
        }
        if (options.statistics()) {
            Map<String, Long> totals = device.totals();
            Fields received = counters(new Fields(), totals, RECEIVED,
                    "bytes", "packets", "errors", "dropped", "missed_errors", "multicast");
            Fields sent = counters(new Fields(), totals, SENT,
                    "bytes", "packets", "errors", "dropped", "carrier_errors", "collisions");
            if (options.errors()) {
                counters(received, totals, RECEIVE_ERRORS,
                        "length_errors", "crc_errors", "frame_errors", "fifo_errors", "over_errors");
                counters(sent, totals, SEND_ERRORS,
                        "aborted_errors", "fifo_errors", "window_errors", "heartbeat_errors", "carrier_changes");
            }
            fields.and("stats64", Fields.of("rx", received).and("tx", sent));
        }
        return fields;
    }

    /** A link as {@code ip monitor} tells of it. */
    static List<String> told(NetDevice device) {
        return List.of(head(device) + " group default", ether(device));
    }

    /** The same for programs. */
    static Fields toldFields(NetDevice device) {
        Fields fields = fields(device).and("group", "default");
        address(fields, device);
        return fields;
    }

    /** What links and addresses have in common. */
    static Fields fields(NetDevice device) {
        Fields fields = Fields.of("ifindex", device.index()).and("ifname", device.name()).and("flags", flags(device))
                .and("mtu", device.mtu()).and("qdisc", "noqueue");
        if (!device.master().isEmpty()) {
            fields.and("master", device.master());
        }
        return fields.and("operstate", state(device));
    }

    static void address(Fields fields, NetDevice device) {
        fields.and("link_type", "ether").and("address", device.mac()).and("broadcast", MacAddress.BROADCAST);
    }

    private static Fields counters(Fields fields, Map<String, Long> totals, String[][] columns, String... keys) {
        for (int i = 0; i < keys.length; i++) {
            fields.and(keys[i], totals.getOrDefault(columns[i][1], 0L));
        }
        return fields;
    }

    private static String briefLine(NetDevice device) {
        return "%-16s %-14s %s %s".formatted(device.name(), state(device), device.mac(), shownFlags(device));
    }

    private static Fields brief(NetDevice device) {
        return Fields.of("ifname", device.name()).and("operstate", state(device)).and("address", device.mac())
                .and("flags", flags(device));
    }
}
