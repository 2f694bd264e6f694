package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.List;

/** {@code rdma dev}, {@code rdma link} and {@code rdma statistic}: devices and their ports. */
final class RdmaLinks {
    private final Devices devices;

    RdmaLinks(Devices devices) {
        this.devices = devices;
    }

    List<ObjectLine> devices(List<String> words, boolean details) {
        ObjectChoice choice = ObjectChoice.read("rdma dev show", words, devices, List.of());
        List<ObjectLine> lines = new ArrayList<>();
        for (RdmaDevice device : choice.of(devices)) {
            DeviceAttributes is = device.attributes();
            ObjectLine line = begin(device).add("node_type", "ca");
            if (is.part() == Devices.WITH_CONNECTIONS) {
                line.add("protocol", "roce");
            }
            line.add("node_guid", Words.guid(is.guid())).add("sys_image_guid", Words.guid(0));
            if (details) {
                line.off("adaptive-moderation").text("\n    caps: <RC_RNR_NAK_GEN>")
                        .key("caps", List.of("RC_RNR_NAK_GEN"));
            }
            lines.add(line);
        }
        return lines;
    }

    private ObjectLine begin(RdmaDevice device) {
        int index = devices.index(device);
        return new ObjectLine().text(index + ": " + device.name() + ": ").key("ifindex", index)
                .key("ifname", device.name());
    }

    List<ObjectLine> ports(List<String> words, boolean details) {
        ObjectChoice choice = ObjectChoice.read("rdma link show", words, devices, List.of());
        List<ObjectLine> lines = new ArrayList<>();
        for (RdmaDevice device : choice.of(devices)) {
            for (int number = 1; number <= device.attributes().ports(); number++) {
                if (choice.hasPort(number)) {
                    lines.add(port(device, number, details));
                }
            }
        }
        return lines;
    }

    private ObjectLine port(RdmaDevice device, int number, boolean details) {
        PortAttributes port = device.port(number);
        ObjectLine line = new ObjectLine().text("link " + device.name() + "/" + number + " ")
                .key("ifindex", devices.index(device)).key("ifname", device.name()).key("port", number)
                .add("state", port.isActive() ? "ACTIVE" : "DOWN")
                .add("physical_state", port.isActive() ? "LINK_UP" : "DISABLED");
        if (device.attributes().part() != Devices.WITH_CONNECTIONS) {
            // the real driver names no network device for raw packets either
            return line;
        }
        line.add("netdev", port.device());
        devices.networkIndex(port.device()).ifPresent(index -> {
            if (details) {
                line.add("netdev_index", index);
            } else {
                line.key("netdev_index", index);
            }
        });
        return line;
    }

    /** How many of everything there are. */
    List<ObjectLine> summary(List<String> words) {
        ObjectChoice choice = ObjectChoice.read("rdma resource show", words, devices, List.of());
        List<ObjectLine> lines = new ArrayList<>();
        for (RdmaDevice device : choice.of(devices)) {
            ObjectLine line = begin(device);
            var counted = device.resources();
            for (String kind : List.of("pd", "cq", "qp")) {
                line.add(kind, counted.getOrDefault(kind, 0));
            }
            lines.add(line.add("cm_id", devices.connections(device).size()).add("mr", counted.getOrDefault("mr", 0))
                    .add("ctx", 0).add("srq", 0));
        }
        return lines;
    }

    /** Counters of ports that have any. */
    List<ObjectLine> statistics(List<String> words) {
        ObjectChoice choice = ObjectChoice.read("rdma statistic show", words, devices, List.of());
        List<ObjectLine> lines = new ArrayList<>();
        for (RdmaDevice device : choice.of(devices)) {
            for (int number = 1; number <= device.attributes().ports(); number++) {
                if (choice.hasPort(number)) {
                    ObjectLine line = new ObjectLine().text("link " + device.name() + "/" + number + " ")
                            .key("ifname", device.name()).key("port", number);
                    device.counters(number).forEach((name, value) -> line.text("\n    ").add(name, value));
                    lines.add(line);
                }
            }
        }
        return lines.stream().filter(line -> line.fields().values().size() > 2).toList();
    }
}
