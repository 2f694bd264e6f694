package io.manafold.traffic.internal;

import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.api.traffic.TrafficLoss;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Finds out where packets of a run were lost, by counters of its devices and of all links. On the control thread. */
final class Losses {
    private static final Map<String, String> SENDER = new TreeMap<>(Map.of("tx_dropped", "were given up by the driver",
            "tx_errors", "were not sent for an error"));
    private static final Map<String, String> RECEIVER = new TreeMap<>(Map.of("rx_missed", "found no receive buffer",
            "rx_dropped", "were dropped by the driver", "rx_errors", "arrived with an error"));
    private static final Map<String, String> LINK = new TreeMap<>(Map.of("lost", "were lost as the link was told",
            "overflow", "were more than the link can delay", "undelivered", "found no port plugged in", "vanished",
            "were gone with their sender's memory"));

    private final String from;
    private final String to;
    private final Function<String, NetDevice> devices;
    private final List<Link> links;
    private final Map<Cause, Long> before;

    private record Cause(String place, String reason) {
    }

    /** @param devices {@code null} for one that is away */
    Losses(String from, String to, Function<String, NetDevice> devices, List<Link> links) {
        this.from = from;
        this.to = to;
        this.devices = devices;
        this.links = links;
        before = read();
    }

    private Map<Cause, Long> read() {
        Map<Cause, Long> now = new LinkedHashMap<>();
        add(now, devices.apply(from), SENDER);
        for (Link link : links) {
            LinkStatus status = link.status();
            LINK.forEach((counter, reason) -> now.put(new Cause(link.name(), reason),
                    status.counters().getOrDefault(counter, 0L)));
            now.put(new Cause(link.name(), "found a full queue"),
                    status.queues().stream().mapToLong(LinkStatus.QueueStatus::dropped).sum());
        }
        add(now, devices.apply(to), RECEIVER);
        return now;
    }

    private static void add(Map<Cause, Long> now, NetDevice device, Map<String, String> reasons) {
        if (device != null) {
            Map<String, Long> totals = device.totals();
            reasons.forEach((counter, reason) -> now.put(new Cause(device.name(), reason),
                    totals.getOrDefault(counter, 0L)));
        }
    }

    /**
     * Where so many were lost; fewer if no counter tells of the rest.
     *
     * @param changed how many of them have arrived, but not as they were sent
     */
    List<TrafficLoss> explain(long lost, long changed) {
        List<TrafficLoss> losses = new ArrayList<>();
        long left = lost;
        if (changed > 0) {
            losses.add(new TrafficLoss(Math.min(left, changed), to, "arrived changed"));
            left -= losses.getFirst().packets();
        }
        for (Map.Entry<Cause, Long> now : read().entrySet()) {
            long here = Math.min(left, now.getValue() - before.getOrDefault(now.getKey(), 0L));
            if (here > 0) {
                losses.add(new TrafficLoss(here, now.getKey().place(), now.getKey().reason()));
                left -= here;
            }
        }
        return List.copyOf(losses);
    }
}
