package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What forwarding says at its start and its end. */
final class ForwardText {
    private static final String DASHES = "-".repeat(22);
    private static final String LINE = "  " + "-".repeat(76) + "\n";
    private static final String RECEIVED = "  RX-packets: %-14d RX-dropped: %-14dRX-total: %d\n";
    private static final String SENT = "  TX-packets: %-14d TX-dropped: %-14dTX-total: %d\n";
    private static final String NO_BUFFERS = "  RX-nombufs: %-14d\n";
    private static final String PLUSSES = "+".repeat(15);

    private ForwardText() {
    }

    static String opening(Forwarding forwarding, Settings settings) {
        Map<Integer, List<Route>> routes = new LinkedHashMap<>();
        forwarding.cores().forEach((core, lanes) -> routes.put(core, lanes.stream().map(lane -> lane.route).toList()));
        return routes(forwarding.mode(), routes, settings) + rxtx(forwarding.mode(), settings,
                List.copyOf(forwarding.before().keySet()), forwarding.cores().size())
                + settings.measurement.missing();
    }

    /** What goes where. */
    static String routes(Mode mode, Map<Integer, List<Route>> cores, Settings settings) {
        List<Route> all = cores.values().stream().flatMap(List::stream).toList();
        StringBuilder text =
                new StringBuilder("%s packet forwarding%s - ports=%d - cores=%d - streams=%d - NUMA support %s, "
                .formatted(mode.word(), retry(settings), all.stream().map(Route::from).distinct().count(), cores.size(),
                all.size(), settings.numa ? "enabled" : "disabled"));
        text.append("MP allocation mode: native\n");
        if (settings.retry) {
            text.append("TX retry num: %d, delay between TX retries: %dus\n".formatted(settings.retries,
                    settings.delayMicros));
        }
        cores.forEach((core, on) -> {
            text.append("Logical Core %d (socket 0) forwards packets on %d streams:\n".formatted(core, on.size()));
            for (Route route : on) {
                text.append("  RX P=%d/Q=%d (socket 0) -> TX P=%d/Q=%d (socket 0) peer=%s\n".formatted(route.from()
                        .number(), route.fromQueue(), route.to().number(), route.toQueue(),
                        big(settings.peer(route.to()).toString())));
            }
        });
        return text.append('\n').toString();
    }

    private static String retry(Settings settings) {
        return settings.retry ? " with retry" : "";
    }

    static String big(String address) {
        return address.toUpperCase(java.util.Locale.ROOT);
    }

    /** How ports and queues are configured. */
    static String rxtx(Mode mode, Settings settings, List<EthDev> ports, int cores) {
        StringBuilder text = new StringBuilder();
        text.append("  %s packet forwarding%s packets/burst=%d\n".formatted(mode.word(), retry(settings),
                settings.burst));
        if (mode == Mode.TXONLY || mode == Mode.FLOWGEN) {
            text.append("  packet len=%d - nb packet segments=%d\n".formatted(settings.packetSize,
                    settings.segments.length));
        }
        text.append("  nb forwarding cores=%d - nb forwarding ports=%d\n".formatted(cores, ports.size()));
        for (EthDev port : ports) {
            EthDevPlan plan = port.plan();
            long receive = plan == null ? 0 : plan.receiveOffloads();
            long send = plan == null ? 0 : plan.sendOffloads();
            text.append("  port %d: RX queue number: %d Tx queue number: %d\n".formatted(port.number(),
                    settings.receiveQueues, settings.sendQueues));
            text.append("    Rx offloads=0x%x Tx offloads=0x%x\n".formatted(receive, send));
            queue(text, "RX", settings.receiveDescriptors);
            text.append("      RX Offloads=0x%x\n".formatted(receive));
            queue(text, "TX", settings.sendDescriptors);
            text.append("      TX offloads=0x%x - TX RS bit threshold=0\n".formatted(send));
        }
        return text.toString();
    }

    private static void queue(StringBuilder text, String way, int descriptors) {
        text.append("    %s queue: 0\n      %s desc=%d - %s free threshold=0\n".formatted(way, way,
                descriptors == 0 ? 256 : descriptors, way));
        text.append("      %s threshold registers: pthresh=0 hthresh=0  wthresh=0\n".formatted(way));
    }

    /** What was forwarded. */
    static String counts(Forwarding forwarding) {
        return counts(forwarding, forwarding.counted());
    }

    /** What was forwarded, as it was counted. */
    static String counts(Forwarding forwarding, List<ForwardTotals> totals) {
        StringBuilder text = new StringBuilder();
        List<ForwardStream> lanes = forwarding.lanes();
        if (lanes.size() > forwarding.before().size()) {
            for (ForwardStream lane : lanes) {
                lane(text, lane);
            }
        }
        long[] all = new long[7];
        for (ForwardTotals total : totals) {
            EthDev port = total.port();
            text.append("\n  %s Forward statistics for port %-2d %s\n".formatted(DASHES, port.number(), DASHES));
            if (totals.stream().filter(other -> other.port().number() == port.number()).count() > 1) {
                // one of them has gone, and the other has got its number
                text.append("  Device name: ").append(port.name()).append('\n');
            }
            long[] one = {total.received(), total.missed(), total.received() + total.missed(), total.sent(),
                total.dropped(), total.sent() + total.dropped(), total.noBuffers()};
            text.append(RECEIVED.formatted(one[0], one[1], one[2]));
            List<ForwardStream> from = lanes.stream().filter(lane -> lane.route.from() == port).toList();
            if (forwarding.mode() == Mode.CSUM) {
                text.append("  Bad-ipcsum: %-14d Bad-l4csum: %-14d".formatted(total.badIp(),
                        total.badTransport()));
                text.append("Bad-outer-l4csum: %-14d\n  Bad-outer-ipcsum: %-14d\n".formatted(0, 0));
            }
            if (total.receiveErrors() > 0 || total.noBuffers() > 0) {
                text.append("  RX-error: %d\n".formatted(total.receiveErrors()))
                        .append(NO_BUFFERS.formatted(total.noBuffers()));
            }
            text.append(SENT.formatted(one[3], one[4], one[5]));
            text.append(BurstCount.line("RX", from.stream().map(ForwardStream::receivedBursts).toList()));
            text.append(BurstCount.line("TX", lanes.stream().filter(lane -> lane.route.to() == port)
                    .map(ForwardStream::sentBursts).toList()));
            text.append(LINE);
            for (int i = 0; i < all.length; i++) {
                all[i] += one[i];
            }
        }
        text.append("\n  %s Accumulated forward statistics for all ports%s\n".formatted(PLUSSES, PLUSSES));
        text.append(RECEIVED.formatted(all[0], all[1], all[2])).append(SENT.formatted(all[3], all[4], all[5]));
        if (all[6] > 0) {
            text.append(NO_BUFFERS.formatted(all[6]));
        }
        return text.append("  ").append("+".repeat(76)).append('\n').toString();
    }

    /** One that nothing has gone over is left out. */
    private static void lane(StringBuilder text, ForwardStream lane) {
        if (lane.received() == 0 && lane.sent() == 0 && lane.dropped() == 0) {
            return;
        }
        Route route = lane.route;
        text.append("\n  ------- Forward Stats for RX Port=%2d/Queue=%2d -> TX Port=%2d/Queue=%2d -------\n".formatted(
                route.from().number(), route.fromQueue(), route.to().number(), route.toQueue()));
        text.append("  RX-packets: %-14d TX-packets: %-14d TX-dropped: %-14d\n".formatted(lane.received(), lane.sent(),
                lane.dropped()));
    }
}
