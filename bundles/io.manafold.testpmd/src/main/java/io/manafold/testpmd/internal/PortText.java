package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import java.util.List;

/** Ports as they are shown. */
final class PortText {
    private static final String HASHES = "#".repeat(24);
    private static final String ROW = "%-4s %-17s %-12s %-14s %-8s %s\n";
    private static final String STARS = "*".repeat(21);

    private PortText() {
    }

    static String statistics(Ports ports, EthDev port) {
        EthDevStatistics now = port.statistics();
        Ports.Rates rates = ports.rates(port, now);
        return "\n  %s NIC statistics for port %-2d %s\n".formatted(HASHES, port.number(), HASHES)
                + "  RX-packets: %-10d RX-missed: %-10d RX-bytes:  %d\n".formatted(now.received(), now.missed(),
                now.receivedBytes()) + "  RX-errors: %d\n".formatted(now.receiveErrors())
                + "  RX-nombuf:  %-10d\n".formatted(now.noBuffers())
                + "  TX-packets: %-10d TX-errors: %-10d TX-bytes:  %d\n".formatted(now.sent(), now.sendErrors(),
                now.sentBytes()) + "\n  Throughput (since last show)\n"
                + "  Rx-pps: %12d          Rx-bps: %12d\n".formatted(rates.receivedPackets(), rates.receivedBits())
                + "  Tx-pps: %12d          Tx-bps: %12d\n".formatted(rates.sentPackets(), rates.sentBits())
                + ports.shownExtended(port) + "  " + "#".repeat(76) + "\n";
    }

    static String extended(Ports ports, EthDev port) {
        StringBuilder text = new StringBuilder("###### NIC extended statistics for port %-2d\n".formatted(port
                .number()));
        ports.extended(port).forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }

    static String summary(List<EthDev> ports, int all) {
        StringBuilder text = new StringBuilder("Number of available ports: %d\n".formatted(all));
        boolean owned = ports.stream().anyMatch(port -> !port.owner().isEmpty());
        text.append(row(owned, "Port", "MAC Address", "Name", "Driver", "Status", "Link", "Owner"));
        for (EthDev port : ports) {
            LinkState link = port.link();
            text.append(row(owned, port.number(), ForwardText.big(port.info().mac().toString()),
                    port.name(), port.info().driver(), link.isUp() ? "up" : "down", speed(link.speed()), port.owner()));
        }
        return text.toString();
    }

    /** With whose each port is, if any is another's; DPDK's program has no such column. */
    private static String row(boolean owned, Object... cells) {
        String row = ROW.formatted(cells);
        String last = String.valueOf(cells[cells.length - 1]);
        return !owned || last.isEmpty() ? row : "%s %s\n".formatted(row.stripTrailing(), last);
    }

    /** A function of the bus and its ports. */
    static String device(List<EthDev> ports) {
        EthDevInfo info = ports.getFirst().info();
        StringBuilder text = new StringBuilder("\n%s Infos for device %s %s\n".formatted(STARS, info.address(), STARS));
        text.append("Bus name: %s\nBus information: %s\n".formatted(bus(info), bus(info).equals("pci")
                ? "vendor_id=1414, device_id=ba" : "uuid=" + info.address()));
        text.append("Driver name: %s\nDevargs: %s\nConnect to socket: -1\n".formatted(info.driver(), info.arguments()));
        for (EthDev port : ports) {
            text.append("\n\tPort id: %d \n\tMAC address: %s\n".formatted(port.number(),
                    ForwardText.big(port.info().mac().toString())));
            text.append("\tDevice name: %s\n\tDevice speed capability: %s  \n".formatted(port.name(),
                    speed(port.link().speed())));
        }
        return text.toString();
    }

    /** What kind of bus a device is on. */
    static String bus(EthDevInfo info) {
        return info.driver().equals("net_netvsc") ? "vmbus" : "pci";
    }

    static String speed(int megabits) {
        return megabits == 0 ? "Unknown" : megabits % 1000 == 0 ? megabits / 1000 + " Gbps" : megabits + " Mbps";
    }

    /** Of one that is not started, offloads are shown as its next start takes them. */
    static String info(EthDev port, Settings settings) {
        EthDevInfo info = port.info();
        LinkState link = port.link();
        EthDevPlan plan = port.plan();
        int receive = plan == null ? 0 : plan.receiveQueues();
        int send = plan == null ? 0 : plan.sendQueues();
        boolean strips = ((port.isStarted() && plan != null ? plan.receiveOffloads()
                : settings.receiveOffloads.of(port)) & 1) != 0;
        return "\n%s Infos for port %-2d %s\n".formatted(STARS, port.number(), STARS)
                + "MAC address: %s\n".formatted(ForwardText.big(info.mac().toString()))
                + "Device name: %s\n".formatted(port.name())
                + "Driver name: %s\n".formatted(info.driver())
                + "Firmware-version: %s\n".formatted(info.firmware().isEmpty() ? "not available" : info.firmware())
                + "Devargs: %s\n".formatted(info.arguments())
                + (port.owner().isEmpty() ? "" : "Owner: %s\n".formatted(port.owner()))
                + "Connect to socket: 0\nmemory allocation on the socket: 0\n"
                + "Link status: %s\n".formatted(link.isUp() ? "up" : "down")
                + "Link speed: %s\n".formatted(speed(link.speed()))
                + "Link duplex: full-duplex\nAutoneg status: On\n"
                + "MTU: %d\nMinimum MTU: %d\nMaximum MTU: %d\n".formatted(port.mtu(), info.minMtu(), info.maxMtu())
                + "Promiscuous mode: %s\n".formatted(port.isPromiscuous() ? "enabled" : "disabled")
                + "Allmulticast mode: disabled\nMaximum number of MAC addresses: 1\n"
                + "Maximum number of MAC addresses of hash filtering: 0\n"
                + "VLAN offload: \n  strip %s, filter off, extend off, qinq strip off\n".formatted(strips ? "on"
                : "off") + "Hash key size in bytes: %d\n".formatted(info.keyBytes())
                + "Redirection table size: %d\n".formatted(info.redirectionSize())
                + "Supported RSS offload flow types:\n %s\n".formatted(QueueText.fields(info.hashFields()))
                + "Minimum size of RX buffer: %d\n".formatted(info.minRoom())
                + "Maximum configurable length of RX packet: %d\n".formatted(info.maxMtu() + 14)
                + "Maximum configurable size of LRO aggregated packet: 0\nMaximum number of VFs: 1\n"
                + "Current number of RX queues: %d\n".formatted(receive)
                + "Max possible RX queues: %d\n".formatted(info.maxQueues()) + descriptors("RX", info)
                + "Current number of TX queues: %d\n".formatted(send)
                + "Max possible TX queues: %d\n".formatted(info.maxQueues()) + descriptors("TX", info)
                + "Max segment number per packet: %d\n".formatted(info.maxPieces())
                + "Max segment number per MTU/TSO: %d\n".formatted(info.maxPieces())
                + "Device capabilities: 0x0( )\nDevice error handling mode: proactive\nDevice private info:\n  none\n";
    }

    private static String descriptors(String way, EthDevInfo info) {
        String max = "Max possible number of %sDs per queue: %d\n".formatted(way, info.maxDescriptors());
        return max + "Min possible number of %sDs per queue: %d\n".formatted(way, info.minDescriptors())
                + "%sDs number alignment: %d\n".formatted(way, info.descriptorAlignment());
    }
}
