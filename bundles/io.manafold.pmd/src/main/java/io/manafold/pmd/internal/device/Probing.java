package io.manafold.pmd.internal.device;

import io.manafold.api.device.PciAddress;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.words.DeviceArgument;
import io.manafold.pmd.internal.words.EalOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Looks for ports: the RDMA devices in the order of their functions, of each the ports whose addresses are wanted. */
final class Probing {
    /** What the part of a function that has raw packets is. */
    private static final int ETHERNET = 2;

    private final Directory directory;
    private final EalOptions options;
    /** Whether an environment has a port of that name. */
    private final Predicate<String> taken;
    private final List<ProbedPort> seen = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();

    /** A port that is taken. */
    record Found(PortFacts facts, RdmaDevice device) {
    }

    Probing(Directory directory, EalOptions options, Predicate<String> taken) {
        this.directory = directory;
        this.options = options;
        this.taken = taken;
    }

    /** @throws Refusal {@code ENODEV} if a function that was named has no port that can be had */
    void all() {
        for (Map.Entry<String, RdmaDevice> one : directory.rdma().entrySet()) {
            DeviceArgument argument = options.argument(PciAddress.parse(one.getKey()));
            if (argument != null) {
                probe(one.getKey(), one.getValue(), argument);
            }
        }
        for (DeviceArgument argument : options.allowed().values()) {
            checkFound(argument);
        }
    }

    /** Looks at one device alone, with an argument of its own. */
    void one(DeviceArgument argument, RdmaDevice device) {
        probe(argument.address().toString(), device, argument);
    }

    /** Looks at one device alone. */
    void one(String address, RdmaDevice device) {
        DeviceArgument argument = options.argument(PciAddress.parse(address));
        if (argument != null) {
            probe(address, device, argument);
        }
    }

    /** @throws Refusal {@code ENODEV} if a function that was named has no port that can be had */
    void checkFound(DeviceArgument argument) {
        String address = argument.address().toString();
        if (options.dryRun() || found.stream().anyMatch(port -> port.facts().address().equals(address))) {
            return;
        }
        String why = seen.stream().filter(port -> port.address().equals(address)).map(ProbedPort::why).distinct()
                .reduce((one, other) -> one + " " + other)
                .orElse("There is no RDMA device for raw packets of this function: look at 'rdma link' and 'devices'.");
        throw new Refusal(Errno.ENODEV, "The requested device " + address + " cannot be used. " + why);
    }

    private void probe(String address, RdmaDevice device, DeviceArgument argument) {
        DeviceAttributes attributes;
        try {
            attributes = device.attributes();
        } catch (Refusal gone) {
            return;
        }
        if (attributes.part() != 0 && attributes.part() != ETHERNET) {
            return;
        }
        for (int port = 1; port <= attributes.ports(); port++) {
            NetDevice above = directory.network(address, port);
            MacAddress mac = above == null ? null : above.mac();
            String why = why(argument, address, port, mac);
            String name = why.isEmpty() ? PortFacts.name(address, port) : "";
            String network = above == null ? "" : above.name();
            String owner = taken.test(PortFacts.name(address, port)) ? "another environment"
                    : above != null && above.isUp() ? "network stack" : "";
            seen.add(new ProbedPort(address, port, mac, network, owner, options.dryRun() ? "" : name, why));
            if (why.isEmpty() && !options.dryRun()) {
                found.add(new Found(PortFacts.of(address, port, mac, network, argument, attributes), device));
            }
        }
    }

    private String why(DeviceArgument argument, String address, int port, MacAddress mac) {
        if (mac == null) {
            return "Port " + port + " of " + address + " has no network device to ask for its address.";
        }
        if (!argument.macs().isEmpty() && !argument.macs().contains(mac)) {
            return "Port " + port + " of " + address + " has the address " + mac + ", which no mac= names.";
        }
        String name = PortFacts.name(address, port);
        boolean gone = taken.test(name) || found.stream().anyMatch(one -> one.facts().name().equals(name));
        return gone ? "Port " + port + " of " + address
                + " is in poll mode already, of this environment or another." : "";
    }

    List<ProbedPort> seen() {
        return seen;
    }

    List<Found> found() {
        return found;
    }
}
