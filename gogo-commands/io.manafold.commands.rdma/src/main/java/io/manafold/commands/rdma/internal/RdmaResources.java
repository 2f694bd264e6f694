package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ConnectionStatus;
import io.manafold.api.rdma.DeviceObjects;
import io.manafold.api.rdma.QueuePairType;
import io.manafold.api.rdma.RdmaDevice;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** {@code rdma resource show qp}, and the same for all other kinds of objects. */
final class RdmaResources {
    /** Kinds of objects, and by which values they are chosen. */
    static final List<String> KINDS = List.of("qp", "cm_id", "cq", "mr", "pd");

    private final Devices devices;

    RdmaResources(Devices devices) {
        this.devices = devices;
    }

    List<ObjectLine> show(String kind, List<String> words) {
        ObjectChoice choice = ObjectChoice.read("rdma resource show " + kind, words, devices, switch (kind) {
            case "qp" -> List.of("lqpn", "rqpn", "type", "state", "rq-psn", "sq-psn", "pdn");
            case "cm_id" -> List.of("lqpn", "state", "ps", "src-addr", "dst-addr");
            case "cq" -> List.of("cqn", "cqe", "users");
            case "mr" -> List.of("mrn", "mrlen", "pdn");
            default -> List.of("pdn", "users");
        });
        List<ObjectLine> lines = new ArrayList<>();
        for (RdmaDevice device : choice.of(devices)) {
            if (kind.equals("cm_id")) {
                int number = 0;
                for (ConnectionStatus connection : devices.connections(device)) {
                    if (choice.hasPort(connection.port())) {
                        lines.add(connection(device, connection, number++));
                    }
                }
            } else {
                lines.addAll(show(kind, device, choice));
            }
        }
        return lines.stream().filter(line -> choice.fits(line.fields())).toList();
    }

    private List<ObjectLine> show(String kind, RdmaDevice device, ObjectChoice choice) {
        DeviceObjects objects = device.objects();
        return switch (kind) {
            case "qp" -> objects.pairs().stream().filter(pair -> choice.hasPort(pair.port()))
                    .sorted(Comparator.comparingInt(DeviceObjects.Pair::number)).map(pair -> pair(device, pair))
                    .toList();
            case "cq" -> objects.queues().stream().sorted(Comparator.comparingInt(DeviceObjects.Queue::number))
                    .map(queue -> begin(device).add("cqn", queue.number()).add("cqe", queue.entries()).add("users",
                            queue.users()).off("adaptive-moderation").owner(queue.owner())).toList();
            case "mr" -> objects.regions().stream().sorted(Comparator.comparingInt(DeviceObjects.Region::number))
                    .map(region -> begin(device).add("mrn", region.number()).add("mrlen", region.length())
                            .add("pdn", region.domain()).owner(region.owner())).toList();
            default -> objects.domains().stream().sorted(Comparator.comparingInt(DeviceObjects.Domain::number))
                    .map(domain -> begin(device).add("pdn", domain.number()).add("users", domain.users())
                            .owner(domain.owner()))
                    .toList();
        };
    }

    private ObjectLine begin(RdmaDevice device) {
        return new ObjectLine().text("dev " + device.name() + " ").key("ifindex", devices.index(device))
                .key("ifname", device.name());
    }

    private ObjectLine link(RdmaDevice device, int port) {
        ObjectLine line = new ObjectLine().text("link " + device.name() + "/" + (port == 0 ? "-" : port) + " ")
                .key("ifindex", devices.index(device)).key("ifname", device.name());
        return port == 0 ? line : line.key("port", port);
    }

    private ObjectLine pair(RdmaDevice device, DeviceObjects.Pair pair) {
        boolean connected = pair.type() == QueuePairType.RC;
        ObjectLine line = link(device, pair.port()).add("lqpn", pair.number());
        if (connected) {
            line.add("rqpn", pair.peer());
        }
        line.add("type", pair.type().name()).add("state", pair.state().name());
        if (connected) {
            line.add("rq-psn", pair.receivePsn());
        }
        line.add("sq-psn", pair.sendPsn());
        return (connected ? line.add("path-mig-state", "MIGRATED") : line).add("pdn", pair.domain())
                .owner(pair.owner());
    }

    private ObjectLine connection(RdmaDevice device, ConnectionStatus connection, int number) {
        ObjectLine line = link(device, connection.port()).add("cm-idn", number);
        if (connection.queuePair() != 0) {
            line.add("lqpn", connection.queuePair()).add("qp-type", "RC");
        }
        line.add("state", connection.state().label()).add("ps", "TCP").owner(connection.owner())
                .add("src-addr", address(connection.local()));
        return connection.remote() == null ? line : line.add("dst-addr", address(connection.remote()));
    }

    private static String address(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
