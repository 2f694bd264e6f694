package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.pmd.internal.words.LogLevels;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * How an environment comes to its ports: it keeps what was looked at for it, and takes what was found.
 *
 * <p>Each probing is one thread's, and several may be taken at a time without a lock: the list of ports has each number
 * once, and takes none any more when the environment has ended.
 */
final class NewPorts {
    /** Bytes of the largest part of memory that a device knows: the same of each of this kind, and not asked of it. */
    private static final String LARGEST_REGION = "18446744073709551615";

    private final PmdEnvironment environment;
    private final PortList ports;
    private final PairWatch pairs;
    private final Directory directory;
    private final Journal journal;
    private final List<ProbedPort> probed = new CopyOnWriteArrayList<>();

    NewPorts(PmdEnvironment environment, PortList ports, PairWatch pairs, Directory directory, Journal journal) {
        this.environment = environment;
        this.ports = ports;
        this.pairs = pairs;
        this.directory = directory;
        this.journal = journal;
    }

    /** Tells of ports that were looked at. */
    void report(List<ProbedPort> seen) {
        probed.addAll(seen);
        seen.forEach(port -> journal.init(LogLevels.DEBUG, (port.port() == 0 ? "What was named" : "Port " + port.port())
                + " of " + port.address() + (port.mac() == null ? "" : " (" + port.mac() + ")")
                + " is " + (port.isTaken() ? port.name()
                : port.why().isEmpty() ? "free to be taken"
                : "not taken: " + port.why())));
    }

    /** All that was looked at. */
    List<ProbedPort> probed() {
        return List.copyOf(probed);
    }

    /** Has the ports that were found. */
    void take(Probing probing) {
        take(probing, false);
    }

    /**
     * Has the ports that were found.
     *
     * @param lowest whether they get the lowest numbers that are free, rather than ones that no port has had yet
     */
    List<EthDev> take(Probing probing, boolean lowest) {
        List<EthDev> taken = new ArrayList<>();
        Set<RdmaDevice> devices = new LinkedHashSet<>();
        for (Iterator<Probing.Found> left = probing.found().iterator(); left.hasNext();) {
            Probing.Found found = left.next();
            PollDevice port = ports.add(found.facts().mac(), lowest, number ->
                    new PollDevice(environment, directory, found.facts(), found.domain(), number));
            if (port == null) {
                return taken;
            }
            left.remove();
            taken.add(port);
            devices.add(found.domain().device());
            EthDevInfo info = port.info();
            journal.driver(LogLevels.INFO, port.name() + " has " + info.maxQueues() + " queues at most, of "
                    + info.minDescriptors() + " to " + info.maxDescriptors() + " descriptors, sends packets of "
                    + info.maxPieces() + " pieces, and registers memory of " + LARGEST_REGION + " bytes at most.");
            environment.tell(new EthDevEvent(EthDevEvent.Kind.NEW, port.number(), "Port " + port.number() + " is "
                    + port.name() + "."));
        }
        // a device that has gone while it was probed had no port yet to tell
        devices.stream().filter(device -> !directory.has(device)).forEach(environment.departures()::lose);
        pairs.wake();
        return taken;
    }

    /** Has the ports over pairs that were found, by the lowest numbers that are free. */
    List<EthDev> take(SyntheticProbing probing) {
        List<EthDev> taken = new ArrayList<>();
        for (PairedFacts found : probing.found()) {
            PairedDevice port = ports.add(number -> new PairedDevice(environment, found, number));
            if (port == null) {
                return taken;
            }
            pairs.begin();
            taken.add(port);
            environment.tell(new EthDevEvent(EthDevEvent.Kind.NEW, port.number(), "Port " + port.number() + " is "
                    + port.name() + ", over the pair " + found.device().name() + "."));
        }
        return taken;
    }
}
