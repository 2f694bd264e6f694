package io.manafold.qualify.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;

/**
 * The two ports that are polled.
 *
 * @param from the one that sends
 * @param to the one that receives
 */
record PollChoice(ProbedPort from, ProbedPort to) {
    private static final String BY_ITSELF = "network stack";
    /**
     * Cores, one of which polls and takes turns with the link: two threads would show how a machine's scheduler shares
     * processors between them. Nothing that others could find.
     */
    private static final List<String> WORDS = List.of("-l", "0-1", "--run-to-completion", "--file-prefix", "qualify",
            "--in-memory", "--no-telemetry");

    /**
     * Looks at what there is, without taking any.
     *
     * @param from name of the network device of a port, or empty for the first that is free; likewise {@code to}
     * @param devices names of all network devices
     * @throws Refusal {@code ENODEV} if they cannot be had, {@code EBUSY} if another environment has one,
     *     {@code EINVAL} for the same twice
     */
    static PollChoice of(Environments environments, String from, String to, List<String> devices) {
        List<ProbedPort> there;
        List<String> words = new ArrayList<>(WORDS);
        words.add("--dry-run");
        try (Environment look = environments.start(words)) {
            there = look.probed().stream().filter(port -> !port.device().isEmpty()
                    && isPci(port.address())).toList();
        }
        ProbedPort first = from.isEmpty() ? free(there, to, "sends") : named(there, from, devices);
        ProbedPort second = to.isEmpty() ? free(there, first.device(), "receives") : named(there, to, devices);
        if (first.device().equals(second.device())) {
            throw new Refusal(Errno.EINVAL, "Packets go from one port to another, not from " + from + " to itself.");
        }
        return new PollChoice(first, second);
    }

    /** Ports over a pair have another kind of address: they are polled by way of others, whose figures these are. */
    private static boolean isPci(String address) {
        try {
            PciAddress.parse(address);
            return true;
        } catch (RuntimeException other) {
            return false;
        }
    }

    private static ProbedPort named(List<ProbedPort> there, String name, List<String> devices) {
        ProbedPort port = there.stream().filter(one -> one.device().equals(name)).findFirst().orElse(null);
        if (port == null) {
            throw new Refusal(Errno.ENODEV, devices.contains(name) ? name + " is not the device of a port that can be "
                    + "polled: its function has no RDMA device for raw packets. 'rdma link' shows those that have, and "
                    + "'lab up dpdk' brings two ports."
                    : "There is no network device " + name + "; there is " + names(devices) + ".");
        }
        check(port);
        return port;
    }

    private static void check(ProbedPort port) {
        if (port.owner().equals(BY_ITSELF)) {
            throw new Refusal(Errno.ENODEV, port.device() + " cannot be polled: the network stack has its port, since "
                    + "it is up. Take it down first: ip link set " + port.device() + " down");
        }
        if (!port.owner().isEmpty() || !port.why().isEmpty()) {
            throw new Refusal(Errno.EBUSY, port.device() + " cannot be polled: " + (port.why().isEmpty()
                    ? port.owner() + " has its port; end that first." : port.why()));
        }
    }

    private static ProbedPort free(List<ProbedPort> there, String than, String does) {
        List<ProbedPort> others = there.stream().filter(port -> !port.device().equals(than)).toList();
        return others.stream().filter(port -> port.owner().isEmpty() && port.why().isEmpty()).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "There is no port that " + does + ": two are needed whose "
                        + "devices are down. " + (others.isEmpty() ? "No function here has ports for poll mode; "
                        + "'lab up dpdk' brings some." : "Take two of them down first: " + downs(others))));
    }

    private static String downs(List<ProbedPort> ports) {
        return String.join("; ", ports.stream().map(port -> "ip link set " + port.device() + " down").toList());
    }

    private static String names(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    /** Has an environment take the two. */
    Environment start(Environments environments) {
        List<String> words = new ArrayList<>(WORDS);
        if (from.address().equals(to.address())) {
            words.addAll(List.of("-a", from.address() + ",mac=" + from.mac() + ",mac=" + to.mac()));
        } else {
            words.addAll(List.of("-a", from.address() + ",mac=" + from.mac(), "-a", to.address() + ",mac="
                    + to.mac()));
        }
        return environments.start(words);
    }
}
