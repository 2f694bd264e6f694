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
import io.manafold.pmd.internal.words.LogLevels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for ports: the RDMA devices in the order of their functions, of each the ports whose addresses are wanted.
 * Looking asks no device anything. Then those that were found have their domains made, which may take its time, and are
 * taken; those that are not give them back in the end.
 */
final class Probing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Probing.class);
    /** What the part of a function that has raw packets is. */
    private static final int ETHERNET = 2;
    private static final String ABSENT = "There is no RDMA device for raw packets of this function: look at "
            + "'rdma link' and 'devices'.";

    private final Directory directory;
    private final EalOptions options;
    /** Whether an environment has a port of that name. */
    private final Predicate<String> taken;
    private final List<ProbedPort> seen = new ArrayList<>();
    private final List<Wanted> wanted = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final List<String> looked = new ArrayList<>();

    /** A port that can be had, at its place among those that were looked at. */
    private record Wanted(int place, PortFacts facts, RdmaDevice device) {
    }

    /** A port that is taken. */
    record Found(PortFacts facts, PortDomain domain) {
    }

    Probing(Directory directory, EalOptions options, Predicate<String> taken) {
        this.directory = directory;
        this.options = options;
        this.taken = taken;
    }

    /** Looks at all devices. */
    void all() {
        for (Map.Entry<String, RdmaDevice> one : directory.rdma().entrySet()) {
            DeviceArgument argument = options.argument(PciAddress.parse(one.getKey()));
            if (argument != null) {
                probe(one.getKey(), one.getValue(), argument);
            } else {
                look(one.getKey(), one.getValue(), "no function that is probed");
            }
        }
        options.allowed().values().forEach(this::miss);
    }

    /** The real driver tells of each RDMA device that it comes by, before it looks at what that is. */
    private void look(String address, RdmaDevice device, String found) {
        looked.add("Looks at the RDMA device " + directory.name(device) + " of " + address + ": " + found + ".");
    }

    /** Looks at one device alone, with an argument of its own. */
    void one(DeviceArgument argument, RdmaDevice device) {
        probe(argument.address().toString(), device, argument);
        miss(argument);
    }

    /** What was named and is not there is told as ports are that are there, by the number 0. */
    private void miss(DeviceArgument argument) {
        String address = argument.address().toString();
        List<ProbedPort> there = seen.stream().filter(port -> port.address().equals(address)).toList();
        if (there.isEmpty() && argument.macs().isEmpty()) {
            seen.add(new ProbedPort(address, 0, null, "", "", "", ABSENT));
        }
        for (MacAddress mac : argument.macs()) {
            if (there.stream().noneMatch(port -> mac.equals(port.mac()))) {
                seen.add(new ProbedPort(address, 0, mac, "", "", "", there.isEmpty() ? ABSENT
                        : "No port of " + address + " has the address " + mac + ", which mac= names."));
            }
        }
    }

    /** Looks at one device alone. */
    void one(String address, RdmaDevice device) {
        DeviceArgument argument = options.argument(PciAddress.parse(address));
        if (argument != null) {
            probe(address, device, argument);
        }
    }

    /**
     * Tells the log which devices were looked at, and has them make domains for the ports that can be had. Ports whose
     * devices do not are left out.
     *
     * @param journal of the environment that it looks for
     * @return itself
     */
    Probing open(Journal journal) {
        looked.forEach(device -> journal.driver(LogLevels.INFO, device));
        for (Wanted one : wanted) {
            try {
                found.add(new Found(one.facts, PortDomain.of(one.device, one.facts.port())));
            } catch (Refusal refused) {
                leaveOut(one, refused);
            }
        }
        return this;
    }

    private void leaveOut(Wanted one, Refusal refused) {
        String why = "Port " + one.facts.port() + " of " + one.facts.address() + " is left out. "
                + refused.getMessage();
        ProbedPort port = seen.get(one.place);
        seen.set(one.place, new ProbedPort(port.address(), port.port(), port.mac(), port.device(), port.owner(), "",
                why));
        leftOut.add(why);
    }

    /** @throws Refusal {@code ENODEV} if ports were left out, and none is left */
    void checkLeft() {
        if (found.isEmpty() && !leftOut.isEmpty()) {
            throw new Refusal(Errno.ENODEV, "There is no port left to poll. " + String.join(" ", leftOut));
        }
    }

    /** @throws Refusal {@code ENODEV} if a function that was named has no port that can be had */
    void checkFound() {
        options.allowed().values().forEach(this::checkFound);
    }

    /** @throws Refusal {@code ENODEV} if a function that was named has no port that can be had */
    void checkFound(DeviceArgument argument) {
        String address = argument.address().toString();
        if (options.dryRun() || found.stream().anyMatch(port -> port.facts().address().equals(address))) {
            return;
        }
        String why = seen.stream().filter(port -> port.address().equals(address)).map(ProbedPort::why).distinct()
                .reduce((one, other) -> one + " " + other)
                .orElse(ABSENT);
        throw new Refusal(Errno.ENODEV, "The requested device " + address + " cannot be used. " + why);
    }

    private void probe(String address, RdmaDevice device, DeviceArgument argument) {
        DeviceAttributes attributes;
        try {
            attributes = device.attributes();
        } catch (Refusal gone) {
            look(address, device, "it has gone");
            return;
        }
        boolean isEthernet = attributes.part() == 0 || attributes.part() == ETHERNET;
        look(address, device, "it is part " + attributes.part() + " of its vendor, "
                + (isEthernet ? "with " + attributes.ports() + " ports" : "and left, as that has no raw packets"));
        if (!isEthernet) {
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
                wanted.add(new Wanted(seen.size() - 1, PortFacts.of(address, port, mac, network, argument, attributes),
                        device));
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
        return taken.test(name) || claims(name) ? "Port " + port + " of " + address
                + " is in poll mode already, of this environment or another." : "";
    }

    /** Whether it has found a port of that name, which no other environment takes meanwhile. */
    boolean claims(String name) {
        return wanted.stream().anyMatch(one -> one.facts.name().equals(name));
    }

    List<ProbedPort> seen() {
        return seen;
    }

    /** What RDMA devices it came by, a sentence each. */
    List<String> looked() {
        return looked;
    }

    /** Why ports were left out that could be had. */
    List<String> leftOut() {
        return leftOut;
    }

    /** Why ports are not taken that were named by their addresses, beside those left out, a sentence each. */
    List<String> unmet() {
        return seen.stream().filter(port -> !port.isTaken() && port.mac() != null && isNamed(port))
                .map(ProbedPort::why).filter(why -> !leftOut.contains(why)).distinct().toList();
    }

    private boolean isNamed(ProbedPort port) {
        DeviceArgument argument = options.allowed().get(PciAddress.parse(port.address()));
        return argument != null && argument.macs().contains(port.mac());
    }

    /** Whether there is anything to open. */
    boolean hasFound() {
        return !wanted.isEmpty();
    }

    /** Ports that are open and have not been taken: an environment removes each that it takes. */
    List<Found> found() {
        return found;
    }

    /** Ports that have not been taken give back what was made for them. */
    @Override
    public void close() {
        for (Found one : found) {
            try {
                one.domain.close();
            } catch (RuntimeException refused) {
                LOG.warn("{} leaves a protection domain, which stays until its device goes: {}", one.facts.name(),
                        refused.getMessage());
            }
        }
        found.clear();
    }
}
