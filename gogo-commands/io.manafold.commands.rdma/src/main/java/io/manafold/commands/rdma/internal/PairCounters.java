package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.DeviceObjects;
import io.manafold.api.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * {@code rdma statistic qp show}: counters of queue pairs, one line for each, as iproute2's tool shows a counter with
 * one queue pair.
 */
final class PairCounters {
    private final Devices devices;

    PairCounters(Devices devices) {
        this.devices = devices;
    }

    List<ObjectLine> show(List<String> words) {
        ObjectChoice choice = ObjectChoice.read("rdma statistic qp show", words, devices, List.of("cntn", "lqpn"));
        List<ObjectLine> lines = new ArrayList<>();
        for (RdmaDevice device : choice.of(devices)) {
            List<DeviceObjects.Pair> pairs = device.objects().pairs().stream()
                    .filter(pair -> !pair.counters().isEmpty())
                    .sorted(Comparator.comparingInt(DeviceObjects.Pair::number)).toList();
            for (int i = 0; i < pairs.size(); i++) {
                if (choice.hasPort(pairs.get(i).port()) && isMeant(choice, i, pairs.get(i).number())) {
                    lines.add(line(device, i, pairs.get(i)));
                }
            }
        }
        return lines;
    }

    private static boolean isMeant(ObjectChoice choice, int counter, int pair) {
        return choice.filters().getOrDefault("cntn", Integer.toString(counter)).equals(Integer.toString(counter))
                && choice.filters().getOrDefault("lqpn", Integer.toString(pair)).equals(Integer.toString(pair));
    }

    private ObjectLine line(RdmaDevice device, int counter, DeviceObjects.Pair pair) {
        ObjectLine line = new ObjectLine().text("link " + device.name() + "/" + (pair.port() == 0 ? "-" : pair.port())
                + " ").key("ifindex", devices.index(device)).key("ifname", device.name());
        if (pair.port() != 0) {
            line.key("port", pair.port());
        }
        line.add("cntn", counter).add("qp-type", pair.type().name()).owner(pair.owner());
        pair.counters().forEach((name, value) -> line.text("\n    ").add(name, value));
        return line.text("\n    LQPN: <" + pair.number() + ">").key("lqpn", List.of(pair.number()));
    }
}
